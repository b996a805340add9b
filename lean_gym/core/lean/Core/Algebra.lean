prelude
import Core.NatMore
import Core.Function
set_option autoImplicit false
set_option linter.all false

/-!
# Monoids, groups, rings' additive halves, orders

Classes, fields and lemma names are Mathlib's, without its `npow`, `nsmul` and the like.
-/

universe u v

/-! ### Multiplicative -/

class Semigroup (G : Type u) extends Mul G where
  protected mul_assoc : ∀ a b c : G, a * b * c = a * (b * c)
class CommMagma (G : Type u) extends Mul G where
  protected mul_comm : ∀ a b : G, a * b = b * a
class MulOneClass (M : Type u) extends One M, Mul M where
  protected one_mul : ∀ a : M, 1 * a = a
  protected mul_one : ∀ a : M, a * 1 = a
class Monoid (M : Type u) extends Semigroup M, MulOneClass M
class CommSemigroup (G : Type u) extends Semigroup G, CommMagma G
class CommMonoid (M : Type u) extends Monoid M, CommSemigroup M
class Group (G : Type u) extends Monoid G, Inv G where
  protected inv_mul_cancel : ∀ a : G, a⁻¹ * a = 1
class CommGroup (G : Type u) extends Group G, CommMonoid G

section
variable {G : Type u}
theorem mul_assoc [Semigroup G] (a b c : G) : a * b * c = a * (b * c) := Semigroup.mul_assoc a b c
theorem mul_comm [CommMagma G] (a b : G) : a * b = b * a := CommMagma.mul_comm a b
@[simp] theorem one_mul [MulOneClass G] (a : G) : 1 * a = a := MulOneClass.one_mul a
@[simp] theorem mul_one [MulOneClass G] (a : G) : a * 1 = a := MulOneClass.mul_one a
theorem mul_left_comm [CommSemigroup G] (a b c : G) : a * (b * c) = b * (a * c) := by
  rw [← mul_assoc, mul_comm a b, mul_assoc]
theorem mul_right_comm [CommSemigroup G] (a b c : G) : a * b * c = a * c * b := by
  rw [mul_assoc, mul_comm b c, mul_assoc]
theorem mul_mul_mul_comm [CommSemigroup G] (a b c d : G) : a * b * (c * d) = a * c * (b * d) := by
  rw [mul_assoc, mul_assoc, mul_left_comm b c d]
theorem mul_rotate [CommSemigroup G] (a b c : G) : a * b * c = b * c * a := by
  rw [mul_assoc, mul_comm]
theorem eq_one_of_mul_left_id [MulOneClass G] {e : G} (h : ∀ a : G, e * a = a) : e = 1 := by
  rw [← mul_one e]; exact h 1
theorem left_inv_eq_right_inv [Monoid G] {a b c : G} (hba : b * a = 1) (hac : a * c = 1) : b = c := by
  rw [← one_mul c, ← hba, mul_assoc, hac, mul_one]
end

section
variable {G : Type u} [Group G] {a b c d : G}
@[simp] theorem inv_mul_cancel (a : G) : a⁻¹ * a = 1 := Group.inv_mul_cancel a
@[simp] theorem inv_mul_cancel_left (a b : G) : a⁻¹ * (a * b) = b := by
  rw [← mul_assoc, inv_mul_cancel, one_mul]
theorem inv_eq_of_mul_eq_one_right (h : a * b = 1) : a⁻¹ = b := left_inv_eq_right_inv (inv_mul_cancel a) h
@[simp] theorem mul_inv_cancel (a : G) : a * a⁻¹ = 1 := by
  have h : a⁻¹⁻¹ = a := inv_eq_of_mul_eq_one_right (inv_mul_cancel a)
  have k := inv_mul_cancel a⁻¹
  rw [h] at k; exact k
@[simp] theorem inv_inv (a : G) : a⁻¹⁻¹ = a := inv_eq_of_mul_eq_one_right (inv_mul_cancel a)
@[simp] theorem mul_inv_cancel_left (a b : G) : a * (a⁻¹ * b) = b := by
  rw [← mul_assoc, mul_inv_cancel, one_mul]
@[simp] theorem mul_inv_cancel_right (a b : G) : a * b * b⁻¹ = a := by
  rw [mul_assoc, mul_inv_cancel, mul_one]
@[simp] theorem inv_mul_cancel_right (a b : G) : a * b⁻¹ * b = a := by
  rw [mul_assoc, inv_mul_cancel, mul_one]
theorem mul_left_cancel (h : a * b = a * c) : b = c := by
  rw [← inv_mul_cancel_left a b, h, inv_mul_cancel_left]
theorem mul_right_cancel (h : a * b = c * b) : a = c := by
  rw [← mul_inv_cancel_right a b, h, mul_inv_cancel_right]
