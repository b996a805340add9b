prelude
import Core.Bool
set_option autoImplicit false
set_option linter.all false

/-!
# Natural numbers: addition, multiplication, order, subtraction

Lemmas about multiplication and order together, powers, division and divisibility are in `Core.NatMore`.
-/

universe u

/-- `induction` shows `0` and `n + 1`, not the constructors. -/
@[induction_eliminator] protected noncomputable def Nat.recAux {motive : Nat → Sort u} (zero : motive 0)
    (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t := Nat.rec zero succ t
/-- The same for `cases`. -/
@[cases_eliminator] protected abbrev Nat.casesAuxOn {motive : Nat → Sort u} (t : Nat) (zero : motive 0)
    (succ : ∀ n, motive (n + 1)) : motive t := Nat.casesOn t zero succ

namespace Nat

/-! ### Constructors and equality -/

@[simp] theorem zero_eq : Nat.zero = 0 := rfl
@[simp] theorem add_eq (n m : Nat) : Nat.add n m = n + m := rfl
@[simp] theorem mul_eq (n m : Nat) : Nat.mul n m = n * m := rfl
@[simp] theorem sub_eq (n m : Nat) : Nat.sub n m = n - m := rfl
@[simp] theorem lt_eq (n m : Nat) : Nat.lt n m = (n < m) := rfl
@[simp] theorem le_eq (n m : Nat) : Nat.le n m = (n ≤ m) := rfl
theorem add_one (n : Nat) : n + 1 = succ n := rfl
@[simp] theorem succ_eq_add_one (n : Nat) : succ n = n + 1 := rfl
theorem one_eq_succ_zero : 1 = succ 0 := rfl
theorem succ_ne_zero (n : Nat) : succ n ≠ 0 := fun h => nomatch h
theorem zero_ne_succ (n : Nat) : 0 ≠ succ n := fun h => nomatch h
@[simp] theorem add_one_ne_zero (n : Nat) : n + 1 ≠ 0 := succ_ne_zero n
@[simp] theorem zero_ne_add_one (n : Nat) : 0 ≠ n + 1 := zero_ne_succ n
theorem zero_ne_one : 0 ≠ (1 : Nat) := zero_ne_succ 0
theorem one_ne_zero : 1 ≠ (0 : Nat) := succ_ne_zero 0
theorem succ.inj {n m : Nat} (h : succ n = succ m) : n = m := congrArg pred h
theorem succ.injEq (n m : Nat) : (succ n = succ m) = (n = m) := propext ⟨succ.inj, congrArg succ⟩
theorem succ_inj {n m : Nat} : succ n = succ m ↔ n = m := ⟨succ.inj, congrArg succ⟩
theorem add_one_inj {n m : Nat} : n + 1 = m + 1 ↔ n = m := succ_inj
theorem succ_ne_self (n : Nat) : succ n ≠ n := by
  induction n with
  | zero => exact succ_ne_zero 0
  | succ n ih => exact fun h => ih (succ.inj h)
theorem succ_ne_succ {n m : Nat} : succ n ≠ succ m ↔ n ≠ m := not_congr succ_inj
@[simp] theorem pred_zero : pred 0 = 0 := rfl
@[simp] theorem pred_succ (n : Nat) : pred (n + 1) = n := rfl
theorem exists_eq_succ_of_ne_zero : ∀ {n : Nat}, n ≠ 0 → ∃ k, n = succ k
  | 0, h => absurd rfl h
  | n + 1, _ => ⟨n, rfl⟩
theorem eq_zero_or_eq_succ_pred : ∀ n : Nat, n = 0 ∨ n = succ (pred n)
  | 0 => .inl rfl
  | _ + 1 => .inr rfl
theorem succ_pred {n : Nat} (h : n ≠ 0) : succ (pred n) = n := by
  cases n with
  | zero => exact absurd rfl h
  | succ n => rfl

/-! ### Addition -/

@[simp] theorem add_zero (n : Nat) : n + 0 = n := rfl
theorem add_succ (n m : Nat) : n + succ m = succ (n + m) := rfl
@[simp] protected theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg succ ih
theorem succ_add (n m : Nat) : succ n + m = succ (n + m) := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg succ ih
theorem succ_add_eq_add_succ (n m : Nat) : succ n + m = n + succ m := succ_add n m
protected theorem add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => exact (Nat.zero_add n).symm
  | succ m ih => exact (congrArg succ ih).trans (succ_add m n).symm
protected theorem add_assoc (n m k : Nat) : n + m + k = n + (m + k) := by
  induction k with
  | zero => rfl
  | succ k ih => exact congrArg succ ih
protected theorem add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) := by
  rw [← Nat.add_assoc, Nat.add_comm n m, Nat.add_assoc]
protected theorem add_right_comm (n m k : Nat) : n + m + k = n + k + m := by
  rw [Nat.add_assoc, Nat.add_comm m k, Nat.add_assoc]
protected theorem add_add_add_comm (a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d) := by
  rw [Nat.add_assoc, Nat.add_assoc, Nat.add_left_comm b c d]
theorem one_add (n : Nat) : 1 + n = succ n := Nat.add_comm 1 n
protected theorem add_left_cancel {n m k : Nat} : n + m = n + k → m = k := by
  induction n with
  | zero => rw [Nat.zero_add, Nat.zero_add]; exact id
  | succ n ih => rw [← succ_eq_add_one, succ_add, succ_add]; exact fun h => ih (succ.inj h)
protected theorem add_right_cancel {n m k : Nat} (h : n + m = k + m) : n = k :=
  Nat.add_left_cancel (n := m) (by rw [Nat.add_comm m n, Nat.add_comm m k]; exact h)
@[simp] protected theorem add_left_cancel_iff {n m k : Nat} : n + m = n + k ↔ m = k :=
  ⟨Nat.add_left_cancel, congrArg (n + ·)⟩
@[simp] protected theorem add_right_cancel_iff {n m k : Nat} : m + n = k + n ↔ m = k :=
  ⟨Nat.add_right_cancel, congrArg (· + n)⟩
