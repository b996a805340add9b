prelude
import Core.Classical
set_option autoImplicit false
set_option linter.all false

/-!
# What the simplifier needs, and its basic lemmas

The congruence lemmas of the first part are looked up by name by `simp`, `split`, `congr` and `conv`.
-/

universe u v w

/-! ### Congruence -/

theorem eq_self {α : Sort u} (a : α) : (a = a) = True := eq_true rfl
theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true Iff.rfl
theorem heq_eq_eq {α : Sort u} (a b : α) : HEq a b = (a = b) := propext ⟨eq_of_heq, heq_of_eq⟩
theorem congrFun' {α : Sort u} {β : Sort v} {f g : α → β} (h : f = g) (a : α) : f a = g a := congrFun h a
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h₁ : p₁ = p₂) (h₂ : q₁ = q₂) :
    (p₁ → q₁) = (p₂ → q₂) := by cases h₁; cases h₂; rfl
theorem implies_dep_congr_ctx {p₁ p₂ q₁ : Prop} (h₁ : p₁ = p₂) {q₂ : p₂ → Prop} (h₂ : (h : p₂) → q₁ = q₂ h) :
    (p₁ → q₁) = ((h : p₂) → q₂ h) := by
  cases h₁
  exact propext ⟨fun hl hp => h₂ hp ▸ hl hp, fun hr hp => (h₂ hp).symm ▸ hr hp⟩
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h₁ : p₁ = p₂) (h₂ : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  implies_dep_congr_ctx h₁ h₂
theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ a, p a = q a) : (∀ a, p a) = (∀ a, q a) :=
  (funext h : p = q) ▸ rfl
