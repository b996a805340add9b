prelude
import Core.Logic
set_option autoImplicit false
set_option linter.all false

/-!
# Lean's three axioms, function extensionality, decidable propositions, classical logic
-/

universe u v w

/-! ### The axioms -/

/-- Equivalent propositions are equal. -/
axiom propext {a b : Prop} : (a ↔ b) → a = b
/-- Related elements are equal in the quotient. -/
axiom Quot.sound {α : Sort u} {r : α → α → Prop} {a b : α} : r a b → Quot.mk r a = Quot.mk r b
/-- An element of a type that has one. -/
axiom Classical.choice {α : Sort u} : Nonempty α → α

theorem funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, f x = g x) : f = g := by
  let eqv (f g : (x : α) → β x) := ∀ x, f x = g x
  let apply (f : Quot eqv) (x : α) : β x := Quot.lift (fun (f : (x : α) → β x) => f x) (fun _ _ h => h x) f
  show apply (Quot.mk eqv f) = apply (Quot.mk eqv g)
  exact congrArg apply (Quot.sound h)
attribute [ext] funext

protected theorem Quot.ind' {α : Sort u} {r : α → α → Prop} {p : Quot r → Prop} (h : ∀ a, p (Quot.mk r a))
    (q : Quot r) : p q := Quot.ind h q
theorem Quot.exists_rep {α : Sort u} {r : α → α → Prop} (q : Quot r) : ∃ a, Quot.mk r a = q :=
  Quot.ind (β := fun q => ∃ a, Quot.mk r a = q) (fun a => ⟨a, rfl⟩) q

theorem eq_true {p : Prop} (h : p) : p = True := propext ⟨fun _ => trivial, fun _ => h⟩
theorem eq_false {p : Prop} (h : ¬p) : p = False := propext ⟨h, False.elim⟩
theorem eq_false' {p : Prop} (h : p → False) : p = False := eq_false h
theorem of_eq_true {p : Prop} (h : p = True) : p := h ▸ trivial
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun hp => h ▸ hp
theorem iff_iff_eq {a b : Prop} : (a ↔ b) ↔ a = b := ⟨propext, Iff.of_eq⟩
theorem eq_iff_iff {a b : Prop} : (a = b) ↔ (a ↔ b) := ⟨Iff.of_eq, propext⟩
theorem proof_irrel {a : Prop} (h₁ h₂ : a) : h₁ = h₂ := rfl
theorem proof_irrel_heq {p q : Prop} (hp : p) (hq : q) : HEq hp hq := by
  cases propext (iff_of_true hp hq); exact HEq.refl hp

class inductive Subsingleton (α : Sort u) : Prop where
  | intro (allEq : (a b : α) → a = b) : Subsingleton α
theorem Subsingleton.elim {α : Sort u} [h : Subsingleton α] (a b : α) : a = b :=
  match h with
  | ⟨h⟩ => h a b
theorem Subsingleton.helim {α β : Sort u} [h₁ : Subsingleton α] (h₂ : α = β) (a : α) (b : β) : HEq a b := by
  subst h₂; exact heq_of_eq (Subsingleton.elim a b)
instance instSubsingletonProp (p : Prop) : Subsingleton p := ⟨fun _ _ => rfl⟩
instance instSubsingletonPUnit : Subsingleton PUnit := ⟨fun _ _ => rfl⟩
instance instSubsingletonEmpty : Subsingleton Empty := ⟨fun x _ => nomatch x⟩
instance instSubsingletonDecidable (p : Prop) : Subsingleton (Decidable p) :=
  ⟨fun
    | isTrue _, isTrue _ => rfl
    | isFalse _, isFalse _ => rfl
    | isTrue h, isFalse h' => absurd h h'
    | isFalse h', isTrue h => absurd h h'⟩

/-! ### Decidable propositions -/