protected theorem add_left_inj {m k n : Nat} : m + n = k + n ↔ m = k := Nat.add_right_cancel_iff
protected theorem add_right_inj {m k n : Nat} : n + m = n + k ↔ m = k := Nat.add_left_cancel_iff
theorem eq_zero_of_add_eq_zero {n m : Nat} (h : n + m = 0) : n = 0 ∧ m = 0 := by
  cases m with
  | zero => exact ⟨h, rfl⟩
  | succ m => exact absurd h (succ_ne_zero _)
theorem eq_zero_of_add_eq_zero_right {n m : Nat} (h : n + m = 0) : n = 0 := (eq_zero_of_add_eq_zero h).1
theorem eq_zero_of_add_eq_zero_left {n m : Nat} (h : n + m = 0) : m = 0 := (eq_zero_of_add_eq_zero h).2
@[simp] protected theorem add_eq_zero_iff {n m : Nat} : n + m = 0 ↔ n = 0 ∧ m = 0 :=
  ⟨eq_zero_of_add_eq_zero, fun ⟨h, k⟩ => by rw [h, k]⟩
@[simp] protected theorem add_eq_left {a b : Nat} : a + b = a ↔ b = 0 := Nat.add_left_cancel_iff (k := 0)
@[simp] protected theorem add_eq_right {a b : Nat} : a + b = b ↔ a = 0 := by
  rw [Nat.add_comm]; exact Nat.add_eq_left
protected theorem left_eq_add {a b : Nat} : a = a + b ↔ b = 0 := eq_comm.trans Nat.add_eq_left
protected theorem right_eq_add {a b : Nat} : b = a + b ↔ a = 0 := eq_comm.trans Nat.add_eq_right

/-! ### Multiplication -/

@[simp] protected theorem mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem mul_succ (n m : Nat) : n * succ m = n * m + n := rfl
theorem mul_add_one (n m : Nat) : n * (m + 1) = n * m + n := rfl
@[simp] protected theorem zero_mul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih
theorem succ_mul (n m : Nat) : succ n * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    show succ n * m + succ n = n * m + n + succ m
    rw [ih, add_succ, add_succ, Nat.add_right_comm]
theorem add_one_mul (n m : Nat) : (n + 1) * m = n * m + m := succ_mul n m
@[simp] protected theorem mul_one (n : Nat) : n * 1 = n := Nat.zero_add n
protected theorem mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => exact (Nat.zero_mul n).symm
  | succ m ih => rw [mul_add_one, add_one_mul, ih]
@[simp] protected theorem one_mul (n : Nat) : 1 * n = n := (Nat.mul_comm 1 n).trans (Nat.mul_one n)
protected theorem left_distrib (n m k : Nat) : n * (m + k) = n * m + n * k := by
  induction k with
  | zero => rfl
  | succ k ih => rw [← Nat.add_assoc, mul_add_one, ih, mul_add_one, Nat.add_assoc]
protected theorem right_distrib (n m k : Nat) : (n + m) * k = n * k + m * k := by
  rw [Nat.mul_comm, Nat.left_distrib, Nat.mul_comm k n, Nat.mul_comm k m]
protected theorem mul_add (n m k : Nat) : n * (m + k) = n * m + n * k := Nat.left_distrib n m k
protected theorem add_mul (n m k : Nat) : (n + m) * k = n * k + m * k := Nat.right_distrib n m k
protected theorem mul_assoc (n m k : Nat) : n * m * k = n * (m * k) := by
  induction k with
  | zero => rfl
  | succ k ih => rw [mul_add_one, mul_add_one, Nat.mul_add, ih]
protected theorem mul_left_comm (n m k : Nat) : n * (m * k) = m * (n * k) := by
  rw [← Nat.mul_assoc, Nat.mul_comm n m, Nat.mul_assoc]
protected theorem mul_right_comm (n m k : Nat) : n * m * k = n * k * m := by
  rw [Nat.mul_assoc, Nat.mul_comm m k, Nat.mul_assoc]
protected theorem mul_mul_mul_comm (a b c d : Nat) : (a * b) * (c * d) = (a * c) * (b * d) := by
  rw [Nat.mul_assoc, Nat.mul_assoc, Nat.mul_left_comm b c d]
protected theorem two_mul (n : Nat) : 2 * n = n + n := by rw [succ_mul, Nat.one_mul]
protected theorem mul_two (n : Nat) : n * 2 = n + n := by rw [Nat.mul_comm, Nat.two_mul]
@[simp] protected theorem mul_eq_zero {n m : Nat} : n * m = 0 ↔ n = 0 ∨ m = 0 := by
  constructor
  · intro h
    cases m with
    | zero => exact .inr rfl
    | succ m => exact .inl (eq_zero_of_add_eq_zero_left h)
  · rintro (h | h)
    · rw [h, Nat.zero_mul]
    · rw [h, Nat.mul_zero]
theorem eq_zero_of_mul_eq_zero {n m : Nat} : n * m = 0 → n = 0 ∨ m = 0 := Nat.mul_eq_zero.mp
protected theorem mul_ne_zero {n m : Nat} (hn : n ≠ 0) (hm : m ≠ 0) : n * m ≠ 0 :=
  fun h => (Nat.mul_eq_zero.mp h).elim hn hm

/-! ### Order -/

@[simp] protected theorem le_refl (n : Nat) : n ≤ n := .refl
protected theorem le_rfl {n : Nat} : n ≤ n := .refl
protected theorem le_of_eq {n m : Nat} (h : n = m) : n ≤ m := h ▸ Nat.le_refl n
protected theorem le_trans {n m k : Nat} (h₁ : n ≤ m) (h₂ : m ≤ k) : n ≤ k := by
  induction h₂ with
  | refl => exact h₁
  | step _ ih => exact .step ih
