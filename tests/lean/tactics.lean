prelude
import Core
set_option autoImplicit false

/-! Every tactic that docs/core.md names as working; the file must pass without a message. -/

universe u
variable {p q r : Prop}

theorem constructor_exact (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hq
theorem cases_anonymous (h : p ∧ q) : q ∧ p := by
  cases h with
  | intro hp hq => exact ⟨hq, hp⟩
theorem rcases_left_right (h : p ∨ q) : q ∨ p := by
  rcases h with hp | hq
  · right; exact hp
  · left; assumption
theorem rintro_nested : p ∧ (q ∨ r) ↔ (p ∧ q) ∨ (p ∧ r) := by
  constructor
  · rintro ⟨hp, hq | hr⟩
    · exact .inl ⟨hp, hq⟩
    · exact .inr ⟨hp, hr⟩
  · rintro (⟨hp, hq⟩ | ⟨hp, hr⟩)
    · exact ⟨hp, .inl hq⟩
    · exact ⟨hp, .inr hr⟩
theorem by_cases_absurd (h : ¬q → ¬p) : p → q := by
  intro hp
  by_cases hq : q
  · exact hq
  · exact absurd hp (h hq)
theorem obtain_refine {α : Type u} (f : α → Prop) (h : ∃ x, f x ∧ p) : (∃ x, f x) ∧ p := by
  obtain ⟨x, hx, hp⟩ := h
  refine ⟨⟨x, ?_⟩, hp⟩
  exact hx
theorem rw_hypotheses (a b c : Nat) (h : a = b) (k : b = c) : a = c := by
  rw [h, k]
theorem rw_at (a b c : Nat) (h : a + b = c) : b + a = c := by
  rw [Nat.add_comm] at h
  exact h
theorem induction_rw (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [← Nat.add_assoc, ih]
theorem induction_generalizing (xs ys : List Nat) : xs.reverseAux ys = xs.reverse ++ ys := by
  induction xs generalizing ys with
  | nil => rfl
  | cons x xs ih => simp [List.reverseAux, ih]
theorem strong_induction (n : Nat) : n < 2 ^ n := by
  induction n using Nat.strongRecOn with
  | ind n ih =>
    cases n with
    | zero => decide
    | succ n =>
      have h := ih n (Nat.lt_add_one n)
      rw [Nat.pow_succ, Nat.mul_two]
      exact Nat.add_lt_add_of_lt_of_le h (Nat.pow_pos (by decide))
theorem simp_lemmas (a b : Nat) : a + 0 + (0 + b) = a + b := by simp
theorem simp_at (a b c : Nat) (h : a + b = a + c) : b = c := by
  simp at h
  exact h
theorem simp_only_ac (a b c : Nat) : a + b + c = c + (b + a) := by
  simp only [Nat.add_comm, Nat.add_left_comm]
theorem simpa_using (a b : Nat) (h : a + 1 = b + 1) : a = b := by simpa using h
theorem simp_all_context (h : p ∧ q) (k : q → r) : r := by simp_all
theorem dsimp_change (a : Nat) : (fun x => x + a) 1 = 1 + a := by
  dsimp only
theorem decide_closed : ∀ n, n < 6 → n * n < 36 ∧ (n = 3 ∨ ¬n ∣ 3 ∨ n = 1) := by decide
theorem decide_bool : ∀ a b : Bool, (a && b) = !(!a || !b) := by decide
theorem exists_witness : ∃ x : Nat, x * x = 49 := by
  exists 7
theorem contradiction_closes (h : p) (k : ¬p) : q := by contradiction
theorem exfalso_nomatch (n : Nat) (h : n + 1 = 0) : p := by
  exfalso
  exact nomatch h
theorem have_show_calc (a b : Nat) (h : a = b) : b + a = a + a := by
  have k : b = a := h.symm
  show b + a = a + a
  calc b + a = a + a := by rw [k]
    _ = a + a := rfl
theorem calc_order (a b c d : Nat) (h : a < b) (k : b ≤ c) (l : c = d) : a < d :=
  calc a
    _ < b := h
    _ ≤ c := k
    _ = d := l
theorem conv_lhs (x y z : Nat) : x + y = z → y + x = z := by
  intro h
  conv => lhs; rw [Nat.add_comm]
  exact h
theorem apply_assumption (n m : Nat) (h : n < m) : n ≤ m := by
  apply Nat.le_of_lt
  assumption
theorem funext_ext : (fun (x : Nat) => x + 0) = fun x => x := by
  funext x
  rfl
theorem ext_set (s t : Set Nat) : s ∩ t = t ∩ s := by
  ext x
  simp [and_comm]
theorem ext_pair (x y : Nat × Nat) (h : x.1 = y.1) (k : x.2 = y.2) : x = y := by
  ext
  · exact h
  · exact k
theorem subst_equation (a b c d : Nat) (h : a = b) (k : c = d) : a + c = b + d := by
  subst h k
  rfl
theorem split_if (x : Nat) : (if x = 0 then 0 else x) = x := by
  split
  · next h => exact h.symm
  · rfl
theorem split_match (o : Option Nat) : (match o with | none => 0 | some _ => 1) ≤ 1 := by
  split <;> decide
theorem match_pattern (n : Nat) : n < n + 1 := by
  match n with
  | 0 => decide
  | k + 1 => exact Nat.le_refl _
theorem specialize_hypothesis (h : p → q) (k : ¬q) : ¬p := by
  intro hp
  specialize h hp
  exact k h
theorem generalize_term (a b : Nat) : (a + b) * 1 = a + b := by
  generalize a + b = c
  exact Nat.mul_one c
theorem injection_succ (a b : Nat) (h : a + 1 = b + 1) : a = b := by
  injection h
theorem unfold_definition {α : Type u} (f : α → α) (h : ∀ x, f (f x) = x) : Function.Involutive f := by
  unfold Function.Involutive
  exact h
theorem congr_arguments (f : Nat → Nat → Nat) (a b c d : Nat) (h : a = b) (k : c = d) : f a c = f b d := by
  congr
theorem symm_exact (a b : Nat) (h : a = b) : b = a := by
  symm
  exact h
theorem combinators (h : p) (k : q) : (p ∧ q) ∧ (q ∧ p) := by
  refine ⟨?_, ?_⟩ <;> constructor
  all_goals first | exact h | exact k
theorem repeat_try (a b c : Nat) (h : a = b) (k : b = c) : a = c := by
  repeat rw [h]
  try rw [k]
theorem trivial_or_and_intros : True ∧ (1 = 1 ∧ 2 = 2) := by
  and_intros <;> trivial
theorem revert_intro (a b : Nat) (h : a = b) : b = a := by
  revert h
  intro h
  exact h.symm
theorem rename_case (a b : Nat) : a = b → b = a := by
  intro
  rename_i h
  exact h.symm
theorem nofun_empty : ¬∃ n : Nat, n < 0 := by
  rintro ⟨n, hn⟩
  exact nomatch hn
theorem exact_question (a b : Nat) (h : a ≤ b) : a ≤ b := by
  first | exact h | exact?
theorem ac_rfl_nat (a b c : Nat) : a + 0 + b + c = c + b + a := by ac_rfl
theorem ac_rfl_max (a b c : Nat) : max (max a b) c = max c (max b (max b a)) := by ac_rfl
theorem ac_rfl_and : (p ∧ q ∧ r) = (r ∧ q ∧ p ∧ p) := by ac_rfl
theorem ac_rfl_append {α : Type u} (x y z : List α) : x ++ [] ++ (y ++ z) = x ++ y ++ z := by ac_rfl
theorem ac_rfl_monoid {M : Type u} [CommMonoid M] (x y z : M) : x * y * z = z * 1 * y * x := by ac_rfl
theorem ac_nf_both (a b c d : Nat) (h : a + b + c = d) : c + b + a = d := by
  ac_nf at *
theorem infer_instance_tactic : Nonempty Nat := by infer_instance
theorem propext_and : (p ∧ q) = (q ∧ p) := by
  apply propext
  exact and_comm
theorem unique_exists : ∃! x : Nat, x + 1 = 4 :=
  ⟨3, rfl, fun _ h => Nat.succ.inj h⟩

/-! Declarations that a file may bring. -/
namespace Trees
inductive Tree (α : Type u) where
  | leaf : Tree α
  | node : Tree α → α → Tree α → Tree α
def Tree.mirror {α : Type u} : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror
theorem Tree.mirror_mirror {α : Type u} (t : Tree α) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l x r ihl ihr => simp [mirror, ihl, ihr]
end Trees
inductive Color where
  | red | green | blue
deriving DecidableEq
theorem red_ne_blue : Color.red ≠ Color.blue := by decide
structure Point where
  x : Nat
  y : Nat
theorem Point.eq (p q : Point) (h : p.x = q.x) (k : p.y = q.y) : p = q := by
  cases p; cases q; simp_all
mutual
inductive Even' : Nat → Prop
  | zero : Even' 0
  | succ {n : Nat} : Odd' n → Even' (n + 1)
inductive Odd' : Nat → Prop
  | succ {n : Nat} : Even' n → Odd' (n + 1)
end
theorem even_two : Even' 2 := .succ (.succ .zero)
notation:65 a " ⊞ " b => a + b + 1
theorem box_comm (a b : Nat) : (a ⊞ b) = (b ⊞ a) := by rw [Nat.add_comm a b]
macro "close_it" : tactic => `(tactic| first | rfl | assumption)
theorem by_macro (h : p) : p := by close_it