@[simp] theorem mul_left_cancel_iff : a * b = a * c ↔ b = c := ⟨mul_left_cancel, congrArg (a * ·)⟩
@[simp] theorem mul_right_cancel_iff : b * a = c * a ↔ b = c := ⟨mul_right_cancel, congrArg (· * a)⟩
theorem mul_right_inj (a : G) {b c : G} : a * b = a * c ↔ b = c := mul_left_cancel_iff
theorem mul_left_inj (a : G) {b c : G} : b * a = c * a ↔ b = c := mul_right_cancel_iff
theorem mul_right_injective (a : G) : Function.Injective (a * ·) := fun _ _ => mul_left_cancel
theorem mul_left_injective (a : G) : Function.Injective (· * a) := fun _ _ => mul_right_cancel
@[simp] theorem mul_inv_rev (a b : G) : (a * b)⁻¹ = b⁻¹ * a⁻¹ := inv_eq_of_mul_eq_one_right (by
  rw [mul_assoc, mul_inv_cancel_left, mul_inv_cancel])
@[simp] theorem inv_one : (1 : G)⁻¹ = 1 := inv_eq_of_mul_eq_one_right (mul_one 1)
theorem inv_injective : Function.Injective (fun a : G => a⁻¹) := Function.LeftInverse.injective inv_inv
@[simp] theorem inv_inj : a⁻¹ = b⁻¹ ↔ a = b := ⟨@inv_injective G _ a b, congrArg (·⁻¹)⟩
@[simp] theorem inv_eq_one : a⁻¹ = 1 ↔ a = 1 :=
  ⟨fun h => by rw [← inv_inv a, h, inv_one], fun h => by rw [h, inv_one]⟩
theorem inv_eq_iff_eq_inv : a⁻¹ = b ↔ a = b⁻¹ :=
  ⟨fun h => by rw [← h, inv_inv], fun h => by rw [h, inv_inv]⟩
theorem eq_inv_of_mul_eq_one_left (h : a * b = 1) : a = b⁻¹ :=
  (inv_eq_iff_eq_inv.mp (inv_eq_of_mul_eq_one_right h))
theorem eq_mul_inv_iff_mul_eq : a = b * c⁻¹ ↔ a * c = b :=
  ⟨fun h => by rw [h, inv_mul_cancel_right], fun h => by rw [← h, mul_inv_cancel_right]⟩
theorem eq_inv_mul_iff_mul_eq : a = b⁻¹ * c ↔ b * a = c :=
  ⟨fun h => by rw [h, mul_inv_cancel_left], fun h => by rw [← h, inv_mul_cancel_left]⟩
theorem inv_mul_eq_iff_eq_mul : a⁻¹ * b = c ↔ b = a * c :=
  ⟨fun h => by rw [← h, mul_inv_cancel_left], fun h => by rw [h, inv_mul_cancel_left]⟩
theorem mul_inv_eq_iff_eq_mul : a * b⁻¹ = c ↔ a = c * b :=
  ⟨fun h => by rw [← h, inv_mul_cancel_right], fun h => by rw [h, mul_inv_cancel_right]⟩
theorem mul_eq_one_iff_eq_inv : a * b = 1 ↔ a = b⁻¹ :=
  ⟨eq_inv_of_mul_eq_one_left, fun h => by rw [h, inv_mul_cancel]⟩
@[simp] theorem mul_eq_left : a * b = a ↔ b = 1 :=
  ⟨fun h => mul_left_cancel (h.trans (mul_one a).symm), fun h => by rw [h, mul_one]⟩
@[simp] theorem mul_eq_right : a * b = b ↔ a = 1 :=
  ⟨fun h => mul_right_cancel (h.trans (one_mul b).symm), fun h => by rw [h, one_mul]⟩
theorem eq_one_of_mul_self_eq_self (h : a * a = a) : a = 1 := mul_eq_left.mp h
/-- A group in which every element is its own inverse is commutative. -/
theorem mul_comm_of_mul_self_eq_one (h : ∀ a : G, a * a = 1) (a b : G) : a * b = b * a := by
  have inv : ∀ a : G, a⁻¹ = a := fun a => inv_eq_of_mul_eq_one_right (h a)
  rw [← inv (a * b), mul_inv_rev, inv, inv]
end
theorem mul_inv {G : Type u} [CommGroup G] (a b : G) : (a * b)⁻¹ = a⁻¹ * b⁻¹ := by
  rw [mul_inv_rev, mul_comm]

/-! ### Additive -/

class AddSemigroup (G : Type u) extends Add G where
  protected add_assoc : ∀ a b c : G, a + b + c = a + (b + c)
class AddCommMagma (G : Type u) extends Add G where
  protected add_comm : ∀ a b : G, a + b = b + a
class AddZeroClass (M : Type u) extends Zero M, Add M where
  protected zero_add : ∀ a : M, 0 + a = a
  protected add_zero : ∀ a : M, a + 0 = a