theorem le_succ (n : Nat) : n ≤ succ n := .step .refl
theorem le_add_one (n : Nat) : n ≤ n + 1 := le_succ n
theorem lt_succ_self (n : Nat) : n < succ n := Nat.le_refl _
@[simp] protected theorem lt_add_one (n : Nat) : n < n + 1 := lt_succ_self n
theorem le_succ_of_le {n m : Nat} (h : n ≤ m) : n ≤ succ m := .step h
theorem le_add_one_of_le {n m : Nat} (h : n ≤ m) : n ≤ m + 1 := .step h
@[simp] theorem zero_le (n : Nat) : 0 ≤ n := by
  induction n with
  | zero => exact .refl
  | succ n ih => exact .step ih
theorem succ_le_succ {n m : Nat} (h : n ≤ m) : succ n ≤ succ m := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact .step ih
theorem pred_le_pred {n m : Nat} (h : n ≤ m) : pred n ≤ pred m := by
  induction h with
  | refl => exact .refl
  | @step m h ih => cases m with
    | zero => exact ih
    | succ m => exact .step ih
theorem le_of_succ_le_succ {n m : Nat} (h : succ n ≤ succ m) : n ≤ m := pred_le_pred h
@[simp] theorem succ_le_succ_iff {n m : Nat} : succ n ≤ succ m ↔ n ≤ m := ⟨le_of_succ_le_succ, succ_le_succ⟩
@[simp] theorem add_one_le_add_one_iff {n m : Nat} : n + 1 ≤ m + 1 ↔ n ≤ m := succ_le_succ_iff
theorem lt_of_succ_le {n m : Nat} (h : succ n ≤ m) : n < m := h
theorem succ_le_of_lt {n m : Nat} (h : n < m) : succ n ≤ m := h
theorem succ_le_iff {n m : Nat} : succ n ≤ m ↔ n < m := Iff.rfl
theorem add_one_le_iff {n m : Nat} : n + 1 ≤ m ↔ n < m := Iff.rfl
theorem lt_iff_add_one_le {n m : Nat} : n < m ↔ n + 1 ≤ m := Iff.rfl
theorem lt_succ_of_le {n m : Nat} (h : n ≤ m) : n < succ m := succ_le_succ h
theorem le_of_lt_succ {n m : Nat} (h : n < succ m) : n ≤ m := le_of_succ_le_succ h
theorem lt_succ_iff {n m : Nat} : n < succ m ↔ n ≤ m := succ_le_succ_iff
theorem lt_add_one_iff {n m : Nat} : n < m + 1 ↔ n ≤ m := succ_le_succ_iff
theorem lt_add_one_of_le {n m : Nat} (h : n ≤ m) : n < m + 1 := succ_le_succ h
theorem succ_lt_succ {n m : Nat} (h : n < m) : succ n < succ m := succ_le_succ h
theorem lt_of_succ_lt_succ {n m : Nat} (h : succ n < succ m) : n < m := le_of_succ_le_succ h
theorem succ_lt_succ_iff {n m : Nat} : succ n < succ m ↔ n < m := succ_le_succ_iff
@[simp] theorem add_one_lt_add_one_iff {n m : Nat} : n + 1 < m + 1 ↔ n < m := succ_le_succ_iff
theorem zero_lt_succ (n : Nat) : 0 < succ n := succ_le_succ (zero_le n)
@[simp] theorem zero_lt_add_one (n : Nat) : 0 < n + 1 := zero_lt_succ n
theorem succ_pos (n : Nat) : 0 < succ n := zero_lt_succ n
protected theorem zero_lt_one : 0 < (1 : Nat) := zero_lt_succ 0
theorem not_succ_le_zero (n : Nat) : ¬succ n ≤ 0 := fun h => nomatch h
@[simp] theorem not_lt_zero (n : Nat) : ¬n < 0 := not_succ_le_zero n
@[simp] theorem not_add_one_le_zero (n : Nat) : ¬n + 1 ≤ 0 := not_succ_le_zero n
theorem not_succ_le_self (n : Nat) : ¬succ n ≤ n := by
  induction n with
  | zero => exact not_succ_le_zero 0
  | succ n ih => exact fun h => ih (le_of_succ_le_succ h)
@[simp] theorem not_add_one_le_self (n : Nat) : ¬n + 1 ≤ n := not_succ_le_self n
@[simp] protected theorem lt_irrefl (n : Nat) : ¬n < n := not_succ_le_self n
protected theorem le_of_lt {n m : Nat} (h : n < m) : n ≤ m := Nat.le_trans (le_succ n) h
theorem le_of_succ_le {n m : Nat} (h : succ n ≤ m) : n ≤ m := Nat.le_of_lt h
theorem lt.step {n m : Nat} (h : n < m) : n < succ m := Nat.le.step h
theorem lt_succ_of_lt {n m : Nat} (h : n < m) : n < succ m := Nat.le.step h
theorem lt_add_one_of_lt {n m : Nat} (h : n < m) : n < m + 1 := Nat.le.step h
protected theorem lt_of_lt_of_le {n m k : Nat} (h₁ : n < m) (h₂ : m ≤ k) : n < k := Nat.le_trans h₁ h₂
protected theorem lt_of_le_of_lt {n m k : Nat} (h₁ : n ≤ m) (h₂ : m < k) : n < k :=
  Nat.le_trans (succ_le_succ h₁) h₂
protected theorem lt_trans {n m k : Nat} (h₁ : n < m) (h₂ : m < k) : n < k :=
  Nat.lt_of_lt_of_le h₁ (Nat.le_of_lt h₂)
protected theorem le_antisymm {n m : Nat} (h₁ : n ≤ m) (h₂ : m ≤ n) : n = m := by
  cases h₁ with
  | refl => rfl
  | step h => exact absurd (Nat.le_trans (succ_le_succ h) h₂) (not_succ_le_self _)
protected theorem le_antisymm_iff {n m : Nat} : n = m ↔ n ≤ m ∧ m ≤ n :=
  ⟨fun h => ⟨Nat.le_of_eq h, Nat.le_of_eq h.symm⟩, fun h => Nat.le_antisymm h.1 h.2⟩