section
variable {p q : Prop}
theorem of_decide_eq_true [inst : Decidable p] (h : decide p = true) : p := by
  cases inst with
  | isTrue h' => exact h'
  | isFalse _ => nomatch h
theorem of_decide_eq_false [inst : Decidable p] (h : decide p = false) : ¬p := by
  cases inst with
  | isTrue _ => nomatch h
  | isFalse h' => exact h'
theorem decide_eq_true [inst : Decidable p] (h : p) : decide p = true := by
  cases inst with
  | isTrue _ => rfl
  | isFalse h' => exact absurd h h'
theorem decide_eq_false [inst : Decidable p] (h : ¬p) : decide p = false := by
  cases inst with
  | isTrue h' => exact absurd h' h
  | isFalse _ => rfl
theorem decide_eq_true_iff [Decidable p] : decide p = true ↔ p := ⟨of_decide_eq_true, decide_eq_true⟩
theorem decide_eq_false_iff_not [Decidable p] : decide p = false ↔ ¬p := ⟨of_decide_eq_false, decide_eq_false⟩
theorem of_decide_eq_self_eq_true {α : Sort u} [DecidableEq α] (a : α) : decide (a = a) = true :=
  decide_eq_true rfl
theorem eq_true_of_decide [Decidable p] (h : decide p = true) : p = True := eq_true (of_decide_eq_true h)
theorem eq_false_of_decide {_ : Decidable p} (h : decide p = false) : p = False :=
  eq_false (of_decide_eq_false h)

/-- `p` is decidable if an equivalent proposition is. -/
def decidable_of_iff (a : Prop) {b : Prop} (h : a ↔ b) [d : Decidable a] : Decidable b :=
  match d with
  | isTrue ha => isTrue (h.mp ha)
  | isFalse ha => isFalse (mt h.mpr ha)
def decidable_of_decidable_of_iff [d : Decidable p] (h : p ↔ q) : Decidable q := decidable_of_iff p h

instance instDecidableTrue : Decidable True := isTrue trivial
instance instDecidableFalse : Decidable False := isFalse not_false
instance instDecidableAnd [dp : Decidable p] [dq : Decidable q] : Decidable (p ∧ q) :=
  match dp with
  | isFalse hp => isFalse (fun h => hp h.1)
  | isTrue hp => match dq with
    | isTrue hq => isTrue ⟨hp, hq⟩
    | isFalse hq => isFalse (fun h => hq h.2)
instance instDecidableOr [dp : Decidable p] [dq : Decidable q] : Decidable (p ∨ q) :=
  match dp with
  | isTrue hp => isTrue (.inl hp)
  | isFalse hp => match dq with
    | isTrue hq => isTrue (.inr hq)
    | isFalse hq => isFalse (not_or_intro hp hq)
instance instDecidableNot [dp : Decidable p] : Decidable (¬p) :=
  match dp with
  | isTrue hp => isFalse (absurd hp)
  | isFalse hp => isTrue hp
instance instDecidableForall [dp : Decidable p] [dq : Decidable q] : Decidable (p → q) :=
  match dp with
  | isFalse hp => isTrue (fun h => absurd h hp)
  | isTrue hp => match dq with
    | isTrue hq => isTrue (fun _ => hq)
    | isFalse hq => isFalse (fun h => hq (h hp))
instance instDecidableIff [Decidable p] [Decidable q] : Decidable (p ↔ q) := decidable_of_iff _ iff_def.symm
instance instDecidableEqNat : DecidableEq Nat := Nat.decEq
instance instDecidableEqBool : DecidableEq Bool
  | true, true => isTrue rfl
  | false, false => isTrue rfl
  | true, false => isFalse (fun h => nomatch h)
  | false, true => isFalse (fun h => nomatch h)
