prelude
import Core.Function
set_option autoImplicit false
set_option linter.all false

/-! # Pairs, sums, subtypes, options -/

universe u v w x

namespace Prod
variable {α : Type u} {β : Type v} {γ : Type w} {δ : Type x}
theorem mk.injEq (a c : α) (b d : β) : ((a, b) = (c, d)) = (a = c ∧ b = d) :=
  propext ⟨fun h => ⟨congrArg fst h, congrArg snd h⟩, fun ⟨h, k⟩ => by rw [h, k]⟩
theorem mk.inj {a c : α} {b d : β} (h : (a, b) = (c, d)) : a = c ∧ b = d := mk.injEq a c b d ▸ h
attribute [simp] mk.injEq
theorem mk_inj {a c : α} {b d : β} : (a, b) = (c, d) ↔ a = c ∧ b = d := Iff.of_eq (mk.injEq a c b d)
attribute [ext] Prod
@[simp] theorem eta (p : α × β) : (p.1, p.2) = p := rfl
@[simp] protected theorem «forall» {p : α × β → Prop} : (∀ x, p x) ↔ ∀ a b, p (a, b) :=
  ⟨fun h a b => h (a, b), fun h x => h x.1 x.2⟩
@[simp] protected theorem «exists» {p : α × β → Prop} : (∃ x, p x) ↔ ∃ a b, p (a, b) :=
  ⟨fun ⟨x, h⟩ => ⟨x.1, x.2, h⟩, fun ⟨a, b, h⟩ => ⟨(a, b), h⟩⟩
def swap : α × β → β × α := fun p => (p.2, p.1)
@[simp] theorem swap_swap (p : α × β) : swap (swap p) = p := rfl
@[simp] theorem fst_swap {p : α × β} : (swap p).1 = p.2 := rfl
@[simp] theorem snd_swap {p : α × β} : (swap p).2 = p.1 := rfl
@[simp] theorem swap_prod_mk {a : α} {b : β} : swap (a, b) = (b, a) := rfl
@[simp] theorem swap_swap_eq : swap ∘ swap = @id (α × β) := rfl
theorem swap_leftInverse : Function.LeftInverse (@swap α β) swap := swap_swap
theorem swap_injective : Function.Injective (@swap α β) := swap_leftInverse.injective
theorem swap_surjective : Function.Surjective (@swap α β) := Function.LeftInverse.surjective swap_swap
theorem swap_bijective : Function.Bijective (@swap α β) := ⟨swap_injective, swap_surjective⟩
def map (f : α → γ) (g : β → δ) : α × β → γ × δ := fun p => (f p.1, g p.2)
@[simp] theorem map_apply (f : α → γ) (g : β → δ) (a : α) (b : β) : map f g (a, b) = (f a, g b) := rfl
@[simp] theorem map_fst (f : α → γ) (g : β → δ) (p : α × β) : (map f g p).1 = f p.1 := rfl
@[simp] theorem map_snd (f : α → γ) (g : β → δ) (p : α × β) : (map f g p).2 = g p.2 := rfl
@[simp] theorem map_id : map (@id α) (@id β) = id := rfl
instance instDecidableEq [DecidableEq α] [DecidableEq β] : DecidableEq (α × β) :=
  fun p q => decidable_of_iff (p.1 = q.1 ∧ p.2 = q.2) ⟨fun h => Prod.ext h.1 h.2, fun h => h ▸ ⟨rfl, rfl⟩⟩
instance instInhabited [Inhabited α] [Inhabited β] : Inhabited (α × β) := ⟨(default, default)⟩
end Prod

namespace Sum
variable {α : Type u} {β : Type v} {γ : Type w} {δ : Type x}
theorem inl.injEq (a b : α) : ((inl a : Sum α β) = inl b) = (a = b) :=
  propext ⟨fun h => by cases h; rfl, fun h => by rw [h]⟩
theorem inr.injEq (a b : β) : ((inr a : Sum α β) = inr b) = (a = b) :=
  propext ⟨fun h => by cases h; rfl, fun h => by rw [h]⟩
attribute [simp] inl.injEq inr.injEq
theorem inl_injective : Function.Injective (inl : α → Sum α β) := fun a b h => inl.injEq (β := β) a b ▸ h
theorem inr_injective : Function.Injective (inr : β → Sum α β) := fun a b h => inr.injEq (α := α) a b ▸ h
@[simp] theorem inl_ne_inr {a : α} {b : β} : inl a ≠ inr b := fun h => nomatch h
@[simp] theorem inr_ne_inl {a : α} {b : β} : inr b ≠ inl a := fun h => nomatch h
@[simp] protected theorem «forall» {p : Sum α β → Prop} : (∀ x, p x) ↔ (∀ a, p (inl a)) ∧ ∀ b, p (inr b) :=
  ⟨fun h => ⟨fun a => h (inl a), fun b => h (inr b)⟩,
   fun h x => match x with | inl a => h.1 a | inr b => h.2 b⟩