protected theorem lt_asymm {n m : Nat} (h : n < m) : ¬m < n := fun k => Nat.lt_irrefl n (Nat.lt_trans h k)
theorem not_le_of_gt {n m : Nat} (h : m < n) : ¬n ≤ m := fun k => Nat.lt_irrefl m (Nat.lt_of_lt_of_le h k)
theorem not_le_of_lt {n m : Nat} (h : m < n) : ¬n ≤ m := not_le_of_gt h
theorem not_lt_of_ge {n m : Nat} (h : n ≤ m) : ¬m < n := fun k => Nat.lt_irrefl m (Nat.lt_of_lt_of_le k h)
theorem not_lt_of_le {n m : Nat} (h : n ≤ m) : ¬m < n := not_lt_of_ge h
protected theorem ne_of_lt {n m : Nat} (h : n < m) : n ≠ m := fun e => Nat.lt_irrefl m (e ▸ h)
protected theorem ne_of_gt {n m : Nat} (h : m < n) : n ≠ m := (Nat.ne_of_lt h).symm
protected theorem eq_or_lt_of_le {n m : Nat} (h : n ≤ m) : n = m ∨ n < m := by
  cases h with
  | refl => exact .inl rfl
  | step h => exact .inr (succ_le_succ h)
protected theorem lt_or_eq_of_le {n m : Nat} (h : n ≤ m) : n < m ∨ n = m := (Nat.eq_or_lt_of_le h).symm
protected theorem lt_of_le_of_ne {n m : Nat} (h : n ≤ m) (k : n ≠ m) : n < m :=
  (Nat.eq_or_lt_of_le h).resolve_left k
protected theorem lt_or_ge (n m : Nat) : n < m ∨ n ≥ m := by
  induction m with
  | zero => exact .inr (zero_le n)
  | succ m ih =>
    rcases ih with h | h
    · exact .inl (.step h)
    · exact (Nat.lt_or_eq_of_le h).elim .inr (fun h => .inl (h ▸ Nat.lt_add_one m))
protected theorem le_or_gt (n m : Nat) : n ≤ m ∨ m < n := (Nat.lt_or_ge m n).symm
protected theorem le_total (n m : Nat) : n ≤ m ∨ m ≤ n := (Nat.le_or_gt n m).imp id Nat.le_of_lt
protected theorem lt_trichotomy (n m : Nat) : n < m ∨ n = m ∨ m < n :=
  (Nat.lt_or_ge n m).imp id (fun h => (Nat.eq_or_lt_of_le h).imp Eq.symm id)
protected theorem lt_or_gt_of_ne {n m : Nat} (h : n ≠ m) : n < m ∨ m < n :=
  (Nat.lt_trichotomy n m).imp id (fun k => k.resolve_left h)
protected theorem ne_iff_lt_or_gt {n m : Nat} : n ≠ m ↔ n < m ∨ m < n :=
  ⟨Nat.lt_or_gt_of_ne, fun h => h.elim Nat.ne_of_lt Nat.ne_of_gt⟩
@[simp] protected theorem not_le {n m : Nat} : ¬n ≤ m ↔ m < n :=
  ⟨(Nat.le_or_gt n m).resolve_left, not_le_of_gt⟩
@[simp] protected theorem not_lt {n m : Nat} : ¬n < m ↔ m ≤ n :=
  ⟨(Nat.lt_or_ge n m).resolve_left, not_lt_of_ge⟩
protected theorem lt_of_not_le {n m : Nat} (h : ¬n ≤ m) : m < n := Nat.not_le.mp h
protected theorem lt_of_not_ge {n m : Nat} (h : ¬n ≥ m) : n < m := Nat.not_le.mp h
protected theorem le_of_not_lt {n m : Nat} (h : ¬n < m) : m ≤ n := Nat.not_lt.mp h
protected theorem le_of_not_le {n m : Nat} (h : ¬n ≤ m) : m ≤ n := Nat.le_of_lt (Nat.not_le.mp h)
protected theorem lt_iff_le_not_le {n m : Nat} : n < m ↔ n ≤ m ∧ ¬m ≤ n :=
  ⟨fun h => ⟨Nat.le_of_lt h, not_le_of_gt h⟩, fun h => Nat.not_le.mp h.2⟩
protected theorem lt_iff_le_and_ne {n m : Nat} : n < m ↔ n ≤ m ∧ n ≠ m :=
  ⟨fun h => ⟨Nat.le_of_lt h, Nat.ne_of_lt h⟩, fun h => Nat.lt_of_le_of_ne h.1 h.2⟩
protected theorem le_iff_lt_or_eq {n m : Nat} : n ≤ m ↔ n < m ∨ n = m :=
  ⟨Nat.lt_or_eq_of_le, fun h => h.elim Nat.le_of_lt Nat.le_of_eq⟩
theorem le_zero_eq (n : Nat) : (n ≤ 0) = (n = 0) :=
  propext ⟨fun h => Nat.le_antisymm h (zero_le n), Nat.le_of_eq⟩
@[simp] protected theorem le_zero {n : Nat} : n ≤ 0 ↔ n = 0 := Iff.of_eq (le_zero_eq n)
theorem eq_zero_of_le_zero {n : Nat} (h : n ≤ 0) : n = 0 := Nat.le_zero.mp h
protected theorem pos_of_ne_zero {n : Nat} (h : n ≠ 0) : 0 < n := Nat.lt_of_le_of_ne (zero_le n) h.symm
theorem ne_zero_of_lt {n m : Nat} (h : n < m) : m ≠ 0 := fun e => not_lt_zero n (e ▸ h)
theorem pos_of_lt {n m : Nat} (h : n < m) : 0 < m := Nat.pos_of_ne_zero (ne_zero_of_lt h)
protected theorem pos_iff_ne_zero {n : Nat} : 0 < n ↔ n ≠ 0 := ⟨ne_zero_of_lt, Nat.pos_of_ne_zero⟩
protected theorem eq_zero_or_pos (n : Nat) : n = 0 ∨ 0 < n := (Nat.eq_or_lt_of_le (zero_le n)).imp Eq.symm id
protected theorem eq_zero_of_not_pos {n : Nat} (h : ¬0 < n) : n = 0 := Nat.le_zero.mp (Nat.not_lt.mp h)
theorem lt_one_iff {n : Nat} : n < 1 ↔ n = 0 := lt_succ_iff.trans Nat.le_zero
theorem one_le_iff_ne_zero {n : Nat} : 1 ≤ n ↔ n ≠ 0 := Nat.pos_iff_ne_zero
theorem succ_pred_eq_of_pos {n : Nat} (h : 0 < n) : succ (pred n) = n := succ_pred (ne_zero_of_lt h)
theorem pred_le (n : Nat) : pred n ≤ n := by
  cases n with
  | zero => exact .refl
  | succ n => exact le_succ n
