prelude
import Core.Quotation
set_option autoImplicit false
set_option linter.all false

/-! # Functions: injective, surjective, bijective, inverses -/

universe u v w x

namespace Function
variable {α : Sort u} {β : Sort v} {γ : Sort w} {δ : Sort x}

def Injective (f : α → β) : Prop := ∀ ⦃a₁ a₂⦄, f a₁ = f a₂ → a₁ = a₂
def Surjective (f : α → β) : Prop := ∀ b, ∃ a, f a = b
def Bijective (f : α → β) : Prop := Injective f ∧ Surjective f
/-- `g` undoes `f`. -/
def LeftInverse (g : β → α) (f : α → β) : Prop := ∀ x, g (f x) = x
def HasLeftInverse (f : α → β) : Prop := ∃ g : β → α, LeftInverse g f
def RightInverse (g : β → α) (f : α → β) : Prop := LeftInverse f g
def HasRightInverse (f : α → β) : Prop := ∃ g : β → α, RightInverse g f
def Involutive {α : Sort u} (f : α → α) : Prop := ∀ x, f (f x) = x

@[simp] theorem comp_apply {f : β → γ} {g : α → β} {a : α} : (f ∘ g) a = f (g a) := rfl
theorem comp_def (f : β → γ) (g : α → β) : f ∘ g = fun x => f (g x) := rfl
theorem comp_assoc (f : γ → δ) (g : β → γ) (h : α → β) : (f ∘ g) ∘ h = f ∘ (g ∘ h) := rfl
@[simp] theorem comp_id (f : α → β) : f ∘ id = f := rfl
@[simp] theorem id_comp (f : α → β) : id ∘ f = f := rfl
@[simp] theorem const_apply (b : β) (a : α) : const α b a = b := rfl
@[simp] theorem comp_const {f : β → γ} {b : β} : f ∘ const α b = const α (f b) := rfl
@[simp] theorem const_comp {f : α → β} {c : γ} : const β c ∘ f = const α c := rfl
theorem id_def : @id α = fun x => x := rfl

theorem Injective.eq_iff {f : α → β} (hf : Injective f) {a b : α} : f a = f b ↔ a = b := ⟨@hf a b, congrArg f⟩
theorem Injective.ne {f : α → β} (hf : Injective f) {a b : α} (h : a ≠ b) : f a ≠ f b := fun e => h (hf e)
theorem Injective.ne_iff {f : α → β} (hf : Injective f) {a b : α} : f a ≠ f b ↔ a ≠ b := not_congr hf.eq_iff
theorem injective_id : Injective (@id α) := fun _ _ h => h
theorem surjective_id : Surjective (@id α) := fun a => ⟨a, rfl⟩
theorem bijective_id : Bijective (@id α) := ⟨injective_id, surjective_id⟩
theorem Injective.comp {g : β → γ} {f : α → β} (hg : Injective g) (hf : Injective f) : Injective (g ∘ f) :=
  fun _ _ h => hf (hg h)
theorem Surjective.comp {g : β → γ} {f : α → β} (hg : Surjective g) (hf : Surjective f) :
    Surjective (g ∘ f) := by
  intro c
  obtain ⟨b, hb⟩ := hg c
  obtain ⟨a, ha⟩ := hf b
  exact ⟨a, by rw [comp_apply, ha, hb]⟩
theorem Bijective.comp {g : β → γ} {f : α → β} (hg : Bijective g) (hf : Bijective f) : Bijective (g ∘ f) :=
  ⟨hg.1.comp hf.1, hg.2.comp hf.2⟩
theorem Injective.of_comp {g : β → γ} {f : α → β} (h : Injective (g ∘ f)) : Injective f :=
  fun _ _ e => h (congrArg g e)
theorem Surjective.of_comp {g : β → γ} {f : α → β} (h : Surjective (g ∘ f)) : Surjective g :=
  fun c => let ⟨a, ha⟩ := h c; ⟨f a, ha⟩