class AddMonoid (M : Type u) extends AddSemigroup M, AddZeroClass M
class AddCommSemigroup (G : Type u) extends AddSemigroup G, AddCommMagma G
class AddCommMonoid (M : Type u) extends AddMonoid M, AddCommSemigroup M
class AddGroup (G : Type u) extends AddMonoid G, Neg G where
  protected neg_add_cancel : ∀ a : G, -a + a = 0
class AddCommGroup (G : Type u) extends AddGroup G, AddCommMonoid G

section
variable {G : Type u}
theorem add_assoc [AddSemigroup G] (a b c : G) : a + b + c = a + (b + c) := AddSemigroup.add_assoc a b c
theorem add_comm [AddCommMagma G] (a b : G) : a + b = b + a := AddCommMagma.add_comm a b
@[simp] theorem zero_add [AddZeroClass G] (a : G) : 0 + a = a := AddZeroClass.zero_add a
@[simp] theorem add_zero [AddZeroClass G] (a : G) : a + 0 = a := AddZeroClass.add_zero a
theorem add_left_comm [AddCommSemigroup G] (a b c : G) : a + (b + c) = b + (a + c) := by
  rw [← add_assoc, add_comm a b, add_assoc]
theorem add_right_comm [AddCommSemigroup G] (a b c : G) : a + b + c = a + c + b := by
  rw [add_assoc, add_comm b c, add_assoc]
theorem add_add_add_comm [AddCommSemigroup G] (a b c d : G) : a + b + (c + d) = a + c + (b + d) := by
  rw [add_assoc, add_assoc, add_left_comm b c d]
variable [AddGroup G] {a b c : G}
@[simp] theorem neg_add_cancel (a : G) : -a + a = 0 := AddGroup.neg_add_cancel a
@[simp] theorem neg_add_cancel_left (a b : G) : -a + (a + b) = b := by
  rw [← add_assoc, neg_add_cancel, zero_add]
theorem neg_eq_of_add_eq_zero_right (h : a + b = 0) : -a = b := by
  rw [← add_zero (-a), ← h, neg_add_cancel_left]
@[simp] theorem neg_neg (a : G) : - -a = a := neg_eq_of_add_eq_zero_right (neg_add_cancel a)
@[simp] theorem add_neg_cancel (a : G) : a + -a = 0 := by
  have k := neg_add_cancel (-a)
  rw [neg_neg] at k; exact k
@[simp] theorem add_neg_cancel_left (a b : G) : a + (-a + b) = b := by
  rw [← add_assoc, add_neg_cancel, zero_add]
@[simp] theorem add_neg_cancel_right (a b : G) : a + b + -b = a := by
  rw [add_assoc, add_neg_cancel, add_zero]
theorem add_left_cancel (h : a + b = a + c) : b = c := by
  rw [← neg_add_cancel_left a b, h, neg_add_cancel_left]
theorem add_right_cancel (h : a + b = c + b) : a = c := by
  rw [← add_neg_cancel_right a b, h, add_neg_cancel_right]
@[simp] theorem neg_zero : -(0 : G) = 0 := neg_eq_of_add_eq_zero_right (add_zero 0)
@[simp] theorem neg_add_rev (a b : G) : -(a + b) = -b + -a := neg_eq_of_add_eq_zero_right (by
  rw [add_assoc, add_neg_cancel_left, add_neg_cancel])
end

/-! ### Homomorphisms, as predicates -/

/-- `f` keeps multiplication. -/
def IsMulHom {M : Type u} {N : Type v} [Mul M] [Mul N] (f : M → N) : Prop := ∀ x y, f (x * y) = f x * f y
theorem IsMulHom.map_one {G : Type u} {H : Type v} [Group G] [Group H] {f : G → H} (hf : IsMulHom f) :
    f 1 = 1 := by
  apply eq_one_of_mul_self_eq_self
  rw [← hf, mul_one]
theorem IsMulHom.map_inv {G : Type u} {H : Type v} [Group G] [Group H] {f : G → H} (hf : IsMulHom f) (a : G) :
    f a⁻¹ = (f a)⁻¹ := by
  apply eq_inv_of_mul_eq_one_left
  rw [← hf, inv_mul_cancel, hf.map_one]

/-! ### Nat as an instance -/

instance Nat.instCommMonoid : CommMonoid Nat where
  mul_assoc := Nat.mul_assoc
  one := 1
  one_mul := Nat.one_mul
  mul_one := Nat.mul_one
  mul_comm := Nat.mul_comm
instance Nat.instAddCommMonoid : AddCommMonoid Nat where
  add_assoc := Nat.add_assoc
  zero := 0
  zero_add := Nat.zero_add
  add_zero := Nat.add_zero
  add_comm := Nat.add_comm