theorem pred_lt {n : Nat} (h : n ≠ 0) : pred n < n := by
  cases n with
  | zero => exact absurd rfl h
  | succ n => exact lt_succ_self n
theorem le_succ_iff {n m : Nat} : n ≤ succ m ↔ n ≤ m ∨ n = succ m :=
  ⟨fun h => (Nat.lt_or_eq_of_le h).imp le_of_lt_succ id, fun h => h.elim .step Nat.le_of_eq⟩
theorem le_add_one_iff {n m : Nat} : n ≤ m + 1 ↔ n ≤ m ∨ n = m + 1 := le_succ_iff
theorem lt_succ_iff_lt_or_eq {n m : Nat} : n < succ m ↔ n < m ∨ n = m := lt_succ_iff.trans Nat.le_iff_lt_or_eq
instance instTransLe : Trans (α := Nat) (β := Nat) (γ := Nat) (· ≤ ·) (· ≤ ·) (· ≤ ·) := ⟨Nat.le_trans⟩
instance instTransLt : Trans (α := Nat) (β := Nat) (γ := Nat) (· < ·) (· < ·) (· < ·) := ⟨Nat.lt_trans⟩
instance instTransLtLe : Trans (α := Nat) (β := Nat) (γ := Nat) (· < ·) (· ≤ ·) (· < ·) :=
  ⟨Nat.lt_of_lt_of_le⟩
instance instTransLeLt : Trans (α := Nat) (β := Nat) (γ := Nat) (· ≤ ·) (· < ·) (· < ·) :=
  ⟨Nat.lt_of_le_of_lt⟩

/-! ### Order is decidable -/

theorem ble_self_eq_true : (n : Nat) → ble n n = true
  | 0 => rfl
  | n + 1 => ble_self_eq_true n
theorem ble_succ_eq_true : {n m : Nat} → ble n m = true → ble n (succ m) = true
  | 0, _, _ => rfl
  | n + 1, m + 1, h => ble_succ_eq_true (n := n) (m := m) h
theorem ble_eq_true_of_le {n m : Nat} (h : n ≤ m) : ble n m = true := by
  induction h with
  | refl => exact ble_self_eq_true n
  | step _ ih => exact ble_succ_eq_true ih
theorem le_of_ble_eq_true : {n m : Nat} → ble n m = true → n ≤ m
  | 0, m, _ => zero_le m
  | n + 1, m + 1, h => succ_le_succ (le_of_ble_eq_true (n := n) (m := m) h)
@[simp] theorem ble_eq {n m : Nat} : (ble n m = true) = (n ≤ m) :=
  propext ⟨le_of_ble_eq_true, ble_eq_true_of_le⟩
@[simp] theorem beq_eq {n m : Nat} : (beq n m = true) = (n = m) :=
  propext ⟨eq_of_beq_eq_true n m, fun h => h ▸ beq_refl n⟩
@[extern "lean_nat_dec_le"]
instance decLe (n m : Nat) : Decidable (n ≤ m) :=
  if h : ble n m = true then isTrue (le_of_ble_eq_true h) else isFalse (fun h' => h (ble_eq_true_of_le h'))
@[extern "lean_nat_dec_lt"]
instance decLt (n m : Nat) : Decidable (n < m) := decLe (succ n) m
theorem forall_lt_succ {n : Nat} {p : Nat → Prop} : (∀ m, m < n + 1 → p m) ↔ (∀ m, m < n → p m) ∧ p n :=
  ⟨fun h => ⟨fun m hm => h m (.step hm), h n (Nat.lt_add_one n)⟩,
   fun ⟨h, k⟩ m hm => (Nat.lt_or_eq_of_le (le_of_lt_succ hm)).elim (h m) (fun e => e ▸ k)⟩
theorem exists_lt_succ {n : Nat} {p : Nat → Prop} : (∃ m, m < n + 1 ∧ p m) ↔ (∃ m, m < n ∧ p m) ∨ p n := by
  constructor
  · rintro ⟨m, hm, h⟩
    rcases Nat.lt_or_eq_of_le (le_of_lt_succ hm) with k | rfl
    · exact .inl ⟨m, k, h⟩
    · exact .inr h
  · rintro (⟨m, hm, h⟩ | h)
    · exact ⟨m, .step hm, h⟩
    · exact ⟨n, Nat.lt_add_one n, h⟩
instance decidableForallLT (p : Nat → Prop) [DecidablePred p] : (n : Nat) → Decidable (∀ m, m < n → p m)
  | 0 => isTrue fun m hm => absurd hm (not_lt_zero m)
  | n + 1 => have := decidableForallLT p n; decidable_of_iff _ forall_lt_succ.symm
instance decidableExistsLT (p : Nat → Prop) [DecidablePred p] : (n : Nat) → Decidable (∃ m, m < n ∧ p m)
  | 0 => isFalse fun ⟨m, hm, _⟩ => not_lt_zero m hm
  | n + 1 => have := decidableExistsLT p n; decidable_of_iff _ exists_lt_succ.symm