@[simp] protected theorem «exists» {p : Sum α β → Prop} : (∃ x, p x) ↔ (∃ a, p (inl a)) ∨ ∃ b, p (inr b) :=
  ⟨fun ⟨x, h⟩ => match x, h with | inl a, h => .inl ⟨a, h⟩ | inr b, h => .inr ⟨b, h⟩,
   fun h => h.elim (fun ⟨a, h⟩ => ⟨inl a, h⟩) (fun ⟨b, h⟩ => ⟨inr b, h⟩)⟩
protected def elim {γ : Sort w} (f : α → γ) (g : β → γ) : Sum α β → γ
  | inl a => f a
  | inr b => g b
@[simp] theorem elim_inl {γ : Sort w} (f : α → γ) (g : β → γ) (a : α) : Sum.elim f g (inl a) = f a := rfl
@[simp] theorem elim_inr {γ : Sort w} (f : α → γ) (g : β → γ) (b : β) : Sum.elim f g (inr b) = g b := rfl
theorem elim_comp_inl {γ : Sort w} (f : α → γ) (g : β → γ) : Sum.elim f g ∘ inl = f := rfl
theorem elim_comp_inr {γ : Sort w} (f : α → γ) (g : β → γ) : Sum.elim f g ∘ inr = g := rfl
@[simp] theorem elim_inl_inr : Sum.elim (@inl α β) inr = id := funext fun x => by cases x <;> rfl
protected def map (f : α → γ) (g : β → δ) : Sum α β → Sum γ δ := Sum.elim (inl ∘ f) (inr ∘ g)
@[simp] theorem map_inl (f : α → γ) (g : β → δ) (a : α) : Sum.map f g (inl a) = inl (f a) := rfl
@[simp] theorem map_inr (f : α → γ) (g : β → δ) (b : β) : Sum.map f g (inr b) = inr (g b) := rfl
@[simp] theorem map_id_id : Sum.map (@id α) (@id β) = id := funext fun x => by cases x <;> rfl
def swap : Sum α β → Sum β α := Sum.elim inr inl
@[simp] theorem swap_inl (a : α) : swap (inl a : Sum α β) = inr a := rfl
@[simp] theorem swap_inr (b : β) : swap (inr b : Sum α β) = inl b := rfl
@[simp] theorem swap_swap (x : Sum α β) : swap (swap x) = x := by cases x <;> rfl
theorem swap_leftInverse : Function.LeftInverse (@swap α β) swap := swap_swap
end Sum

