prelude
import Core.Reserved
set_option autoImplicit false
set_option linter.all false

/-!
# Logic without axioms: coercions, connectives, equality

Names and statements are those of Init.Core, Init.PropLemmas and Mathlib.
-/

universe u v w u₁ u₂ v₁ v₂

/-! ### Coercions

Lean inserts `CoeT`; the other classes chain up to it, as in Init.Coe. -/
class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeOTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeHTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeDep (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β
attribute [coe_decl] Coe.coe CoeTC.coe CoeOut.coe CoeOTC.coe CoeHead.coe CoeTail.coe CoeHTC.coe CoeHTCT.coe
  CoeDep.coe CoeT.coe CoeFun.coe CoeSort.coe
section
variable {α : Sort u} {β : Sort v} {γ : Sort w}
instance instCoeTC [Coe β γ] [CoeTC α β] : CoeTC α γ := ⟨fun a => Coe.coe (CoeTC.coe a : β)⟩
instance instCoeTC_1 [Coe α β] : CoeTC α β := ⟨fun a => Coe.coe a⟩
instance instCoeTC_2 : CoeTC α α := ⟨fun a => a⟩
instance instCoeOTC [CoeOut α β] [CoeOTC β γ] : CoeOTC α γ := ⟨fun a => CoeOTC.coe (CoeOut.coe a : β)⟩
instance instCoeOTC_1 [CoeTC α β] : CoeOTC α β := ⟨fun a => CoeTC.coe a⟩
instance instCoeOTC_2 : CoeOTC α α := ⟨fun a => a⟩
instance instCoeHTC [CoeHead α β] [CoeOTC β γ] : CoeHTC α γ := ⟨fun a => CoeOTC.coe (CoeHead.coe a : β)⟩
instance instCoeHTC_1 [CoeOTC α β] : CoeHTC α β := ⟨fun a => CoeOTC.coe a⟩
instance instCoeHTC_2 : CoeHTC α α := ⟨fun a => a⟩
instance instCoeHTCT [CoeTail β γ] [CoeHTC α β] : CoeHTCT α γ := ⟨fun a => CoeTail.coe (CoeHTC.coe a : β)⟩
instance instCoeHTCT_1 [CoeHTC α β] : CoeHTCT α β := ⟨fun a => CoeHTC.coe a⟩
instance instCoeHTCT_2 : CoeHTCT α α := ⟨fun a => a⟩
instance instCoeT {a : α} [CoeDep α a β] : CoeT α a β := ⟨CoeDep.coe a⟩
instance instCoeT_1 {a : α} [CoeHTCT α β] : CoeT α a β := ⟨CoeHTCT.coe a⟩
instance instCoeT_2 {a : α} : CoeT α a α := ⟨a⟩
end

instance boolToProp : Coe Bool Prop := ⟨fun b => b = true⟩
instance boolToSort : CoeSort Bool Prop := ⟨fun b => b = true⟩
instance subtypeCoe {α : Sort u} {p : α → Prop} : CoeOut (Subtype p) α := ⟨fun x => x.val⟩
instance optionCoe {α : Type u} : Coe α (Option α) := ⟨some⟩
instance instOfNatZero {α : Type u} [Zero α] : OfNat α (nat_lit 0) := ⟨Zero.zero⟩
instance instOfNatOne {α : Type u} [One α] : OfNat α (nat_lit 1) := ⟨One.one⟩
attribute [instance 200] instOfNatZero instOfNatOne

/-! ### Equality -/

section
variable {α β γ : Sort u} {a a' b c : α}
@[macro_inline] def Eq.mp (h : α = β) (a : α) : β := h ▸ a
@[macro_inline] def Eq.mpr (h : α = β) (b : β) : α := h ▸ b
theorem Eq.congr_left (h : a = b) : a = c ↔ b = c := ⟨fun e => h ▸ e, fun e => h ▸ e⟩
theorem Eq.congr_right (h : a = b) : c = a ↔ c = b := ⟨fun e => h ▸ e, fun e => h ▸ e⟩
theorem eq_comm : a = b ↔ b = a := ⟨Eq.symm, Eq.symm⟩
theorem ne_of_eq_of_ne (h₁ : a = b) (h₂ : b ≠ c) : a ≠ c := h₁.symm ▸ h₂
theorem ne_of_ne_of_eq (h₁ : a ≠ b) (h₂ : b = c) : a ≠ c := h₂ ▸ h₁
theorem Ne.intro (h : a = b → False) : a ≠ b := h
theorem Ne.elim (h : a ≠ b) : a = b → False := h
theorem Ne.irrefl (h : a ≠ a) : False := h rfl
theorem Ne.symm (h : a ≠ b) : b ≠ a := fun e => h e.symm
theorem ne_comm : a ≠ b ↔ b ≠ a := ⟨Ne.symm, Ne.symm⟩
theorem ne_of_apply_ne {δ : Sort v} (f : α → δ) (h : f a ≠ f b) : a ≠ b := fun e => h (congrArg f e)
theorem HEq.symm {b : β} (h : HEq a b) : HEq b a := by cases h; exact HEq.refl a
theorem HEq.trans {b : β} {c : γ} (h₁ : HEq a b) (h₂ : HEq b c) : HEq a c := by cases h₁; exact h₂
theorem HEq.eq (h : HEq a a') : a = a' := eq_of_heq h
theorem Eq.heq (h : a = a') : HEq a a' := heq_of_eq h
theorem type_eq_of_heq {b : β} (h : HEq a b) : α = β := by cases h; rfl
theorem cast_heq (h : α = β) (a : α) : HEq (cast h a) a := by cases h; exact HEq.refl a
theorem cast_eq (h : α = α) (a : α) : cast h a = a := rfl
theorem cast_cast (h : α = β) (h' : β = γ) (a : α) : cast h' (cast h a) = cast (h.trans h') a := by
  cases h; cases h'; rfl
theorem eqRec_heq {φ : α → Sort v} (h : a = a') (p : φ a) :
    HEq (Eq.rec (motive := fun x _ => φ x) p h) p := by cases h; exact HEq.refl p
theorem congrArg₂ {δ : Sort v} {ε : Sort w} (f : α → δ → ε) {x y : δ} (h : a = b) (k : x = y) :
    f a x = f b y := by
  rw [h, k]
theorem id_eq (a : α) : id a = a := rfl
end

/-! ### Connectives -/

section
variable {a b c d e f p q r : Prop}

theorem trivial : True := True.intro
theorem not_false : ¬False := id
theorem mt (h₁ : a → b) (h₂ : ¬b) : ¬a := fun ha => h₂ (h₁ ha)
abbrev Not.elim {α : Sort u} (h : ¬a) (ha : a) : α := absurd ha h
theorem Not.intro (h : a → False) : ¬a := h
theorem Not.imp (h : ¬b) (f : a → b) : ¬a := mt f h
theorem not_not_intro (h : a) : ¬¬a := fun hn => hn h
theorem not_not_not : ¬¬¬a ↔ ¬a := ⟨fun h ha => h (not_not_intro ha), not_not_intro⟩
theorem not_not_em (a : Prop) : ¬¬(a ∨ ¬a) := fun h => h (.inr fun ha => h (.inl ha))
theorem imp_intro (h : a) : b → a := fun _ => h
theorem imp_trans (h₁ : a → b) (h₂ : b → c) : a → c := h₂ ∘ h₁

theorem Iff.refl (a : Prop) : a ↔ a := ⟨id, id⟩
theorem Iff.rfl : a ↔ a := Iff.refl a
theorem Iff.symm (h : a ↔ b) : b ↔ a := ⟨h.mpr, h.mp⟩
theorem Iff.trans (h₁ : a ↔ b) (h₂ : b ↔ c) : a ↔ c := ⟨h₂.mp ∘ h₁.mp, h₁.mpr ∘ h₂.mpr⟩
theorem Iff.of_eq (h : a = b) : a ↔ b := h ▸ Iff.rfl
theorem Iff.elim (h : (a → b) → (b → a) → c) (i : a ↔ b) : c := h i.mp i.mpr
theorem iff_of_true (ha : a) (hb : b) : a ↔ b := ⟨fun _ => hb, fun _ => ha⟩
theorem iff_of_false (ha : ¬a) (hb : ¬b) : a ↔ b := ⟨fun h => absurd h ha, fun h => absurd h hb⟩
theorem iff_comm : (a ↔ b) ↔ (b ↔ a) := ⟨Iff.symm, Iff.symm⟩
theorem Iff.comm : (a ↔ b) ↔ (b ↔ a) := iff_comm
theorem iff_def : (a ↔ b) ↔ (a → b) ∧ (b → a) := ⟨fun h => ⟨h.mp, h.mpr⟩, fun h => ⟨h.1, h.2⟩⟩
theorem iff_def' : (a ↔ b) ↔ (b → a) ∧ (a → b) := ⟨fun h => ⟨h.mpr, h.mp⟩, fun h => ⟨h.2, h.1⟩⟩
theorem not_iff_not_of_iff (h : a ↔ b) : ¬a ↔ ¬b := ⟨mt h.mpr, mt h.mp⟩
theorem not_congr (h : a ↔ b) : ¬a ↔ ¬b := not_iff_not_of_iff h
theorem imp_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a → b) ↔ (c → d) :=
  ⟨fun h hc => h₂.mp (h (h₁.mpr hc)), fun h ha => h₂.mpr (h (h₁.mp ha))⟩
theorem imp_congr_left (h : a ↔ b) : (a → c) ↔ (b → c) := imp_congr h Iff.rfl
theorem imp_congr_right (h : a → (b ↔ c)) : (a → b) ↔ (a → c) :=
  ⟨fun hab ha => (h ha).mp (hab ha), fun hac ha => (h ha).mpr (hac ha)⟩
theorem iff_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : (a ↔ b) ↔ (c ↔ d) :=
  ⟨fun h => h₁.symm.trans (h.trans h₂), fun h => h₁.trans (h.trans h₂.symm)⟩
theorem imp_false : (a → False) ↔ ¬a := Iff.rfl
theorem imp_iff_right (ha : a) : (a → b) ↔ b := ⟨fun h => h ha, fun h _ => h⟩
theorem imp_not_comm : (a → ¬b) ↔ (b → ¬a) := ⟨fun h hb ha => h ha hb, fun h ha hb => h hb ha⟩
theorem imp.swap : (a → b → c) ↔ (b → a → c) := ⟨fun h hb ha => h ha hb, fun h ha hb => h hb ha⟩
theorem forall_self_imp (a : Prop) (b : a → Prop) : (∀ h : a, a → b h) ↔ ∀ h, b h :=
  ⟨fun h ha => h ha ha, fun h ha _ => h ha⟩

theorem And.elim (f : a → b → c) (h : a ∧ b) : c := f h.1 h.2
theorem And.symm (h : a ∧ b) : b ∧ a := ⟨h.2, h.1⟩
theorem And.imp (f : a → c) (g : b → d) (h : a ∧ b) : c ∧ d := ⟨f h.1, g h.2⟩
theorem And.imp_left (f : a → b) (h : a ∧ c) : b ∧ c := ⟨f h.1, h.2⟩
theorem And.imp_right (f : a → b) (h : c ∧ a) : c ∧ b := ⟨h.1, f h.2⟩
theorem and_comm : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem And.comm : a ∧ b ↔ b ∧ a := and_comm
theorem and_assoc : (a ∧ b) ∧ c ↔ a ∧ (b ∧ c) := ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨x, y, z⟩, fun ⟨x, y, z⟩ => ⟨⟨x, y⟩, z⟩⟩
theorem and_left_comm : a ∧ (b ∧ c) ↔ b ∧ (a ∧ c) := ⟨fun ⟨x, y, z⟩ => ⟨y, x, z⟩, fun ⟨y, x, z⟩ => ⟨x, y, z⟩⟩
theorem and_right_comm : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b :=
  ⟨fun ⟨⟨x, y⟩, z⟩ => ⟨⟨x, z⟩, y⟩, fun ⟨⟨x, z⟩, y⟩ => ⟨⟨x, y⟩, z⟩⟩
theorem and_rotate : a ∧ b ∧ c ↔ b ∧ c ∧ a := ⟨fun ⟨x, y, z⟩ => ⟨y, z, x⟩, fun ⟨y, z, x⟩ => ⟨x, y, z⟩⟩
theorem and_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : a ∧ b ↔ c ∧ d := ⟨And.imp h₁.mp h₂.mp, And.imp h₁.mpr h₂.mpr⟩
theorem and_congr_left' (h : a ↔ b) : a ∧ c ↔ b ∧ c := and_congr h Iff.rfl
theorem and_congr_right' (h : b ↔ c) : a ∧ b ↔ a ∧ c := and_congr Iff.rfl h
theorem and_congr_left (h : c → (a ↔ b)) : a ∧ c ↔ b ∧ c :=
  ⟨fun ⟨x, y⟩ => ⟨(h y).mp x, y⟩, fun ⟨x, y⟩ => ⟨(h y).mpr x, y⟩⟩
theorem and_congr_right (h : a → (b ↔ c)) : a ∧ b ↔ a ∧ c :=
  ⟨fun ⟨x, y⟩ => ⟨x, (h x).mp y⟩, fun ⟨x, y⟩ => ⟨x, (h x).mpr y⟩⟩
theorem and_iff_left (hb : b) : a ∧ b ↔ a := ⟨And.left, fun ha => ⟨ha, hb⟩⟩
theorem and_iff_right (ha : a) : a ∧ b ↔ b := ⟨And.right, fun hb => ⟨ha, hb⟩⟩
theorem and_iff_left_of_imp (h : a → b) : a ∧ b ↔ a := ⟨And.left, fun ha => ⟨ha, h ha⟩⟩
theorem and_iff_right_of_imp (h : b → a) : a ∧ b ↔ b := ⟨And.right, fun hb => ⟨h hb, hb⟩⟩
theorem and_imp : (a ∧ b → c) ↔ (a → b → c) := ⟨fun h ha hb => h ⟨ha, hb⟩, fun h ⟨ha, hb⟩ => h ha hb⟩
theorem imp_and : (a → b ∧ c) ↔ (a → b) ∧ (a → c) :=
  ⟨fun h => ⟨fun ha => (h ha).1, fun ha => (h ha).2⟩, fun h ha => ⟨h.1 ha, h.2 ha⟩⟩
theorem not_and : ¬(a ∧ b) ↔ (a → ¬b) := and_imp
theorem not_and' : ¬(a ∧ b) ↔ (b → ¬a) := not_and.trans imp_not_comm
theorem not_and_of_not_left (b : Prop) (h : ¬a) : ¬(a ∧ b) := mt And.left h
theorem not_and_of_not_right (a : Prop) {b : Prop} (h : ¬b) : ¬(a ∧ b) := mt And.right h
theorem not_and_of_not_or_not (h : ¬a ∨ ¬b) : ¬(a ∧ b) := fun ⟨x, y⟩ =>
  match h with
  | .inl h => h x
  | .inr h => h y
theorem and_not_self : ¬(a ∧ ¬a) := fun ⟨x, y⟩ => y x
theorem not_and_self : ¬(¬a ∧ a) := fun ⟨x, y⟩ => x y

theorem Or.elim (h : a ∨ b) (left : a → c) (right : b → c) : c :=
  match h with
  | .inl h => left h
  | .inr h => right h
theorem Or.symm (h : a ∨ b) : b ∨ a := h.elim .inr .inl
theorem Or.imp (f : a → c) (g : b → d) (h : a ∨ b) : c ∨ d := h.elim (.inl ∘ f) (.inr ∘ g)
theorem Or.imp_left (f : a → b) (h : a ∨ c) : b ∨ c := h.imp f id
theorem Or.imp_right (f : b → c) (h : a ∨ b) : a ∨ c := h.imp id f
theorem Or.resolve_left (h : a ∨ b) (na : ¬a) : b := h.elim (absurd · na) id
theorem Or.resolve_right (h : a ∨ b) (nb : ¬b) : a := h.elim id (absurd · nb)
theorem Or.neg_resolve_left (h : ¬a ∨ b) (ha : a) : b := h.elim (absurd ha ·) id
theorem or_comm : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem Or.comm : a ∨ b ↔ b ∨ a := or_comm
theorem or_assoc : (a ∨ b) ∨ c ↔ a ∨ (b ∨ c) :=
  ⟨fun h => h.elim (Or.imp_right .inl) (.inr ∘ .inr), fun h => h.elim (.inl ∘ .inl) (Or.imp_left .inr)⟩
theorem or_left_comm : a ∨ (b ∨ c) ↔ b ∨ (a ∨ c) :=
  or_assoc.symm.trans (Iff.trans ⟨Or.imp_left Or.symm, Or.imp_left Or.symm⟩ or_assoc)
theorem or_congr (h₁ : a ↔ c) (h₂ : b ↔ d) : a ∨ b ↔ c ∨ d := ⟨Or.imp h₁.mp h₂.mp, Or.imp h₁.mpr h₂.mpr⟩
theorem or_congr_left (h : a ↔ b) : a ∨ c ↔ b ∨ c := or_congr h Iff.rfl
theorem or_congr_right (h : b ↔ c) : a ∨ b ↔ a ∨ c := or_congr Iff.rfl h
theorem or_right_comm : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b :=
  or_assoc.trans ((or_congr_right or_comm).trans or_assoc.symm)
theorem or_imp : (a ∨ b → c) ↔ (a → c) ∧ (b → c) :=
  ⟨fun h => ⟨h ∘ .inl, h ∘ .inr⟩, fun ⟨f, g⟩ h => h.elim f g⟩
theorem not_or : ¬(a ∨ b) ↔ ¬a ∧ ¬b := or_imp
theorem not_or_intro (ha : ¬a) (hb : ¬b) : ¬(a ∨ b) := fun h => h.elim ha hb
theorem or_iff_left_of_imp (h : b → a) : a ∨ b ↔ a := ⟨fun hab => hab.elim id h, .inl⟩
theorem or_iff_right_of_imp (h : a → b) : a ∨ b ↔ b := ⟨fun hab => hab.elim h id, .inr⟩
theorem or_iff_left (h : ¬b) : a ∨ b ↔ a := or_iff_left_of_imp (absurd · h)
theorem or_iff_right (h : ¬a) : a ∨ b ↔ b := or_iff_right_of_imp (absurd · h)
theorem and_or_left : a ∧ (b ∨ c) ↔ (a ∧ b) ∨ (a ∧ c) :=
  ⟨fun ⟨ha, h⟩ => h.imp (⟨ha, ·⟩) (⟨ha, ·⟩), fun h => h.elim (And.imp_right .inl) (And.imp_right .inr)⟩
theorem or_and_right : (a ∨ b) ∧ c ↔ (a ∧ c) ∨ (b ∧ c) :=
  ⟨fun ⟨h, hc⟩ => h.imp (⟨·, hc⟩) (⟨·, hc⟩), fun h => h.elim (And.imp_left .inl) (And.imp_left .inr)⟩
theorem or_and_left : a ∨ (b ∧ c) ↔ (a ∨ b) ∧ (a ∨ c) :=
  ⟨fun h => h.elim (fun ha => ⟨.inl ha, .inl ha⟩) (And.imp .inr .inr),
   fun ⟨h, k⟩ => h.elim .inl (fun hb => k.elim .inl (fun hc => .inr ⟨hb, hc⟩))⟩
theorem and_or_right : (a ∧ b) ∨ c ↔ (a ∨ c) ∧ (b ∨ c) :=
  or_comm.trans (or_and_left.trans (and_congr or_comm or_comm))
theorem not_imp_of_and_not : a ∧ ¬b → ¬(a → b) := fun ⟨ha, hb⟩ h => hb (h ha)
end

/-! ### Quantifiers -/

section
variable {α : Sort u} {β : Sort v} {p q : α → Prop} {b : Prop}
theorem Exists.elim (h₁ : ∃ x, p x) (h₂ : ∀ a, p a → b) : b :=
  match h₁ with
  | ⟨a, h⟩ => h₂ a h
theorem Exists.imp (h : ∀ a, p a → q a) : (∃ a, p a) → ∃ a, q a
  | ⟨a, ha⟩ => ⟨a, h a ha⟩
theorem exists_imp : ((∃ x, p x) → b) ↔ ∀ x, p x → b := ⟨fun h x hx => h ⟨x, hx⟩, fun h ⟨x, hx⟩ => h x hx⟩
theorem exists_congr (h : ∀ a, p a ↔ q a) : (∃ a, p a) ↔ ∃ a, q a :=
  ⟨Exists.imp fun a => (h a).mp, Exists.imp fun a => (h a).mpr⟩
theorem forall_congr' (h : ∀ a, p a ↔ q a) : (∀ a, p a) ↔ ∀ a, q a :=
  ⟨fun H a => (h a).mp (H a), fun H a => (h a).mpr (H a)⟩
theorem forall_imp (h : ∀ a, p a → q a) : (∀ a, p a) → ∀ a, q a := fun H a => h a (H a)
theorem not_exists : (¬∃ x, p x) ↔ ∀ x, ¬p x := exists_imp
theorem not_forall_of_exists_not : (∃ x, ¬p x) → ¬∀ x, p x
  | ⟨x, hx⟩, h => hx (h x)
theorem not_exists_of_forall_not (h : ∀ x, ¬p x) : ¬∃ x, p x := not_exists.mpr h
theorem forall_and : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x) :=
  ⟨fun h => ⟨fun x => (h x).1, fun x => (h x).2⟩, fun h x => ⟨h.1 x, h.2 x⟩⟩
theorem exists_or : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x :=
  ⟨fun ⟨x, h⟩ => h.imp (⟨x, ·⟩) (⟨x, ·⟩),
   fun h => h.elim (Exists.imp fun _ => .inl) (Exists.imp fun _ => .inr)⟩
theorem exists_and_left : (∃ x, b ∧ p x) ↔ b ∧ ∃ x, p x :=
  ⟨fun ⟨x, h, hx⟩ => ⟨h, x, hx⟩, fun ⟨h, x, hx⟩ => ⟨x, h, hx⟩⟩
theorem exists_and_right : (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b :=
  ⟨fun ⟨x, hx, h⟩ => ⟨⟨x, hx⟩, h⟩, fun ⟨⟨x, hx⟩, h⟩ => ⟨x, hx, h⟩⟩
theorem exists_prop {a b : Prop} : (∃ _ : a, b) ↔ a ∧ b := ⟨fun ⟨h, k⟩ => ⟨h, k⟩, fun ⟨h, k⟩ => ⟨h, k⟩⟩
theorem exists_comm {p : α → β → Prop} : (∃ a b, p a b) ↔ ∃ b a, p a b :=
  ⟨fun ⟨a, b, h⟩ => ⟨b, a, h⟩, fun ⟨b, a, h⟩ => ⟨a, b, h⟩⟩
theorem forall_comm {p : α → β → Prop} : (∀ a b, p a b) ↔ ∀ b a, p a b :=
  ⟨fun h b a => h a b, fun h a b => h b a⟩
theorem forall_const (α : Sort u) [h : Nonempty α] : (α → b) ↔ b :=
  ⟨fun f => match h with | ⟨x⟩ => f x, fun hb _ => hb⟩
theorem exists_const (α : Sort u) [h : Nonempty α] : (∃ _ : α, b) ↔ b :=
  ⟨fun ⟨_, hb⟩ => hb, fun hb => match h with | ⟨x⟩ => ⟨x, hb⟩⟩
theorem forall_eq {a' : α} : (∀ a, a = a' → p a) ↔ p a' := ⟨fun h => h a' rfl, fun h _ e => e ▸ h⟩
theorem forall_eq' {a' : α} : (∀ a, a' = a → p a) ↔ p a' := ⟨fun h => h a' rfl, fun h _ e => e ▸ h⟩
theorem exists_eq {a' : α} : ∃ a, a = a' := ⟨a', rfl⟩
theorem exists_eq' {a' : α} : ∃ a, a' = a := ⟨a', rfl⟩
theorem exists_eq_left {a' : α} : (∃ a, a = a' ∧ p a) ↔ p a' :=
  ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨a', rfl, h⟩⟩
theorem exists_eq_right {a' : α} : (∃ a, p a ∧ a = a') ↔ p a' :=
  ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨a', h, rfl⟩⟩
theorem exists_eq_left' {a' : α} : (∃ a, a' = a ∧ p a) ↔ p a' :=
  ⟨fun ⟨_, e, h⟩ => e ▸ h, fun h => ⟨a', rfl, h⟩⟩
theorem exists_eq_right' {a' : α} : (∃ a, p a ∧ a' = a) ↔ p a' :=
  ⟨fun ⟨_, h, e⟩ => e ▸ h, fun h => ⟨a', h, rfl⟩⟩
theorem exists_true_iff_nonempty : (∃ _ : α, True) ↔ Nonempty α :=
  ⟨fun ⟨x, _⟩ => ⟨x⟩, fun ⟨x⟩ => ⟨x, trivial⟩⟩
theorem nonempty_of_exists : (∃ x, p x) → Nonempty α
  | ⟨x, _⟩ => ⟨x⟩
def ExistsUnique (p : α → Prop) : Prop := ∃ x, p x ∧ ∀ y, p y → y = x
theorem ExistsUnique.intro (w : α) (h₁ : p w) (h₂ : ∀ y, p y → y = w) : ExistsUnique p := ⟨w, h₁, h₂⟩
theorem ExistsUnique.exists : ExistsUnique p → ∃ x, p x
  | ⟨x, h, _⟩ => ⟨x, h⟩
theorem ExistsUnique.unique {a b : α} : ExistsUnique p → p a → p b → a = b
  | ⟨_, _, h⟩, ha, hb => (h a ha).trans (h b hb).symm
end

attribute [refl] Iff.refl
attribute [symm] Eq.symm Iff.symm HEq.symm Ne.symm

/-! ### Chains of `calc` -/

class Trans {α : Sort u₁} {β : Sort u₂} {γ : Sort v₁} (r : α → β → Sort u) (s : β → γ → Sort v)
    (t : outParam (α → γ → Sort w)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c
instance instTransEq {α : Sort u₁} {γ : Sort u₂} (r : α → γ → Sort u) : Trans Eq r r := ⟨fun h r' => h ▸ r'⟩
instance instTransEq_1 {α : Sort u₁} {β : Sort u₂} (r : α → β → Sort u) : Trans r Eq r := ⟨fun r' h => h ▸ r'⟩
instance instTransIff : Trans Iff Iff Iff := ⟨Iff.trans⟩