instance decidableForallLE (p : Nat → Prop) [DecidablePred p] (n : Nat) : Decidable (∀ m, m ≤ n → p m) :=
  decidable_of_iff (∀ m, m < n + 1 → p m) (forall_congr' fun _ => imp_congr_left lt_succ_iff)
instance decidableExistsLE (p : Nat → Prop) [DecidablePred p] (n : Nat) : Decidable (∃ m, m ≤ n ∧ p m) :=
  decidable_of_iff (∃ m, m < n + 1 ∧ p m) (exists_congr fun _ => and_congr_left' lt_succ_iff)

/-! ### Order and addition -/

@[simp] theorem le_add_right (n k : Nat) : n ≤ n + k := by
  induction k with
  | zero => exact .refl
  | succ k ih => exact .step ih
@[simp] theorem le_add_left (n k : Nat) : n ≤ k + n := Nat.add_comm n k ▸ le_add_right n k
theorem le_add_right_of_le {n m k : Nat} (h : n ≤ m) : n ≤ m + k := Nat.le_trans h (le_add_right m k)
theorem le_add_left_of_le {n m k : Nat} (h : n ≤ m) : n ≤ k + m := Nat.le_trans h (le_add_left m k)
theorem lt_add_left {n m : Nat} (k : Nat) (h : n < m) : n < k + m := Nat.lt_of_lt_of_le h (le_add_left m k)
theorem lt_add_right {n m : Nat} (k : Nat) (h : n < m) : n < m + k := Nat.lt_of_lt_of_le h (le_add_right m k)
theorem lt_add_of_pos_right {n k : Nat} (h : 0 < k) : n < n + k := by
  cases k with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ k => exact succ_le_succ (le_add_right n k)
theorem lt_add_of_pos_left {n k : Nat} (h : 0 < k) : n < k + n := Nat.add_comm n k ▸ lt_add_of_pos_right h
theorem le.dest {n m : Nat} (h : n ≤ m) : ∃ k, n + k = m := by
  induction h with
  | refl => exact ⟨0, rfl⟩
  | step _ ih => exact ih.elim fun k e => ⟨k + 1, congrArg succ e⟩
theorem le.intro {n m k : Nat} (h : n + k = m) : n ≤ m := h ▸ le_add_right n k
theorem exists_eq_add_of_le {n m : Nat} (h : n ≤ m) : ∃ k, m = n + k := (le.dest h).imp fun _ => Eq.symm
theorem exists_eq_add_of_le' {n m : Nat} (h : n ≤ m) : ∃ k, m = k + n :=
  (exists_eq_add_of_le h).imp fun k e => e.trans (Nat.add_comm n k)
theorem exists_eq_add_of_lt {n m : Nat} (h : n < m) : ∃ k, m = n + k + 1 :=
  (le.dest h).imp fun k e => e.symm.trans (succ_add n k)
theorem le_iff_exists_add {n m : Nat} : n ≤ m ↔ ∃ k, m = n + k :=
  ⟨exists_eq_add_of_le, fun ⟨_, h⟩ => le.intro h.symm⟩
protected theorem add_le_add_left {n m : Nat} (h : n ≤ m) (k : Nat) : k + n ≤ k + m := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [← Nat.add_assoc]; exact le_add_right _ d
protected theorem add_le_add_right {n m : Nat} (h : n ≤ m) (k : Nat) : n + k ≤ m + k := by
  rw [Nat.add_comm n, Nat.add_comm m]; exact Nat.add_le_add_left h k
protected theorem add_le_add {a b c d : Nat} (h₁ : a ≤ b) (h₂ : c ≤ d) : a + c ≤ b + d :=
  Nat.le_trans (Nat.add_le_add_right h₁ c) (Nat.add_le_add_left h₂ b)
protected theorem add_lt_add_left {n m : Nat} (h : n < m) (k : Nat) : k + n < k + m := Nat.add_le_add_left h k
protected theorem add_lt_add_right {n m : Nat} (h : n < m) (k : Nat) : n + k < m + k := by
  rw [Nat.add_comm n, Nat.add_comm m]; exact Nat.add_lt_add_left h k
protected theorem add_lt_add {a b c d : Nat} (h₁ : a < b) (h₂ : c < d) : a + c < b + d :=
  Nat.lt_trans (Nat.add_lt_add_right h₁ c) (Nat.add_lt_add_left h₂ b)
protected theorem add_lt_add_of_le_of_lt {a b c d : Nat} (h₁ : a ≤ b) (h₂ : c < d) : a + c < b + d :=
  Nat.lt_of_le_of_lt (Nat.add_le_add_right h₁ c) (Nat.add_lt_add_left h₂ b)
protected theorem add_lt_add_of_lt_of_le {a b c d : Nat} (h₁ : a < b) (h₂ : c ≤ d) : a + c < b + d :=
  Nat.lt_of_lt_of_le (Nat.add_lt_add_right h₁ c) (Nat.add_le_add_left h₂ b)
protected theorem le_of_add_le_add_left {k n m : Nat} (h : k + n ≤ k + m) : n ≤ m := by
  obtain ⟨d, hd⟩ := le.dest h
  rw [Nat.add_assoc] at hd
  exact le.intro (Nat.add_left_cancel hd)
protected theorem le_of_add_le_add_right {k n m : Nat} (h : n + k ≤ m + k) : n ≤ m := by
  rw [Nat.add_comm n, Nat.add_comm m] at h; exact Nat.le_of_add_le_add_left h
protected theorem lt_of_add_lt_add_left {k n m : Nat} (h : k + n < k + m) : n < m :=
  Nat.le_of_add_le_add_left h
protected theorem lt_of_add_lt_add_right {k n m : Nat} (h : n + k < m + k) : n < m := by
  rw [Nat.add_comm n, Nat.add_comm m] at h; exact Nat.lt_of_add_lt_add_left h
@[simp] protected theorem add_le_add_iff_left {k n m : Nat} : k + n ≤ k + m ↔ n ≤ m :=
  ⟨Nat.le_of_add_le_add_left, (Nat.add_le_add_left · k)⟩
@[simp] protected theorem add_le_add_iff_right {k n m : Nat} : n + k ≤ m + k ↔ n ≤ m :=
  ⟨Nat.le_of_add_le_add_right, (Nat.add_le_add_right · k)⟩
@[simp] protected theorem add_lt_add_iff_left {k n m : Nat} : k + n < k + m ↔ n < m :=
  ⟨Nat.lt_of_add_lt_add_left, (Nat.add_lt_add_left · k)⟩
@[simp] protected theorem add_lt_add_iff_right {k n m : Nat} : n + k < m + k ↔ n < m :=
  ⟨Nat.lt_of_add_lt_add_right, (Nat.add_lt_add_right · k)⟩
theorem le_of_add_right_le {n m k : Nat} (h : n + k ≤ m) : n ≤ m := Nat.le_trans (le_add_right n k) h
theorem le_of_add_left_le {n m k : Nat} (h : k + n ≤ m) : n ≤ m := Nat.le_trans (le_add_left n k) h
theorem add_pos_left {m : Nat} (h : 0 < m) (n : Nat) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_right m n)
theorem add_pos_right {n : Nat} (m : Nat) (h : 0 < n) : 0 < m + n := Nat.lt_of_lt_of_le h (le_add_left n m)
@[simp] protected theorem add_pos_iff_pos_or_pos {n m : Nat} : 0 < n + m ↔ 0 < n ∨ 0 < m := by
  constructor
  · intro h
    cases m with
    | zero => exact .inl h
    | succ m => exact .inr (zero_lt_succ m)
  · exact fun h => h.elim (add_pos_left · m) (add_pos_right n)

/-! ### Subtraction (cut off at zero) -/

@[simp] protected theorem sub_zero (n : Nat) : n - 0 = n := rfl
theorem sub_succ (n m : Nat) : n - succ m = pred (n - m) := rfl
theorem sub_one (n : Nat) : n - 1 = pred n := rfl
@[simp] theorem add_one_sub_one (n : Nat) : n + 1 - 1 = n := rfl
@[simp] theorem succ_sub_succ (n m : Nat) : succ n - succ m = n - m := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg pred ih
@[simp] protected theorem add_sub_add_right (n k m : Nat) : (n + k) - (m + k) = n - m := by
  induction k with
  | zero => rfl
  | succ k ih => exact (succ_sub_succ (n + k) (m + k)).trans ih
@[simp] protected theorem add_sub_add_left (k n m : Nat) : (k + n) - (k + m) = n - m := by
  rw [Nat.add_comm k n, Nat.add_comm k m, Nat.add_sub_add_right]
@[simp] protected theorem sub_self (n : Nat) : n - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact (succ_sub_succ n n).trans ih
@[simp] protected theorem zero_sub (n : Nat) : 0 - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg pred ih
@[simp] protected theorem add_sub_cancel (n m : Nat) : n + m - m = n := by
  have h := Nat.add_sub_add_right n m 0
  rw [Nat.zero_add] at h; exact h
@[simp] protected theorem add_sub_cancel_left (n m : Nat) : n + m - n = m := by
  rw [Nat.add_comm, Nat.add_sub_cancel]
protected theorem sub_add_cancel {n m : Nat} (h : m ≤ n) : n - m + m = n := by
  obtain ⟨k, rfl⟩ := le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm]