instance instDecidableEqPUnit : DecidableEq PUnit := fun _ _ => isTrue rfl
instance instDecidableEqEmpty : DecidableEq Empty := fun x => nomatch x
instance instDecidableNe {α : Sort u} [DecidableEq α] (a b : α) : Decidable (a ≠ b) := instDecidableNot
instance instDecidableIte {c : Prop} [d : Decidable c] [Decidable p] [Decidable q] :
    Decidable (if c then p else q) :=
  match d with
  | isTrue _ => (inferInstance : Decidable p)
  | isFalse _ => (inferInstance : Decidable q)

instance instBEqOfDecidableEq {α : Type u} [DecidableEq α] : BEq α := ⟨fun a b => decide (a = b)⟩
class ReflBEq (α : Type u) [BEq α] : Prop where
  rfl {a : α} : (a == a) = true
class LawfulBEq (α : Type u) [BEq α] : Prop extends ReflBEq α where
  eq_of_beq {a b : α} : (a == b) = true → a = b
export LawfulBEq (eq_of_beq)
instance instLawfulBEq {α : Type u} [DecidableEq α] : LawfulBEq α where
  rfl := of_decide_eq_self_eq_true _
  eq_of_beq := of_decide_eq_true
theorem beq_self_eq_true {α : Type u} [BEq α] [ReflBEq α] (a : α) : (a == a) = true := ReflBEq.rfl
theorem beq_iff_eq {α : Type u} [BEq α] [LawfulBEq α] {a b : α} : (a == b) = true ↔ a = b :=
  ⟨eq_of_beq, fun h => h ▸ ReflBEq.rfl⟩

theorem Decidable.em (p : Prop) [d : Decidable p] : p ∨ ¬p :=
  match d with
  | isTrue h => .inl h
  | isFalse h => .inr h
theorem Decidable.byContradiction [Decidable p] (h : ¬p → False) : p := (em p).elim id (fun hn => (h hn).elim)
theorem Decidable.of_not_not [Decidable p] : ¬¬p → p := byContradiction
theorem Decidable.not_not [Decidable p] : ¬¬p ↔ p := ⟨of_not_not, not_not_intro⟩
theorem Decidable.not_and_iff_or_not_not [Decidable p] : ¬(p ∧ q) ↔ ¬p ∨ ¬q :=
  ⟨fun h => (em p).elim (fun hp => .inr fun hq => h ⟨hp, hq⟩) .inl, not_and_of_not_or_not⟩
end

/-! ### Classical logic -/

