prelude
import Core.Quotation
set_option autoImplicit false
set_option linter.all false

/-! # Bool -/

namespace Bool
variable {a b c : Bool}
@[simp] theorem false_and (b : Bool) : (false && b) = false := rfl
@[simp] theorem true_and (b : Bool) : (true && b) = b := rfl
@[simp] theorem and_false (b : Bool) : (b && false) = false := by cases b <;> rfl
@[simp] theorem and_true (b : Bool) : (b && true) = b := by cases b <;> rfl
@[simp] theorem and_self (b : Bool) : (b && b) = b := by cases b <;> rfl
@[simp] theorem and_not_self (b : Bool) : (b && !b) = false := by cases b <;> rfl
@[simp] theorem not_and_self (b : Bool) : (!b && b) = false := by cases b <;> rfl
@[simp] theorem false_or (b : Bool) : (false || b) = b := rfl
@[simp] theorem true_or (b : Bool) : (true || b) = true := rfl
@[simp] theorem or_false (b : Bool) : (b || false) = b := by cases b <;> rfl
@[simp] theorem or_true (b : Bool) : (b || true) = true := by cases b <;> rfl
@[simp] theorem or_self (b : Bool) : (b || b) = b := by cases b <;> rfl
@[simp] theorem or_not_self (b : Bool) : (b || !b) = true := by cases b <;> rfl
@[simp] theorem not_or_self (b : Bool) : (!b || b) = true := by cases b <;> rfl
@[simp] theorem not_true : (!true) = false := rfl
@[simp] theorem not_false : (!false) = true := rfl
@[simp] theorem not_not (b : Bool) : (!!b) = b := by cases b <;> rfl
@[simp] theorem not_and (a b : Bool) : (!(a && b)) = (!a || !b) := by cases a <;> rfl
@[simp] theorem not_or (a b : Bool) : (!(a || b)) = (!a && !b) := by cases a <;> rfl
theorem and_comm (a b : Bool) : (a && b) = (b && a) := by cases a <;> cases b <;> rfl
theorem and_assoc (a b c : Bool) : (a && b && c) = (a && (b && c)) := by cases a <;> rfl
theorem and_left_comm (a b c : Bool) : (a && (b && c)) = (b && (a && c)) := by cases a <;> cases b <;> rfl
theorem or_comm (a b : Bool) : (a || b) = (b || a) := by cases a <;> cases b <;> rfl
theorem or_assoc (a b c : Bool) : (a || b || c) = (a || (b || c)) := by cases a <;> rfl
theorem or_left_comm (a b c : Bool) : (a || (b || c)) = (b || (a || c)) := by cases a <;> cases b <;> rfl
theorem and_or_distrib_left (a b c : Bool) : (a && (b || c)) = (a && b || a && c) := by cases a <;> rfl
theorem and_or_distrib_right (a b c : Bool) : ((a || b) && c) = (a && c || b && c) := by
  cases a <;> cases b <;> cases c <;> rfl
theorem or_and_distrib_left (a b c : Bool) : (a || b && c) = ((a || b) && (a || c)) := by cases a <;> rfl
theorem or_and_distrib_right (a b c : Bool) : (a && b || c) = ((a || c) && (b || c)) := by
  cases a <;> cases b <;> cases c <;> rfl
@[simp] theorem xor_false (b : Bool) : (b ^^ false) = b := by cases b <;> rfl
@[simp] theorem false_xor (b : Bool) : (false ^^ b) = b := rfl
@[simp] theorem xor_true (b : Bool) : (b ^^ true) = !b := by cases b <;> rfl
@[simp] theorem true_xor (b : Bool) : (true ^^ b) = !b := rfl
@[simp] theorem xor_self (b : Bool) : (b ^^ b) = false := by cases b <;> rfl
theorem xor_comm (a b : Bool) : (a ^^ b) = (b ^^ a) := by cases a <;> cases b <;> rfl
theorem xor_assoc (a b c : Bool) : ((a ^^ b) ^^ c) = (a ^^ (b ^^ c)) :=
  by cases a <;> cases b <;> cases c <;> rfl