protected theorem add_sub_of_le {n m : Nat} (h : n ≤ m) : n + (m - n) = m := by
  rw [Nat.add_comm, Nat.sub_add_cancel h]
theorem sub_add_eq (a b c : Nat) : a - (b + c) = a - b - c := by
  induction c with
  | zero => rfl
  | succ c ih => exact congrArg pred ih
protected theorem sub_sub (a b c : Nat) : a - b - c = a - (b + c) := (sub_add_eq a b c).symm
protected theorem sub_right_comm (a b c : Nat) : a - b - c = a - c - b := by
  rw [Nat.sub_sub, Nat.sub_sub, Nat.add_comm b c]
theorem sub_eq_zero_of_le {n m : Nat} (h : n ≤ m) : n - m = 0 := by
  obtain ⟨k, rfl⟩ := le.dest h
  rw [sub_add_eq, Nat.sub_self, Nat.zero_sub]
protected theorem le_of_sub_eq_zero {n m : Nat} (h : n - m = 0) : n ≤ m := by
  rcases Nat.le_total n m with k | k
  · exact k
  · obtain ⟨d, rfl⟩ := le.dest k
    rw [Nat.add_sub_cancel_left] at h
    rw [h]; exact Nat.le_refl _
protected theorem sub_eq_zero_iff_le {n m : Nat} : n - m = 0 ↔ n ≤ m :=
  ⟨Nat.le_of_sub_eq_zero, sub_eq_zero_of_le⟩
@[simp] theorem sub_le (n m : Nat) : n - m ≤ n := by
  induction m with
  | zero => exact .refl
  | succ m ih => exact Nat.le_trans (pred_le (n - m)) ih
theorem sub_lt {n m : Nat} (hn : 0 < n) (hm : 0 < m) : n - m < n := by
  cases n with
  | zero => exact absurd hn (Nat.lt_irrefl 0)
  | succ n => cases m with
    | zero => exact absurd hm (Nat.lt_irrefl 0)
    | succ m => exact (Nat.add_sub_add_right n 1 m).symm ▸ succ_le_succ (sub_le n m)
theorem sub_pos_of_lt {n m : Nat} (h : n < m) : 0 < m - n :=
  Nat.pos_of_ne_zero fun e => not_le_of_gt h (Nat.le_of_sub_eq_zero e)
protected theorem lt_of_sub_pos {n m : Nat} (h : 0 < m - n) : n < m :=
  Nat.not_le.mp fun k => Nat.lt_irrefl 0 (sub_eq_zero_of_le k ▸ h)
protected theorem sub_pos_iff_lt {n m : Nat} : 0 < m - n ↔ n < m := ⟨Nat.lt_of_sub_pos, sub_pos_of_lt⟩
protected theorem sub_le_sub_right {n m : Nat} (h : n ≤ m) (k : Nat) : n - k ≤ m - k := by
  induction k with
  | zero => exact h
  | succ k ih => exact pred_le_pred ih