theorem Bijective.injective {f : α → β} (hf : Bijective f) : Injective f := hf.1
theorem Bijective.surjective {f : α → β} (hf : Bijective f) : Surjective f := hf.2
theorem Surjective.forall {f : α → β} (hf : Surjective f) {p : β → Prop} : (∀ y, p y) ↔ ∀ x, p (f x) :=
  ⟨fun h x => h (f x), fun h y => let ⟨x, hx⟩ := hf y; hx ▸ h x⟩
theorem Surjective.exists {f : α → β} (hf : Surjective f) {p : β → Prop} : (∃ y, p y) ↔ ∃ x, p (f x) :=
  ⟨fun ⟨y, hy⟩ => let ⟨x, hx⟩ := hf y; ⟨x, hx.symm ▸ hy⟩, fun ⟨x, hx⟩ => ⟨f x, hx⟩⟩

theorem LeftInverse.injective {g : β → α} {f : α → β} (h : LeftInverse g f) : Injective f :=
  fun a b e => (h a).symm.trans ((congrArg g e).trans (h b))
theorem LeftInverse.surjective {g : β → α} {f : α → β} (h : LeftInverse g f) : Surjective g :=
  fun a => ⟨f a, h a⟩
theorem RightInverse.injective {g : β → α} {f : α → β} (h : RightInverse g f) : Injective g :=
  LeftInverse.injective h
theorem RightInverse.surjective {g : β → α} {f : α → β} (h : RightInverse g f) : Surjective f :=
  fun b => ⟨g b, h b⟩
theorem LeftInverse.comp_eq_id {g : β → α} {f : α → β} (h : LeftInverse g f) : g ∘ f = id := funext h
theorem RightInverse.comp_eq_id {g : β → α} {f : α → β} (h : RightInverse g f) : f ∘ g = id := funext h
theorem leftInverse_iff_comp {g : β → α} {f : α → β} : LeftInverse g f ↔ g ∘ f = id :=
  ⟨LeftInverse.comp_eq_id, fun h x => congrFun h x⟩
theorem LeftInverse.comp {f : α → β} {g : β → α} {h : β → γ} {i : γ → β} (hf : LeftInverse f g)
    (hh : LeftInverse h i) : LeftInverse (h ∘ f) (g ∘ i) := fun x => by
  show h (f (g (i x))) = x
  rw [hf, hh]
theorem LeftInverse.rightInverse {f : α → β} {g : β → α} (h : LeftInverse g f) : RightInverse f g := h
theorem HasLeftInverse.injective {f : α → β} : HasLeftInverse f → Injective f
  | ⟨_, h⟩ => h.injective
theorem HasRightInverse.surjective {f : α → β} : HasRightInverse f → Surjective f
  | ⟨_, h⟩ => h.surjective
theorem Surjective.hasRightInverse {f : α → β} (hf : Surjective f) : HasRightInverse f :=
  ⟨fun b => Classical.choose (hf b), fun b => Classical.choose_spec (hf b)⟩
theorem surjective_iff_hasRightInverse {f : α → β} : Surjective f ↔ HasRightInverse f :=
  ⟨Surjective.hasRightInverse, HasRightInverse.surjective⟩
theorem Involutive.leftInverse {f : α → α} (h : Involutive f) : LeftInverse f f := h
theorem Involutive.injective {f : α → α} (h : Involutive f) : Injective f := LeftInverse.injective h
theorem Involutive.surjective {f : α → α} (h : Involutive f) : Surjective f := fun x => ⟨f x, h x⟩
theorem Involutive.bijective {f : α → α} (h : Involutive f) : Bijective f := ⟨h.injective, h.surjective⟩
theorem Involutive.comp_self {f : α → α} (h : Involutive f) : f ∘ f = id := funext h

/-- Cantor: no function from a type to its predicates is surjective. -/
theorem cantor_surjective (f : α → α → Prop) : ¬Surjective f := fun h =>
  have ⟨a, ha⟩ := h fun x => ¬f x x
  iff_not_self (Iff.of_eq (congrFun ha a))
end Function

theorem id_apply {α : Sort u} (a : α) : id a = a := rfl