namespace Subtype
variable {α : Sort u} {p q : α → Prop}
protected theorem eq : ∀ {a b : {x // p x}}, a.val = b.val → a = b
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl
@[ext] protected theorem ext {a b : {x // p x}} (h : a.val = b.val) : a = b := Subtype.eq h
theorem eq_iff {a b : {x // p x}} : a = b ↔ a.val = b.val := ⟨congrArg val, Subtype.eq⟩
theorem mk.injEq (a b : α) (h : p a) (k : p b) : ((⟨a, h⟩ : {x // p x}) = ⟨b, k⟩) = (a = b) := propext eq_iff
attribute [simp] mk.injEq
@[simp] theorem eta (a : {x // p x}) (h : p a.val) : (⟨a.val, h⟩ : {x // p x}) = a := rfl
@[simp] protected theorem «forall» {r : {x // p x} → Prop} : (∀ x, r x) ↔ ∀ a h, r ⟨a, h⟩ :=
  ⟨fun h a k => h ⟨a, k⟩, fun h x => h x.1 x.2⟩
@[simp] protected theorem «exists» {r : {x // p x} → Prop} : (∃ x, r x) ↔ ∃ a h, r ⟨a, h⟩ :=
  ⟨fun ⟨x, h⟩ => ⟨x.1, x.2, h⟩, fun ⟨a, k, h⟩ => ⟨⟨a, k⟩, h⟩⟩
theorem val_injective : Function.Injective (val : {x // p x} → α) := fun _ _ => Subtype.eq
protected theorem prop (x : {x // p x}) : p x.val := x.property
instance instDecidableEq {α : Type u} {p : α → Prop} [DecidableEq α] : DecidableEq {x // p x} :=
  fun a b => decidable_of_iff (a.val = b.val) eq_iff.symm
end Subtype

namespace Option
variable {α : Type u} {β : Type v} {γ : Type w}
theorem some.injEq (a b : α) : (some a = some b) = (a = b) :=
  propext ⟨fun h => by cases h; rfl, fun h => by rw [h]⟩
theorem some.inj {a b : α} (h : some a = some b) : a = b := some.injEq a b ▸ h
attribute [simp] some.injEq
theorem some_inj {a b : α} : some a = some b ↔ a = b := Iff.of_eq (some.injEq a b)
theorem some_injective (α : Type u) : Function.Injective (@some α) := fun _ _ => some.inj
@[simp] theorem some_ne_none (a : α) : some a ≠ none := fun h => nomatch h
theorem none_ne_some (a : α) : none ≠ some a := fun h => nomatch h
theorem ne_none_iff_exists {o : Option α} : o ≠ none ↔ ∃ x, some x = o := by
  cases o with
  | none => exact iff_of_false (· rfl) (fun ⟨_, h⟩ => nomatch h)
  | some a => exact iff_of_true (some_ne_none a) ⟨a, rfl⟩
theorem eq_none_or_eq_some (o : Option α) : o = none ∨ ∃ x, o = some x := by
  cases o with
  | none => exact .inl rfl
  | some a => exact .inr ⟨a, rfl⟩
protected theorem «forall» {p : Option α → Prop} : (∀ o, p o) ↔ p none ∧ ∀ a, p (some a) :=
  ⟨fun h => ⟨h none, fun a => h (some a)⟩, fun h o => match o with | none => h.1 | some a => h.2 a⟩
protected theorem «exists» {p : Option α → Prop} : (∃ o, p o) ↔ p none ∨ ∃ a, p (some a) :=
  ⟨fun ⟨o, h⟩ => match o, h with | none, h => .inl h | some a, h => .inr ⟨a, h⟩,
   fun h => h.elim (⟨none, ·⟩) (fun ⟨a, h⟩ => ⟨some a, h⟩)⟩
protected def map (f : α → β) : Option α → Option β
  | none => none
  | some a => some (f a)
protected def bind : Option α → (α → Option β) → Option β
  | none, _ => none
  | some a, f => f a
def getD : Option α → α → α
  | none, d => d
  | some a, _ => a
def isSome : Option α → Bool
  | none => false
  | some _ => true
def isNone : Option α → Bool
  | none => true
  | some _ => false
protected def orElse : Option α → (Unit → Option α) → Option α
  | none, b => b ()
  | some a, _ => some a
protected def elim {β : Sort v} : Option α → β → (α → β) → β
  | none, b, _ => b
  | some a, _, f => f a
instance instMonad : Monad Option where
  map f o := Option.map f o
  pure a := some a
  bind o f := Option.bind o f
@[simp] theorem map_none (f : α → β) : Option.map f none = none := rfl
@[simp] theorem map_some (f : α → β) (a : α) : Option.map f (some a) = some (f a) := rfl
@[simp] theorem bind_none (f : α → Option β) : Option.bind none f = none := rfl
@[simp] theorem bind_some (a : α) (f : α → Option β) : Option.bind (some a) f = f a := rfl
@[simp] theorem bind_fun_some (o : Option α) : o.bind some = o := by cases o <;> rfl
@[simp] theorem bind_fun_none (o : Option α) : o.bind (fun _ => (none : Option β)) = none :=
  by cases o <;> rfl
@[simp] theorem getD_none {d : α} : getD none d = d := rfl
@[simp] theorem getD_some {a d : α} : getD (some a) d = a := rfl
@[simp] theorem isSome_none : (none : Option α).isSome = false := rfl
@[simp] theorem isSome_some {a : α} : (some a).isSome = true := rfl
@[simp] theorem isNone_none : (none : Option α).isNone = true := rfl
@[simp] theorem isNone_some {a : α} : (some a).isNone = false := rfl
@[simp] theorem not_isSome (o : Option α) : (!o.isSome) = o.isNone := by cases o <;> rfl
@[simp] theorem isSome_map (f : α → β) (o : Option α) : (o.map f).isSome = o.isSome := by cases o <;> rfl
theorem isSome_iff_exists {o : Option α} : o.isSome = true ↔ ∃ a, o = some a := by
  cases o with
  | none => exact iff_of_false (fun h => nomatch h) (fun ⟨_, h⟩ => nomatch h)
  | some a => exact iff_of_true rfl ⟨a, rfl⟩
@[simp] theorem map_id : Option.map (@id α) = id := funext fun o => by cases o <;> rfl
@[simp] theorem map_id' (o : Option α) : o.map (fun x => x) = o := by cases o <;> rfl
@[simp] theorem map_map (g : β → γ) (f : α → β) (o : Option α) : (o.map f).map g = o.map (g ∘ f) := by
  cases o <;> rfl
theorem map_eq_none_iff {f : α → β} {o : Option α} : o.map f = none ↔ o = none := by cases o <;> simp
theorem map_eq_some_iff {f : α → β} {o : Option α} {b : β} :
    o.map f = some b ↔ ∃ a, o = some a ∧ f a = b := by
  cases o <;> simp
theorem bind_eq_some_iff {o : Option α} {f : α → Option β} {b : β} :
    o.bind f = some b ↔ ∃ a, o = some a ∧ f a = some b := by cases o <;> simp
theorem bind_assoc (o : Option α) (f : α → Option β) (g : β → Option γ) :
    (o.bind f).bind g = o.bind fun a => (f a).bind g := by cases o <;> rfl
theorem map_eq_bind (f : α → β) (o : Option α) : o.map f = o.bind (some ∘ f) := by cases o <;> rfl
theorem map_injective {f : α → β} (hf : Function.Injective f) : Function.Injective (Option.map f) := by
  intro a b h
  cases a <;> cases b <;> simp at h
  · rfl
  · rw [hf h]
instance instDecidableEq [DecidableEq α] : DecidableEq (Option α)
  | none, none => isTrue rfl
  | none, some _ => isFalse (fun h => nomatch h)
  | some _, none => isFalse (fun h => nomatch h)
  | some a, some b => decidable_of_iff (a = b) some_inj.symm
end Option