protected theorem sub_le_sub_left {n m : Nat} (h : n ≤ m) (k : Nat) : k - m ≤ k - n := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [sub_add_eq]; exact sub_le _ d
protected theorem le_sub_of_add_le {a b c : Nat} (h : a + b ≤ c) : a ≤ c - b := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [Nat.add_right_comm, Nat.add_sub_cancel]; exact le_add_right a d
protected theorem add_le_of_le_sub {a b c : Nat} (h : b ≤ c) (k : a ≤ c - b) : a + b ≤ c :=
  Nat.sub_add_cancel h ▸ Nat.add_le_add_right k b
protected theorem le_sub_iff_add_le {a b c : Nat} (h : b ≤ c) : a ≤ c - b ↔ a + b ≤ c :=
  ⟨Nat.add_le_of_le_sub h, Nat.le_sub_of_add_le⟩
protected theorem sub_le_iff_le_add {a b c : Nat} : a - b ≤ c ↔ a ≤ c + b := by
  rcases Nat.le_total a b with h | h
  · exact iff_of_true (sub_eq_zero_of_le h ▸ zero_le c) (Nat.le_trans h (le_add_left b c))
  · obtain ⟨d, rfl⟩ := le.dest h
    rw [Nat.add_sub_cancel_left, Nat.add_comm b d]; exact Nat.add_le_add_iff_right.symm
protected theorem sub_le_iff_le_add' {a b c : Nat} : a - b ≤ c ↔ a ≤ b + c := by
  rw [Nat.add_comm]; exact Nat.sub_le_iff_le_add
protected theorem sub_eq_iff_eq_add {a b c : Nat} (h : b ≤ a) : a - b = c ↔ a = c + b :=
  ⟨fun e => e ▸ (Nat.sub_add_cancel h).symm, fun e => by rw [e, Nat.add_sub_cancel]⟩
protected theorem sub_eq_of_eq_add {a b c : Nat} (h : a = c + b) : a - b = c := by rw [h, Nat.add_sub_cancel]
protected theorem eq_sub_of_add_eq {a b c : Nat} (h : a + b = c) : a = c - b :=
  (Nat.sub_eq_of_eq_add h.symm).symm
protected theorem add_sub_assoc {k n : Nat} (h : k ≤ n) (m : Nat) : m + n - k = m + (n - k) := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [Nat.add_left_comm, Nat.add_sub_cancel_left, Nat.add_sub_cancel_left]
protected theorem sub_add_comm {n m k : Nat} (h : k ≤ n) : n + m - k = n - k + m := by
  rw [Nat.add_comm n m, Nat.add_sub_assoc h, Nat.add_comm]
theorem succ_sub {n m : Nat} (h : n ≤ m) : succ m - n = succ (m - n) := by
  rw [← one_add, Nat.add_sub_assoc h, one_add]
theorem succ_sub_one (n : Nat) : succ n - 1 = n := rfl
protected theorem sub_one_add_one {n : Nat} (h : n ≠ 0) : n - 1 + 1 = n := succ_pred h
theorem le_sub_one_of_lt {n m : Nat} (h : n < m) : n ≤ m - 1 := Nat.le_sub_of_add_le h
theorem sub_one_lt {n : Nat} (h : n ≠ 0) : n - 1 < n := pred_lt h
theorem sub_one_le (n : Nat) : n - 1 ≤ n := pred_le n
protected theorem mul_sub_one (n m : Nat) : n * (m - 1) = n * m - n := by
  cases m with
  | zero => rw [Nat.mul_zero, Nat.zero_sub]
  | succ m => exact (Nat.add_sub_cancel (n * m) n).symm
protected theorem mul_sub (k n m : Nat) : k * (n - m) = k * n - k * m := by
  induction m with
  | zero => rfl
  | succ m ih => rw [sub_add_eq, mul_add_one, sub_add_eq, Nat.mul_sub_one, ih]
protected theorem sub_mul (n m k : Nat) : (n - m) * k = n * k - m * k := by
  rw [Nat.mul_comm, Nat.mul_sub, Nat.mul_comm k n, Nat.mul_comm k m]
protected theorem sub_sub_self {n m : Nat} (h : m ≤ n) : n - (n - m) = m :=
  Nat.sub_eq_of_eq_add (Nat.add_sub_of_le h).symm

/-! ### Strong induction -/

/-- `motive n` from `motive m` for all `m < n`; use it as `induction n using Nat.strongRecOn with | ind n ih
=> ..`. -/
@[elab_as_elim] protected noncomputable def strongRecOn {motive : Nat → Sort u} (n : Nat)
    (ind : ∀ n, (∀ m, m < n → motive m) → motive n) : motive n :=
  ind n (Nat.rec (motive := fun n => ∀ m, m < n → motive m) (fun m hm => absurd hm (not_lt_zero m))
    (fun _ ih m hm => ind m fun k hk => ih k (Nat.lt_of_lt_of_le hk (le_of_lt_succ hm))) n)
@[elab_as_elim] protected theorem strong_induction_on {p : Nat → Prop} (n : Nat)
    (h : ∀ n, (∀ m, m < n → p m) → p n) : p n := Nat.strongRecOn n h
@[elab_as_elim] theorem le_induction {m : Nat} {P : ∀ n, m ≤ n → Prop} (base : P m (Nat.le_refl m))
    (succ : ∀ n (h : m ≤ n), P n h → P (n + 1) (le_succ_of_le h)) : ∀ n (h : m ≤ n), P n h := by
  intro n h
  induction h with
  | refl => exact base
  | step h ih => exact succ _ h ih
@[elab_as_elim] theorem two_step_induction {P : Nat → Prop} (zero : P 0) (one : P 1)
    (more : ∀ n, P n → P (n + 1) → P (n + 2)) : ∀ n, P n := by
  intro n
  have both : P n ∧ P (n + 1) := by
    induction n with
    | zero => exact ⟨zero, one⟩
    | succ n ih => exact ⟨ih.2, more n ih.1 ih.2⟩
  exact both.1
end Nat