namespace Classical
noncomputable def indefiniteDescription {α : Sort u} (p : α → Prop) (h : ∃ x, p x) : {x // p x} :=
  choice (let ⟨x, px⟩ := h; ⟨⟨x, px⟩⟩)
noncomputable def choose {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : α := (indefiniteDescription p h).val
theorem choose_spec {α : Sort u} {p : α → Prop} (h : ∃ x, p x) : p (choose h) :=
  (indefiniteDescription p h).property

/-- Excluded middle, by Diaconescu's argument: choice tells the sets `U` and `V` apart unless `p` holds. -/
theorem em (p : Prop) : p ∨ ¬p := by
  let U (x : Prop) : Prop := x = True ∨ p
  let V (x : Prop) : Prop := x = False ∨ p
  have exU : ∃ x, U x := ⟨True, .inl rfl⟩
  have exV : ∃ x, V x := ⟨False, .inl rfl⟩
  have same : ∀ (q : Prop → Prop) (h : ∃ x, q x), U = q → choose exU = choose h := by
    intro q h e; cases e; rfl
  rcases choose_spec exU with hu | hp
  · rcases choose_spec exV with hv | hp
    · refine .inr (fun hp => ?_)
      have e := same V exV (funext fun x => propext ⟨fun _ => .inr hp, fun _ => .inr hp⟩)
      rw [hu, hv] at e
      exact (of_eq_true e.symm).elim
    · exact .inl hp
  · exact .inl hp

theorem byContradiction {p : Prop} (h : ¬p → False) : p := (em p).elim id (fun hn => (h hn).elim)
theorem byCases {p q : Prop} (hpq : p → q) (hnpq : ¬p → q) : q := (em p).elim hpq hnpq
theorem of_not_not {a : Prop} : ¬¬a → a := byContradiction
theorem not_not {a : Prop} : ¬¬a ↔ a := ⟨of_not_not, not_not_intro⟩
noncomputable scoped instance (priority := low) propDecidable (a : Prop) : Decidable a :=
  choice ((em a).elim (fun h => ⟨isTrue h⟩) (fun h => ⟨isFalse h⟩))
theorem propComplete (a : Prop) : a = True ∨ a = False := (em a).imp eq_true eq_false
theorem skolem {α : Sort u} {b : α → Sort v} {p : ∀ x, b x → Prop} :
    (∀ x, ∃ y, p x y) ↔ ∃ f : ∀ x, b x, ∀ x, p x (f x) :=
  ⟨fun h => ⟨fun x => choose (h x), fun x => choose_spec (h x)⟩, fun ⟨f, h⟩ x => ⟨f x, h x⟩⟩
theorem axiomOfChoice {α : Sort u} {β : α → Sort v} {r : (x : α) → β x → Prop} (h : ∀ x, ∃ y, r x y) :
    ∃ f : (x : α) → β x, ∀ x, r x (f x) := skolem.mp h

section
variable {a b c : Prop} {α : Sort u} {p : α → Prop}
theorem not_forall : (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => byContradiction fun hn => h fun x => byContradiction fun hx => hn ⟨x, hx⟩,
   not_forall_of_exists_not⟩
theorem not_forall_not : (¬∀ x, ¬p x) ↔ ∃ x, p x := ⟨fun h => byContradiction fun hn => h (not_exists.mp hn),
  fun ⟨x, hx⟩ h => h x hx⟩
theorem not_exists_not : (¬∃ x, ¬p x) ↔ ∀ x, p x := ⟨fun h x => byContradiction fun hx => h ⟨x, hx⟩,
  fun h ⟨x, hx⟩ => hx (h x)⟩
theorem forall_or_exists_not (p : α → Prop) : (∀ x, p x) ∨ ∃ x, ¬p x := (em _).imp id not_forall.mp
theorem exists_or_forall_not (p : α → Prop) : (∃ x, p x) ∨ ∀ x, ¬p x := (em _).imp id not_exists.mp
theorem not_and_iff_not_or_not : ¬(a ∧ b) ↔ ¬a ∨ ¬b :=
  ⟨fun h => (em a).elim (fun ha => .inr fun hb => h ⟨ha, hb⟩) .inl, not_and_of_not_or_not⟩
theorem or_iff_not_imp_left : a ∨ b ↔ (¬a → b) :=
  ⟨Or.resolve_left, fun h => (em a).elim .inl (.inr ∘ h)⟩
theorem or_iff_not_imp_right : a ∨ b ↔ (¬b → a) := or_comm.trans or_iff_not_imp_left
theorem imp_iff_not_or : (a → b) ↔ ¬a ∨ b :=
  ⟨fun h => (em a).elim (.inr ∘ h) .inl, fun h ha => h.elim (absurd ha) id⟩
theorem imp_iff_or_not : (b → a) ↔ a ∨ ¬b := imp_iff_not_or.trans or_comm
theorem not_imp : ¬(a → b) ↔ a ∧ ¬b :=
  ⟨fun h => ⟨byContradiction fun ha => h (absurd · ha), fun hb => h fun _ => hb⟩, not_imp_of_and_not⟩
theorem not_imp_not : (¬a → ¬b) ↔ (b → a) := ⟨fun h hb => byContradiction fun ha => h ha hb, mt⟩
theorem not_imp_comm : (¬a → b) ↔ (¬b → a) :=
  ⟨fun h hb => byContradiction (hb ∘ h), fun h ha => byContradiction (ha ∘ h)⟩
theorem not_iff_not : (¬a ↔ ¬b) ↔ (a ↔ b) :=
  ⟨fun h => ⟨not_imp_not.mp h.mpr, not_imp_not.mp h.mp⟩, not_congr⟩
theorem not_iff_comm : (¬a ↔ b) ↔ (¬b ↔ a) :=
  ⟨fun h => ⟨fun hb => byContradiction (hb ∘ h.mp), fun ha hb => h.mpr hb ha⟩,
   fun h => ⟨fun ha => byContradiction (ha ∘ h.mp), fun hb ha => h.mpr ha hb⟩⟩
theorem peirce (a b : Prop) (h : (a → b) → a) : a := (em a).elim id fun ha => h (absurd · ha)
theorem iff_iff_and_or_not_and_not : (a ↔ b) ↔ (a ∧ b) ∨ (¬a ∧ ¬b) :=
  ⟨fun h => (em a).imp (fun ha => ⟨ha, h.mp ha⟩) (fun ha => ⟨ha, ha ∘ h.mpr⟩),
   fun h => h.elim (fun h => iff_of_true h.1 h.2) (fun h => iff_of_false h.1 h.2)⟩
end
end Classical

/-! Mathlib's names of the same. -/
section
variable {a b : Prop} {α : Sort u} {p : α → Prop}
theorem em (p : Prop) : p ∨ ¬p := Classical.em p
theorem by_contradiction (h : ¬a → False) : a := Classical.byContradiction h
theorem by_contra (h : ¬a → False) : a := Classical.byContradiction h
theorem by_cases (h : a → b) (k : ¬a → b) : b := Classical.byCases h k
theorem of_not_not : ¬¬a → a := Classical.of_not_not
theorem not_not : ¬¬a ↔ a := Classical.not_not
theorem not_forall : (¬∀ x, p x) ↔ ∃ x, ¬p x := Classical.not_forall
theorem not_forall_not : (¬∀ x, ¬p x) ↔ ∃ x, p x := Classical.not_forall_not
theorem not_exists_not : (¬∃ x, ¬p x) ↔ ∀ x, p x := Classical.not_exists_not
theorem not_and_or : ¬(a ∧ b) ↔ ¬a ∨ ¬b := Classical.not_and_iff_not_or_not
theorem or_iff_not_imp_left : a ∨ b ↔ (¬a → b) := Classical.or_iff_not_imp_left
theorem or_iff_not_imp_right : a ∨ b ↔ (¬b → a) := Classical.or_iff_not_imp_right
theorem imp_iff_not_or : (a → b) ↔ ¬a ∨ b := Classical.imp_iff_not_or
theorem imp_iff_or_not : (b → a) ↔ a ∨ ¬b := Classical.imp_iff_or_not
theorem not_imp : ¬(a → b) ↔ a ∧ ¬b := Classical.not_imp
theorem not_imp_not : (¬a → ¬b) ↔ (b → a) := Classical.not_imp_not
theorem not_imp_comm : (¬a → b) ↔ (¬b → a) := Classical.not_imp_comm
theorem not_iff_not : (¬a ↔ ¬b) ↔ (a ↔ b) := Classical.not_iff_not
theorem not_iff_comm : (¬a ↔ b) ↔ (¬b ↔ a) := Classical.not_iff_comm
theorem not_iff : ¬(a ↔ b) ↔ (¬a ↔ b) :=
  ⟨fun h => ⟨fun ha => by_contra fun hb => h (iff_of_false ha hb), fun hb ha => h (iff_of_true ha hb)⟩,
   fun h k => (em a).elim (fun ha => h.mpr (k.mp ha) ha) (fun ha => ha (k.mpr (h.mp ha)))⟩
theorem iff_iff_and_or_not_and_not : (a ↔ b) ↔ (a ∧ b) ∨ (¬a ∧ ¬b) := Classical.iff_iff_and_or_not_and_not
theorem Function.mtr (h : ¬a → ¬b) : b → a := not_imp_not.mp h
end
