prelude
import Core
set_option autoImplicit false

/-! One use or more of each group of lemmas, in Mathlib's names and statement shapes; must pass without a message. -/

universe u v
section Logic
variable {a b c : Prop} {α : Type u} {p : α → Prop}
example : (a → b) ↔ (¬b → ¬a) := not_imp_not.symm
example : ¬(a ∧ b) ↔ ¬a ∨ ¬b := not_and_or
example : ¬(a ∨ b) ↔ ¬a ∧ ¬b := not_or
example : a ∧ (b ∨ c) ↔ a ∧ b ∨ a ∧ c := and_or_left
example : (¬∀ x, p x) ↔ ∃ x, ¬p x := by simp
example : (∃ x, p x ∧ a) ↔ (∃ x, p x) ∧ a := exists_and_right
example (h : ¬¬a) : a := not_not.mp h
example : ((a → b) → a) → a := Classical.peirce a b
end Logic
section Naturals
variable (a b c d n m k : Nat)
example : a * (b + c) = a * b + a * c := Nat.mul_add a b c
example (h : a ≤ b) (h' : c ≤ d) : a + c ≤ b + d := Nat.add_le_add h h'
example (h : a < b) (h' : b ≤ c) : a < c := Nat.lt_of_lt_of_le h h'
example (h : k ≤ n) : n - k + k = n := Nat.sub_add_cancel h
example : n + m - m = n := by simp
example (h : 0 < k) (h' : n * k ≤ m * k) : n ≤ m := Nat.le_of_mul_le_mul_right h' h
example : (a * b) ^ n = a ^ n * b ^ n := Nat.mul_pow a b n
example : max a b = max b a := Nat.max_comm a b
example : n % 2 = 0 ∨ n % 2 = 1 := Nat.mod_two_eq_zero_or_one n
example : m * (n / m) + n % m = n := Nat.div_add_mod n m
example (h : a ∣ b) (h' : a ∣ c) : a ∣ b + c := Nat.dvd_add h h'
example : 17 / 5 = 3 ∧ 17 % 5 = 2 ∧ 17 / 0 = 0 ∧ 17 % 0 = 17 := by decide
example : 123456789 * 987654321 = 121932631112635269 := by decide
example (h : a + 5 = b + 2) : a + 3 = b := by simpa using h
example (h : a + 7 ≤ b + 5) : a + 2 ≤ b := by simpa using h
example (h : a + 7 = 4) : False := by simp at h
example : a + 9 - (b + 7) = a + 2 - b ∧ (a + 9 == 7) = false ∧ 5 ≤ a + 7 := by simp
end Naturals
section Booleans
variable (a b c : Bool)
example : (!(a && b)) = (!a || !b) := by simp
example : (a ^^ b) = (b ^^ a) := Bool.xor_comm a b
example (h : (a && b) = true) : a = true := by simp at h; exact h.1
end Booleans
section Data
variable {α : Type u} {β : Type v}
example (x : α × β) : x.swap.swap = x := by simp
example (x : Option α) (f : α → α) (h : ∀ a, f a = a) : x.map f = x := by cases x <;> simp [h]
example (a b : α) (h : some a = some b) : a = b := Option.some.inj h
example (f : α → β) (x : Sum α α) : Sum.elim f f x.swap = Sum.elim f f x := by cases x <;> rfl
example (p : α → Prop) (x y : {a // p a}) (h : x.val = y.val) : x = y := Subtype.ext h
end Data
section Lists
variable {α : Type u} {β : Type v} (xs ys : List α) (f : α → β)
example : (xs ++ ys).reverse = ys.reverse ++ xs.reverse := by simp
example : (xs.map f).length = xs.length := by simp
example (x : α) : x ∈ xs ++ ys ↔ x ∈ ys ++ xs := by simp [or_comm]
example (n : Nat) : xs.take n ++ xs.drop n = xs := List.take_append_drop n xs
example (p : α → Bool) : (xs.filter p).length ≤ xs.length := List.length_filter_le p xs
example : [3, 1, 2].reverse = [2, 1, 3] ∧ [1, 2, 3].sum = 6 ∧ 2 ∈ [1, 2] := by decide
end Lists
section Functions
variable {α : Type u} {β : Type u} {γ : Type u} (f : α → β) (g : β → γ)
open Function
example (hf : Injective f) (hg : Injective g) : Injective (g ∘ f) := hg.comp hf
example (h : Surjective (g ∘ f)) : Surjective g := h.of_comp
example : id ∘ f ∘ id = f := by simp
example (k : β → α) (h : LeftInverse k f) : Injective f := h.injective
end Functions
section Sets
variable {α : Type u} (s t w : Set α)
example : s ∩ (t ∪ w) = s ∩ t ∪ s ∩ w := Set.inter_union_distrib_left s t w
example : (s ∪ t)ᶜ = sᶜ ∩ tᶜ := by ext x; simp
example (h : s ⊆ t) (k : t ⊆ w) : s ⊆ w := Set.Subset.trans h k
example : s ∩ t ⊆ s := fun _ hx => hx.1
example (f : α → α) : f '' (f ⁻¹' s) ⊆ s := Set.image_preimage_subset f s
example : 3 ∈ {x : Nat | x < 5} ∧ 4 ∈ ({3, 4} : Set Nat) := by simp
end Sets
section Groups
variable {G : Type u} [Group G] (a b c : G)
example : (a * b)⁻¹ * a = b⁻¹ := by simp
example (h : a * b = a * c) : b = c := mul_left_cancel h
example (h : a * b = 1) : b = a⁻¹ := (inv_eq_of_mul_eq_one_right h).symm
example {M : Type u} [CommMonoid M] (x y z : M) : x * y * z = z * y * x := by
  rw [mul_comm x y, mul_comm (y * x), mul_comm y, ← mul_assoc, mul_assoc, mul_comm x y, ← mul_assoc]
example (h : ∀ a : G, a * a = 1) : a * b = b * a := mul_comm_of_mul_self_eq_one h a b
end Groups
