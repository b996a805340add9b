prelude
import Core.Nat
set_option autoImplicit false
set_option linter.all false

/-!
# Lemmas of the built-in simplification procedures on Nat

`simp` moves numerals across `=`, `≤` and `-` (`x + 5 = y + 2` becomes `x + 3 = y`) and justifies each step
by one of these, looked up by name; names and order of arguments are those of Init.Data.Nat.Simproc.
-/

namespace Nat.Simproc
theorem add_eq_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b = c) = False :=
  eq_false fun e => Nat.not_le_of_gt h (e ▸ Nat.le_add_left b a)
theorem eq_add_gt {a : Nat} (b : Nat) {c : Nat} (h : c > a) : (a = b + c) = False :=
  eq_false fun e => Nat.not_le_of_gt h (e.symm ▸ Nat.le_add_left c b)
theorem add_eq_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b = c) = (a = c - b) :=
  propext ⟨Nat.eq_sub_of_add_eq, fun e => e ▸ Nat.sub_add_cancel h⟩
theorem eq_add_le {a : Nat} (b : Nat) {c : Nat} (h : c ≤ a) : (a = b + c) = (b = a - c) :=
  propext ⟨fun e => Nat.eq_sub_of_add_eq e.symm, fun e => e ▸ (Nat.sub_add_cancel h).symm⟩
theorem add_eq_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b = c + d) = (a = c + (d - b)) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc]
  exact propext Nat.add_right_cancel_iff
theorem add_eq_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b = c + d) = (a + (b - d) = c) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc]
  exact propext Nat.add_right_cancel_iff
theorem add_le_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : (a + b ≤ c + d) = (a ≤ c + (d - b)) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc]
  exact propext Nat.add_le_add_iff_right
theorem add_le_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : (a + b ≤ c + d) = (a + (b - d) ≤ c) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc]
  exact propext Nat.add_le_add_iff_right
theorem add_le_le (a : Nat) {b c : Nat} (h : b ≤ c) : (a + b ≤ c) = (a ≤ c - b) :=
  propext (Nat.le_sub_iff_add_le h).symm
theorem add_le_gt (a : Nat) {b c : Nat} (h : b > c) : (a + b ≤ c) = False :=
  eq_false fun k => Nat.not_le_of_gt h (Nat.le_trans (Nat.le_add_left b a) k)
theorem le_add_le (a : Nat) {b c : Nat} (h : a ≤ c) : (a ≤ b + c) = True :=
  eq_true (Nat.le_trans h (Nat.le_add_left c b))
theorem le_add_ge (a : Nat) {b c : Nat} (h : a ≥ c) : (a ≤ b + c) = (a - c ≤ b) :=
  propext Nat.sub_le_iff_le_add.symm
theorem add_sub_add_le (a c : Nat) {b d : Nat} (h : b ≤ d) : a + b - (c + d) = a - (c + (d - b)) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm b k, ← Nat.add_assoc, Nat.add_sub_add_right]
theorem add_sub_add_ge (a c : Nat) {b d : Nat} (h : b ≥ d) : a + b - (c + d) = a + (b - d) - c := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm d k, ← Nat.add_assoc, Nat.add_sub_add_right]
theorem add_sub_le (a : Nat) {b c : Nat} (h : b ≤ c) : a + b - c = a - (c - b) := by
  obtain ⟨k, rfl⟩ := Nat.le.dest h
  rw [Nat.add_sub_cancel_left, Nat.add_comm b k, Nat.add_sub_add_right]
theorem beqEqOfEqEq {a b c d : Nat} (p : (a = b) = (c = d)) : (a == b) = (c == d) :=
  Bool.eq_iff_iff.mpr (beq_iff_eq.trans ((Iff.of_eq p).trans beq_iff_eq.symm))
theorem beqFalseOfEqFalse {a b : Nat} (p : (a = b) = False) : (a == b) = false :=
  Bool.eq_false_of_ne_true fun h => of_eq_false p (eq_of_beq h)
theorem bneEqOfEqEq {a b c d : Nat} (p : (a = b) = (c = d)) : (a != b) = (c != d) :=
  congrArg Bool.not (beqEqOfEqEq p)
theorem bneTrueOfEqFalse {a b : Nat} (p : (a = b) = False) : (a != b) = true :=
  congrArg Bool.not (beqFalseOfEqFalse p)
end Nat.Simproc