@[simp] theorem and_eq_true (a b : Bool) : ((a && b) = true) = (a = true ∧ b = true) := by
  cases a <;> cases b <;> simp
@[simp] theorem or_eq_true (a b : Bool) : ((a || b) = true) = (a = true ∨ b = true) := by
  cases a <;> cases b <;> simp
theorem and_eq_true_iff : (a && b) = true ↔ a = true ∧ b = true := by simp
theorem or_eq_true_iff : (a || b) = true ↔ a = true ∨ b = true := by simp
@[simp] theorem and_eq_false_iff : (a && b) = false ↔ a = false ∨ b = false := by cases a <;> cases b <;> simp
@[simp] theorem or_eq_false_iff : (a || b) = false ↔ a = false ∧ b = false := by cases a <;> cases b <;> simp
@[simp] theorem not_eq_true' (b : Bool) : ((!b) = true) = (b = false) := by cases b <;> simp
@[simp] theorem not_eq_false' (b : Bool) : ((!b) = false) = (b = true) := by cases b <;> simp
@[simp] theorem not_eq_true (b : Bool) : (¬b = true) = (b = false) := by cases b <;> simp
@[simp] theorem not_eq_false (b : Bool) : (¬b = false) = (b = true) := by cases b <;> simp
theorem eq_false_of_ne_true (h : b ≠ true) : b = false := by cases b <;> simp at h <;> rfl
theorem eq_true_of_ne_false (h : b ≠ false) : b = true := by cases b <;> simp at h <;> rfl
theorem eq_false_or_eq_true (b : Bool) : b = true ∨ b = false := by cases b <;> simp
theorem false_ne_true : false ≠ true := fun h => nomatch h
theorem not_inj (h : (!a) = !b) : a = b := by cases a <;> cases b <;> first | rfl | cases h
@[simp] theorem not_beq_self (b : Bool) : ((!b) == b) = false := by cases b <;> rfl
theorem eq_iff_iff : a = b ↔ (a = true ↔ b = true) := by cases a <;> cases b <;> simp
protected theorem «forall» {p : Bool → Prop} : (∀ b, p b) ↔ p false ∧ p true :=
  ⟨fun h => ⟨h false, h true⟩, fun h b => match b with | false => h.1 | true => h.2⟩
protected theorem «exists» {p : Bool → Prop} : (∃ b, p b) ↔ p false ∨ p true :=
  ⟨fun ⟨b, h⟩ => match b, h with | false, h => .inl h | true, h => .inr h,
   fun h => h.elim (⟨false, ·⟩) (⟨true, ·⟩)⟩
end Bool

theorem Bool.false_eq_true : (false = true) = False := eq_false Bool.false_ne_true
theorem Bool.true_eq_false : (true = false) = False := eq_false (fun h => Bool.false_ne_true h.symm)
attribute [simp] Bool.false_eq_true Bool.true_eq_false
@[simp] theorem decide_and (p q : Prop) [Decidable p] [Decidable q] :
    decide (p ∧ q) = (decide p && decide q) := by
  by_cases p <;> by_cases q <;> simp [*]
@[simp] theorem decide_or (p q : Prop) [Decidable p] [Decidable q] :
    decide (p ∨ q) = (decide p || decide q) := by
  by_cases p <;> by_cases q <;> simp [*]
instance instDecidableForallBool {p : Bool → Prop} [DecidablePred p] : Decidable (∀ b, p b) :=
  decidable_of_iff _ Bool.forall.symm
instance instDecidableExistsBool {p : Bool → Prop} [DecidablePred p] : Decidable (∃ b, p b) :=
  decidable_of_iff _ Bool.exists.symm
