prelude
import Core
set_option autoImplicit false

/-! False or unfinished: Lean must report each theorem of this file (`open_proof` by a warning, all others by an error). -/

universe u
variable {p q r : Prop}
theorem and_from_or (h : p ∨ q) : p ∧ q := by
  constructor <;> assumption
theorem simp_false_equation (a b : Nat) : a + b = a := by simp
theorem decide_false : 2 + 2 = 5 := by decide
theorem decide_false_bound : ∀ n, n < 6 → n * n < 25 := by decide
theorem converse (h : p → q) : q → p := by intro hq; exact h hq
theorem not_by_rfl (n : Nat) : n * 0 = n := rfl
theorem unsolved_after_rw (a b : Nat) (h : a = b) : b + a = 0 := by rw [h]
theorem wrong_witness : ∃ x : Nat, x + 1 = 0 := ⟨0, rfl⟩
theorem no_contradiction (h : p) : q := by contradiction
theorem lt_self (n : Nat) : n < n := by
  induction n with
  | zero => exact Nat.le_refl 0
  | succ n ih => exact Nat.succ_le_succ ih
theorem append_self (xs : List Nat) : xs ++ [1] = xs := by simp
theorem no_such_assumption : False := by
  have h : False := by assumption
  exact h
theorem open_proof : p := sorry
theorem second_goal_open (n : Nat) : n = n + 0 ∧ p := by
  constructor
  · rfl
theorem set_inclusion {α : Type u} (s t : Set α) : s ⊆ s ∩ t := fun _ h => ⟨h, h⟩
theorem group_not_abelian {G : Type u} [Group G] (a b : G) : a * b = b * a := mul_comm a b
theorem surjective_not_injective {α : Type u} (f : α → α) (h : Function.Surjective f) : Function.Injective f := h
theorem no_omega (a b : Nat) (h : a ≤ b) : a < b + 1 := by omega
theorem ac_not_equal (a b c : Nat) : a + b + c = c + b + b := by ac_rfl
theorem ac_not_commutative {M : Type u} [Monoid M] (x y : M) : x * y = y * x := by ac_rfl
theorem unknown_lemma (a : Nat) : a = a := Nat.no_such_lemma a
theorem circular : False := circular
theorem literals_differ : "a" = "b" := rfl