theorem pi_congr {α : Sort u} {β β' : α → Sort v} (h : ∀ a, β a = β' a) : (∀ a, β a) = ∀ a, β' a :=
  (funext h : β = β') ▸ rfl
theorem forall_prop_domain_congr {p₁ p₂ : Prop} {q : p₁ → Prop} (h : p₁ = p₂) :
    (∀ a : p₁, q a) = (∀ a : p₂, q (h ▸ a)) := by cases h; rfl
theorem forall_prop_congr_dom {p₁ p₂ : Prop} (h : p₁ = p₂) (q : p₁ → Prop) :
    (∀ a : p₁, q a) = (∀ a : p₂, q (h.mpr a)) := by cases h; rfl
theorem let_congr {α : Sort u} {β : Sort v} {a a' : α} {b b' : α → β} (h₁ : a = a') (h₂ : ∀ x, b x = b' x) :
    (let x := a; b x) = (let x := a'; b' x) := h₁ ▸ (funext h₂ : b = b') ▸ rfl
theorem let_val_congr {α : Sort u} {β : Sort v} {a a' : α} (b : α → β) (h : a = a') :
    (let x := a; b x) = (let x := a'; b x) := h ▸ rfl
theorem let_body_congr {α : Sort u} {β : α → Sort v} {b b' : (a : α) → β a} (a : α) (h : ∀ x, b x = b' x) :
    (let x := a; b x) = (let x := a; b' x) := (funext h : b = b') ▸ rfl

/-! ### `if` -/

section
variable {α : Sort u} {b c : Prop}
theorem if_pos {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t e : α} : ite c t e = t :=
  match h with
  | isTrue _ => rfl
  | isFalse hnc => absurd hc hnc
theorem if_neg {c : Prop} {h : Decidable c} (hnc : ¬c) {α : Sort u} {t e : α} : ite c t e = e :=
  match h with
  | isTrue hc => absurd hc hnc
  | isFalse _ => rfl
theorem dif_pos {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t : c → α} {e : ¬c → α} :
    dite c t e = t hc :=
  match h with
  | isTrue _ => rfl
  | isFalse hnc => absurd hc hnc
theorem dif_neg {c : Prop} {h : Decidable c} (hnc : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} :
    dite c t e = e hnc :=
  match h with
  | isTrue hc => absurd hc hnc
  | isFalse _ => rfl
theorem ite_cond_eq_true {_ : Decidable c} (a b : α) (h : c = True) : (if c then a else b) = a :=
  if_pos (of_eq_true h)
theorem ite_cond_eq_false {_ : Decidable c} (a b : α) (h : c = False) : (if c then a else b) = b :=
  if_neg (of_eq_false h)
theorem dite_cond_eq_true {_ : Decidable c} {t : c → α} {e : ¬c → α} (h : c = True) :
    dite c t e = t (of_eq_true h) := dif_pos (of_eq_true h)
theorem dite_cond_eq_false {_ : Decidable c} {t : c → α} {e : ¬c → α} (h : c = False) :
    dite c t e = e (of_eq_false h) := dif_neg (of_eq_false h)
theorem ite_congr {x y u v : α} {s : Decidable b} [Decidable c] (h₁ : b = c) (h₂ : c → x = u)
    (h₃ : ¬c → y = v) :
    ite b x y = ite c u v := by
  cases h₁
  cases Decidable.em b with
  | inl h => rw [if_pos h, if_pos h, h₂ h]
  | inr h => rw [if_neg h, if_neg h, h₃ h]
theorem dite_congr {s : Decidable b} [Decidable c] {x : b → α} {u : c → α} {y : ¬b → α} {v : ¬c → α}
    (h₁ : b = c) (h₂ : (h : c) → x (h₁.mpr h) = u h) (h₃ : (h : ¬c) → y (fun k => h (h₁.mp k)) = v h) :
    dite b x y = dite c u v := by
  cases h₁
  cases Decidable.em b with
  | inl h => rw [dif_pos h, dif_pos h]; exact h₂ h
  | inr h => rw [dif_neg h, dif_neg h]; exact h₃ h
attribute [simp] eq_self iff_self heq_eq_eq id_eq
@[simp] theorem ite_true (a b : α) : (if True then a else b) = a := rfl
@[simp] theorem ite_false (a b : α) : (if False then a else b) = b := rfl
@[simp] theorem dite_true {t : True → α} {e : ¬True → α} : dite True t e = t trivial := rfl
@[simp] theorem dite_false {t : False → α} {e : ¬False → α} : dite False t e = e not_false := rfl
@[simp] theorem ite_self {d : Decidable c} (a : α) : ite c a a = a := by
  cases d <;> rfl
@[simp] theorem dite_eq_ite [Decidable c] (a b : α) : (dite c (fun _ => a) (fun _ => b)) = ite c a b := rfl
theorem ite_not (p : Prop) [Decidable p] (x y : α) : ite (¬p) x y = ite p y x := by
  cases Decidable.em p with
  | inl h => rw [if_pos h, if_neg (not_not_intro h)]
  | inr h => rw [if_neg h, if_pos h]
theorem apply_ite {β : Sort v} (f : α → β) (p : Prop) [Decidable p] (x y : α) :
    f (ite p x y) = ite p (f x) (f y) := by
  cases Decidable.em p with
  | inl h => rw [if_pos h, if_pos h]
  | inr h => rw [if_neg h, if_neg h]
theorem ite_eq_iff {p : Prop} [Decidable p] {a b x : α} : ite p a b = x ↔ p ∧ a = x ∨ ¬p ∧ b = x := by
  cases Decidable.em p with
  | inl h => rw [if_pos h]; exact ⟨fun e => .inl ⟨h, e⟩, fun k => k.elim (·.2) (absurd h ·.1)⟩
  | inr h => rw [if_neg h]; exact ⟨fun e => .inr ⟨h, e⟩, fun k => k.elim (absurd ·.1 h) (·.2)⟩
end
set_option linter.all false in
section
variable {α : Sort u} {c : Prop}
/-! Names that `split` and `simp` of Lean 4.35 look up for the same facts. -/
theorem ite_eq_left {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t e : α} : ite c t e = t := if_pos hc
theorem ite_eq_right {c : Prop} {h : Decidable c} (hnc : ¬c) {α : Sort u} {t e : α} : ite c t e = e :=
  if_neg hnc
theorem ite_eq_left_of_eq_true {_ : Decidable c} (a b : α) (h : c = True) : (if c then a else b) = a :=
  ite_cond_eq_true a b h
theorem ite_eq_right_of_eq_false {_ : Decidable c} (a b : α) (h : c = False) : (if c then a else b) = b :=
  ite_cond_eq_false a b h
theorem dite_eq_left {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t : c → α} {e : ¬c → α} :
    dite c t e = t hc := dif_pos hc
theorem dite_eq_right {c : Prop} {h : Decidable c} (hnc : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} :
    dite c t e = e hnc := dif_neg hnc
theorem dite_eq_left_of_eq_true {_ : Decidable c} {t : c → α} {e : ¬c → α} (h : c = True) :
    dite c t e = t (of_eq_true h) := dif_pos (of_eq_true h)
theorem dite_eq_right_of_eq_false {_ : Decidable c} {t : c → α} {e : ¬c → α} (h : c = False) :
    dite c t e = e (of_eq_false h) := dif_neg (of_eq_false h)
end

/-! ### Connectives -/

section
variable {a b c : Prop}
@[simp] theorem eq_self_iff_true {α : Sort u} (a : α) : a = a ↔ True := iff_of_true rfl trivial
@[simp] theorem ne_eq {α : Sort u} (a b : α) : (a ≠ b) = ¬(a = b) := rfl
theorem ne_self_iff_false {α : Sort u} (a : α) : a ≠ a ↔ False := ⟨(· rfl), False.elim⟩
@[simp] theorem eq_mp_eq_cast {α β : Sort u} (h : α = β) : Eq.mp h = cast h := by cases h; rfl
@[simp] theorem eq_mpr_eq_cast {α β : Sort u} (h : α = β) : Eq.mpr h = cast h.symm := by cases h; rfl
attribute [simp] cast_eq
@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨(·.1), (⟨·, trivial⟩)⟩
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨(·.2), (⟨trivial, ·⟩)⟩
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := eq_false (·.2)
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := eq_false (·.1)
@[simp] theorem and_self (p : Prop) : (p ∧ p) = p := propext ⟨(·.1), fun h => ⟨h, h⟩⟩
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (.inr trivial)
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (.inl trivial)
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p := propext ⟨(·.elim id False.elim), .inl⟩
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p := propext ⟨(·.elim False.elim id), .inr⟩
@[simp] theorem or_self (p : Prop) : (p ∨ p) = p := propext ⟨(·.elim id id), .inl⟩
@[simp] theorem iff_true (p : Prop) : (p ↔ True) = p :=
  propext ⟨fun h => h.mpr trivial, (iff_of_true · trivial)⟩
@[simp] theorem true_iff (p : Prop) : (True ↔ p) = p := propext ⟨fun h => h.mp trivial, iff_of_true trivial⟩
@[simp] theorem iff_false (p : Prop) : (p ↔ False) = ¬p := propext ⟨Iff.mp, (iff_of_false · id)⟩
@[simp] theorem false_iff (p : Prop) : (False ↔ p) = ¬p := propext ⟨Iff.mpr, iff_of_false id⟩
@[simp] theorem eq_true_eq_id : Eq True = id :=
  funext fun p => propext ⟨fun h => h ▸ trivial, fun h => (eq_true h).symm⟩
@[simp] theorem implies_true (α : Sort u) : (α → True) = True := eq_true (fun _ => trivial)
@[simp] theorem true_implies (p : Prop) : (True → p) = p := propext ⟨(· trivial), fun h _ => h⟩
@[simp] theorem false_implies (p : Prop) : (False → p) = True := eq_true False.elim
@[simp] theorem imp_self (p : Prop) : (p → p) = True := eq_true id
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true not_false
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false (· trivial)
theorem not_true : ¬True ↔ False := ⟨(· trivial), False.elim⟩
theorem not_false_iff : ¬False ↔ True := iff_of_true not_false trivial
theorem false_ne_true : False ≠ True := fun h => h ▸ trivial
attribute [simp] imp_false Classical.not_not not_and not_or not_exists and_imp exists_imp forall_eq forall_eq'
  exists_eq exists_eq' exists_eq_left exists_eq_right exists_eq_left' exists_eq_right' exists_and_left
  exists_and_right forall_const exists_const exists_prop Classical.not_forall Classical.not_imp and_not_self
  not_and_self
@[simp] theorem exists_false {α : Sort u} : ¬∃ _ : α, False := fun ⟨_, h⟩ => h
@[simp] theorem exists_prop_of_true {p : Prop} {q : p → Prop} (h : p) : (∃ h' : p, q h') ↔ q h :=
  ⟨fun ⟨_, hq⟩ => hq, fun hq => ⟨h, hq⟩⟩
@[simp] theorem and_self_left : a ∧ a ∧ b ↔ a ∧ b := ⟨(·.2), fun h => ⟨h.1, h⟩⟩
@[simp] theorem and_self_right : (a ∧ b) ∧ b ↔ a ∧ b := ⟨(·.1), fun h => ⟨h, h.2⟩⟩
@[simp] theorem or_self_left : a ∨ a ∨ b ↔ a ∨ b := ⟨(·.elim .inl id), .inr⟩
@[simp] theorem or_self_right : (a ∨ b) ∨ b ↔ a ∨ b := ⟨(·.elim id .inr), .inl⟩
@[simp] theorem and_iff_left_iff_imp : (a ∧ b ↔ a) ↔ (a → b) :=
  ⟨fun h ha => (h.mpr ha).2, and_iff_left_of_imp⟩
@[simp] theorem and_iff_right_iff_imp : (a ∧ b ↔ b) ↔ (b → a) :=
  ⟨fun h hb => (h.mpr hb).1, and_iff_right_of_imp⟩
@[simp] theorem or_iff_left_iff_imp : (a ∨ b ↔ a) ↔ (b → a) :=
  ⟨fun h hb => h.mp (.inr hb), or_iff_left_of_imp⟩
@[simp] theorem or_iff_right_iff_imp : (a ∨ b ↔ b) ↔ (a → b) :=
  ⟨fun h ha => h.mp (.inl ha), or_iff_right_of_imp⟩
@[simp] theorem iff_self_and : (a ↔ a ∧ b) ↔ (a → b) := iff_comm.trans and_iff_left_iff_imp
@[simp] theorem iff_self_or : (a ↔ a ∨ b) ↔ (b → a) := iff_comm.trans or_iff_left_iff_imp
@[simp] theorem iff_not_self : ¬(a ↔ ¬a) := fun h => have hn : ¬a := fun ha => h.mp ha ha; hn (h.mpr hn)
@[simp] theorem not_iff_self : ¬(¬a ↔ a) := fun h => iff_not_self h.symm
@[simp] theorem or_not_self (p : Prop) : (p ∨ ¬p) = True := eq_true (Classical.em p)
@[simp] theorem not_or_self (p : Prop) : (¬p ∨ p) = True := eq_true (Classical.em p).symm
end

/-! ### `decide` and `Bool` conditions -/

section
variable {p q : Prop} {α : Type u}
@[simp] theorem decide_eq_true_eq [Decidable p] : (decide p = true) = p := propext decide_eq_true_iff
@[simp] theorem decide_eq_false_eq [Decidable p] : (decide p = false) = ¬p := propext decide_eq_false_iff_not
@[simp] theorem decide_true [h : Decidable True] : @decide True h = true := decide_eq_true trivial
@[simp] theorem decide_false [h : Decidable False] : @decide False h = false := decide_eq_false id
@[simp] theorem decide_not [Decidable p] [Decidable (¬p)] : decide (¬p) = !decide p := by
  cases Decidable.em p with
  | inl h => rw [decide_eq_true h, decide_eq_false (not_not_intro h)]; rfl
  | inr h => rw [decide_eq_false h, decide_eq_true h]; rfl
attribute [simp] beq_self_eq_true beq_iff_eq
@[simp] theorem bne_iff_ne [BEq α] [LawfulBEq α] {a b : α} : (a != b) = true ↔ a ≠ b := by
  show (!(a == b)) = true ↔ a ≠ b
  cases h : a == b with
  | false => exact iff_of_true rfl (fun e => by rw [e, beq_self_eq_true] at h; cases h)
  | true => exact iff_of_false (fun e => by cases e) (fun n => n (eq_of_beq h))
@[simp] theorem cond_true (a b : α) : cond true a b = a := rfl
@[simp] theorem cond_false (a b : α) : cond false a b = b := rfl
end
