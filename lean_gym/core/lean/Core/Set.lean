prelude
import Core.Data
set_option autoImplicit false
set_option linter.all false

/-!
# Sets, as predicates

Definitions, notation and lemma names are Mathlib's (`Mathlib.Data.Set`); `α` is any type.
-/

universe u v w

def Set (α : Type u) : Type u := α → Prop
/-- The set of all `a` with `p a`, also written `{x | p x}`. -/
def setOf {α : Type u} (p : α → Prop) : Set α := p
syntax "{" ident " | " term "}" : term
syntax "{" ident " : " term " | " term "}" : term
macro_rules
  | `({$x:ident | $p}) => `(setOf fun $x:ident => $p)
  | `({$x:ident : $t | $p}) => `(setOf fun $x:ident : $t => $p)
@[app_unexpander setOf] def unexpandSetOf : Lean.PrettyPrinter.Unexpander
  | `($_ fun $x:ident => $p) => `({$x:ident | $p})
  | _ => throw ()

namespace Set
variable {α : Type u} {β : Type v} {γ : Type w} {a b x y : α} {s t u : Set α}

protected def Mem (s : Set α) (a : α) : Prop := s a
instance instMembership : Membership α (Set α) := ⟨Set.Mem⟩
protected def Subset (s t : Set α) : Prop := ∀ ⦃a⦄, a ∈ s → a ∈ t
instance instHasSubset : HasSubset (Set α) := ⟨Set.Subset⟩
instance instHasSSubset : HasSSubset (Set α) := ⟨fun s t => s ⊆ t ∧ ¬t ⊆ s⟩
instance instEmptyCollection : EmptyCollection (Set α) := ⟨setOf fun _ => False⟩
def univ : Set α := setOf fun _ => True
instance instUnion : Union (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∨ a ∈ t⟩
instance instInter : Inter (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∧ a ∈ t⟩
instance instSDiff : SDiff (Set α) := ⟨fun s t => setOf fun a => a ∈ s ∧ ¬a ∈ t⟩
instance instSingleton : Singleton α (Set α) := ⟨fun a => setOf fun b => b = a⟩
instance instInsert : Insert α (Set α) := ⟨fun a s => setOf fun b => b = a ∨ b ∈ s⟩
protected def compl (s : Set α) : Set α := setOf fun a => ¬a ∈ s
protected def Nonempty (s : Set α) : Prop := ∃ x, x ∈ s
def preimage (f : α → β) (s : Set β) : Set α := setOf fun a => f a ∈ s
def image (f : α → β) (s : Set α) : Set β := setOf fun b => ∃ a, a ∈ s ∧ f a = b
def range {ι : Sort w} (f : ι → α) : Set α := setOf fun x => ∃ y, f y = x
def powerset (s : Set α) : Set (Set α) := setOf fun t => t ⊆ s
def iUnion {ι : Sort w} (s : ι → Set β) : Set β := setOf fun x => ∃ i, x ∈ s i
def iInter {ι : Sort w} (s : ι → Set β) : Set β := setOf fun x => ∀ i, x ∈ s i
def sUnion (S : Set (Set α)) : Set α := setOf fun x => ∃ t, t ∈ S ∧ x ∈ t
def sInter (S : Set (Set α)) : Set α := setOf fun x => ∀ t, t ∈ S → x ∈ t
def Disjoint (s t : Set α) : Prop := ∀ ⦃a⦄, a ∈ s → ¬a ∈ t
postfix:max "ᶜ" => Set.compl
infixl:80 " '' " => Set.image
infixl:80 " ⁻¹' " => Set.preimage
prefix:100 "𝒫" => Set.powerset

/-! ### Membership -/

@[ext] protected theorem ext {a b : Set α} (h : ∀ x, x ∈ a ↔ x ∈ b) : a = b := funext fun x => propext (h x)
@[simp] theorem mem_setOf_eq {p : α → Prop} : (a ∈ setOf p) = p a := rfl
theorem mem_setOf {p : α → Prop} : a ∈ setOf p ↔ p a := Iff.rfl
@[simp] theorem setOf_mem_eq : setOf (fun x => x ∈ s) = s := rfl
theorem subset_def : (s ⊆ t) = ∀ x, x ∈ s → x ∈ t := rfl
@[simp] theorem mem_empty_iff_false (x : α) : x ∈ (∅ : Set α) ↔ False := Iff.rfl
theorem notMem_empty (x : α) : ¬x ∈ (∅ : Set α) := id
theorem not_mem_empty (x : α) : ¬x ∈ (∅ : Set α) := id
@[simp] theorem mem_univ (x : α) : x ∈ (univ : Set α) := trivial
@[simp] theorem mem_union (x : α) (a b : Set α) : x ∈ a ∪ b ↔ x ∈ a ∨ x ∈ b := Iff.rfl
@[simp] theorem mem_inter_iff (x : α) (a b : Set α) : x ∈ a ∩ b ↔ x ∈ a ∧ x ∈ b := Iff.rfl
@[simp] theorem mem_diff (x : α) : x ∈ s \ t ↔ x ∈ s ∧ ¬x ∈ t := Iff.rfl
@[simp] theorem mem_compl_iff (s : Set α) (x : α) : x ∈ sᶜ ↔ ¬x ∈ s := Iff.rfl
@[simp] theorem mem_singleton_iff : a ∈ ({b} : Set α) ↔ a = b := Iff.rfl
@[simp] theorem mem_insert_iff : x ∈ insert a s ↔ x = a ∨ x ∈ s := Iff.rfl
@[simp] theorem mem_preimage {f : α → β} {s : Set β} : a ∈ f ⁻¹' s ↔ f a ∈ s := Iff.rfl
@[simp] theorem mem_image (f : α → β) (s : Set α) (y : β) : y ∈ f '' s ↔ ∃ x, x ∈ s ∧ f x = y := Iff.rfl
@[simp] theorem mem_range {ι : Sort w} {f : ι → α} : x ∈ range f ↔ ∃ y, f y = x := Iff.rfl
@[simp] theorem mem_powerset_iff (x s : Set α) : x ∈ 𝒫 s ↔ x ⊆ s := Iff.rfl
@[simp] theorem mem_iUnion {ι : Sort w} {s : ι → Set α} : x ∈ iUnion s ↔ ∃ i, x ∈ s i := Iff.rfl
@[simp] theorem mem_iInter {ι : Sort w} {s : ι → Set α} : x ∈ iInter s ↔ ∀ i, x ∈ s i := Iff.rfl
@[simp] theorem mem_sUnion {S : Set (Set α)} : x ∈ sUnion S ↔ ∃ t, t ∈ S ∧ x ∈ t := Iff.rfl
@[simp] theorem mem_sInter {S : Set (Set α)} : x ∈ sInter S ↔ ∀ t, t ∈ S → x ∈ t := Iff.rfl
theorem mem_singleton (a : α) : a ∈ ({a} : Set α) := rfl
theorem eq_of_mem_singleton (h : x ∈ ({y} : Set α)) : x = y := h
theorem mem_insert (x : α) (s : Set α) : x ∈ insert x s := .inl rfl
theorem mem_insert_of_mem (y : α) (h : x ∈ s) : x ∈ insert y s := .inr h
theorem mem_image_of_mem (f : α → β) (h : x ∈ s) : f x ∈ f '' s := ⟨x, h, rfl⟩
theorem mem_range_self (f : α → β) (x : α) : f x ∈ range f := ⟨x, rfl⟩
theorem mem_union_left (t : Set α) (h : x ∈ s) : x ∈ s ∪ t := .inl h
theorem mem_union_right (s : Set α) (h : x ∈ t) : x ∈ s ∪ t := .inr h
theorem mem_inter (ha : x ∈ s) (hb : x ∈ t) : x ∈ s ∩ t := ⟨ha, hb⟩
theorem mem_of_mem_inter_left (h : x ∈ s ∩ t) : x ∈ s := h.1
theorem mem_of_mem_inter_right (h : x ∈ s ∩ t) : x ∈ t := h.2
theorem mem_of_mem_diff (h : x ∈ s \ t) : x ∈ s := h.1
theorem notMem_of_mem_diff (h : x ∈ s \ t) : ¬x ∈ t := h.2

/-! ### Inclusion -/

theorem Subset.refl (s : Set α) : s ⊆ s := fun _ => id
theorem Subset.rfl : s ⊆ s := Subset.refl s
theorem Subset.trans (h : s ⊆ t) (k : t ⊆ u) : s ⊆ u := fun _ hx => k (h hx)
theorem Subset.antisymm (h : s ⊆ t) (k : t ⊆ s) : s = t := Set.ext fun _ => ⟨@h _, @k _⟩
theorem Subset.antisymm_iff : s = t ↔ s ⊆ t ∧ t ⊆ s :=
  ⟨fun h => h ▸ ⟨Subset.rfl, Subset.rfl⟩, fun h => Subset.antisymm h.1 h.2⟩
theorem mem_of_subset_of_mem (h : s ⊆ t) (hx : x ∈ s) : x ∈ t := h hx
theorem not_subset : ¬s ⊆ t ↔ ∃ a, a ∈ s ∧ ¬a ∈ t := by simp [subset_def]
theorem eq_of_subset_of_subset (h : s ⊆ t) (k : t ⊆ s) : s = t := Subset.antisymm h k
@[simp] theorem empty_subset (s : Set α) : ∅ ⊆ s := fun _ h => h.elim
@[simp] theorem subset_univ (s : Set α) : s ⊆ univ := fun _ _ => trivial
theorem subset_empty_iff : s ⊆ ∅ ↔ s = ∅ :=
  ⟨fun h => Subset.antisymm h (empty_subset s), fun h => h ▸ Subset.rfl⟩
theorem univ_subset_iff : univ ⊆ s ↔ s = univ :=
  ⟨fun h => Subset.antisymm (subset_univ s) h, fun h => h ▸ Subset.rfl⟩
theorem eq_empty_iff_forall_notMem : s = ∅ ↔ ∀ x, ¬x ∈ s :=
  ⟨fun h x => h ▸ id, fun h => Set.ext fun x => iff_of_false (h x) id⟩
theorem eq_empty_of_forall_notMem (h : ∀ x, ¬x ∈ s) : s = ∅ := eq_empty_iff_forall_notMem.mpr h
theorem eq_univ_iff_forall : s = univ ↔ ∀ x, x ∈ s :=
  ⟨fun h _ => h ▸ trivial, fun h => Set.ext fun x => iff_of_true (h x) trivial⟩
theorem nonempty_iff_ne_empty : s.Nonempty ↔ s ≠ ∅ :=
  ⟨fun ⟨_, h⟩ e => by rw [e] at h; exact h,
   fun h => Classical.byContradiction fun k => h (eq_empty_of_forall_notMem (not_exists.mp k))⟩
theorem Nonempty.mono (h : s ⊆ t) : s.Nonempty → t.Nonempty
  | ⟨x, hx⟩ => ⟨x, h hx⟩
@[simp] theorem not_nonempty_empty : ¬(∅ : Set α).Nonempty := fun ⟨_, h⟩ => h
@[simp] theorem singleton_nonempty (a : α) : ({a} : Set α).Nonempty := ⟨a, rfl⟩
theorem singleton_subset_iff : {a} ⊆ s ↔ a ∈ s := ⟨fun h => h rfl, fun h _ e => e ▸ h⟩
@[simp] theorem subset_inter_iff : s ⊆ t ∩ u ↔ s ⊆ t ∧ s ⊆ u :=
  ⟨fun h => ⟨fun _ hx => (h hx).1, fun _ hx => (h hx).2⟩, fun h _ hx => ⟨h.1 hx, h.2 hx⟩⟩
@[simp] theorem union_subset_iff : s ∪ t ⊆ u ↔ s ⊆ u ∧ t ⊆ u :=
  ⟨fun h => ⟨fun _ hx => h (.inl hx), fun _ hx => h (.inr hx)⟩, fun h _ hx => hx.elim (@h.1 _) (@h.2 _)⟩
theorem inter_subset_left : s ∩ t ⊆ s := fun _ => And.left
theorem inter_subset_right : s ∩ t ⊆ t := fun _ => And.right
theorem subset_union_left : s ⊆ s ∪ t := fun _ => .inl
theorem subset_union_right : t ⊆ s ∪ t := fun _ => .inr
theorem subset_inter (h : u ⊆ s) (k : u ⊆ t) : u ⊆ s ∩ t := subset_inter_iff.mpr ⟨h, k⟩
theorem union_subset (h : s ⊆ u) (k : t ⊆ u) : s ∪ t ⊆ u := union_subset_iff.mpr ⟨h, k⟩
theorem inter_subset_inter {s₁ s₂ t₁ t₂ : Set α} (h : s₁ ⊆ t₁) (k : s₂ ⊆ t₂) : s₁ ∩ s₂ ⊆ t₁ ∩ t₂ :=
  fun _ => And.imp (@h _) (@k _)
theorem union_subset_union {s₁ s₂ t₁ t₂ : Set α} (h : s₁ ⊆ t₁) (k : s₂ ⊆ t₂) : s₁ ∪ s₂ ⊆ t₁ ∪ t₂ :=
  fun _ => Or.imp (@h _) (@k _)
theorem diff_subset : s \ t ⊆ s := fun _ => And.left
theorem inter_eq_left : s ∩ t = s ↔ s ⊆ t :=
  ⟨fun h _ hx => (h.symm ▸ hx : _ ∈ s ∩ t).2, fun h => Set.ext fun _ => and_iff_left_of_imp (@h _)⟩
theorem inter_eq_right : s ∩ t = t ↔ t ⊆ s :=
  ⟨fun h _ hx => (h.symm ▸ hx : _ ∈ s ∩ t).1, fun h => Set.ext fun _ => and_iff_right_of_imp (@h _)⟩
theorem union_eq_left : s ∪ t = s ↔ t ⊆ s :=
  ⟨fun h _ hx => h ▸ (.inr hx : _ ∈ s ∪ t), fun h => Set.ext fun _ => or_iff_left_of_imp (@h _)⟩
theorem union_eq_right : s ∪ t = t ↔ s ⊆ t :=
  ⟨fun h _ hx => h ▸ (.inl hx : _ ∈ s ∪ t), fun h => Set.ext fun _ => or_iff_right_of_imp (@h _)⟩
theorem ssubset_def : s ⊂ t ↔ s ⊆ t ∧ ¬t ⊆ s := Iff.rfl
theorem ssubset_iff_subset_ne : s ⊂ t ↔ s ⊆ t ∧ s ≠ t :=
  and_congr_right fun h => ⟨fun k e => k (e ▸ Subset.rfl), fun n k => n (Subset.antisymm h k)⟩
theorem powerset_mono : 𝒫 s ⊆ 𝒫 t ↔ s ⊆ t := ⟨fun h => h (Subset.refl s), fun h _ hx => Subset.trans hx h⟩

/-! ### Algebra of sets -/

theorem union_comm (a b : Set α) : a ∪ b = b ∪ a := Set.ext fun _ => or_comm
theorem union_assoc (a b c : Set α) : a ∪ b ∪ c = a ∪ (b ∪ c) := Set.ext fun _ => or_assoc
theorem union_left_comm (a b c : Set α) : a ∪ (b ∪ c) = b ∪ (a ∪ c) := Set.ext fun _ => or_left_comm
@[simp] theorem union_self (a : Set α) : a ∪ a = a := Set.ext fun _ => Iff.of_eq (or_self _)
@[simp] theorem union_empty (a : Set α) : a ∪ ∅ = a := Set.ext fun _ => or_iff_left id
@[simp] theorem empty_union (a : Set α) : ∅ ∪ a = a := Set.ext fun _ => or_iff_right id
@[simp] theorem union_univ (s : Set α) : s ∪ univ = univ := Set.ext fun _ => Iff.of_eq (or_true _)
@[simp] theorem univ_union (s : Set α) : univ ∪ s = univ := Set.ext fun _ => Iff.of_eq (true_or _)
theorem inter_comm (a b : Set α) : a ∩ b = b ∩ a := Set.ext fun _ => and_comm
theorem inter_assoc (a b c : Set α) : a ∩ b ∩ c = a ∩ (b ∩ c) := Set.ext fun _ => and_assoc
theorem inter_left_comm (a b c : Set α) : a ∩ (b ∩ c) = b ∩ (a ∩ c) := Set.ext fun _ => and_left_comm
@[simp] theorem inter_self (a : Set α) : a ∩ a = a := Set.ext fun _ => Iff.of_eq (and_self _)
@[simp] theorem inter_empty (a : Set α) : a ∩ ∅ = ∅ := Set.ext fun _ => Iff.of_eq (and_false _)
@[simp] theorem empty_inter (a : Set α) : ∅ ∩ a = ∅ := Set.ext fun _ => Iff.of_eq (false_and _)
@[simp] theorem inter_univ (a : Set α) : a ∩ univ = a := Set.ext fun _ => Iff.of_eq (and_true _)
@[simp] theorem univ_inter (a : Set α) : univ ∩ a = a := Set.ext fun _ => Iff.of_eq (true_and _)
theorem inter_union_distrib_left (s t u : Set α) : s ∩ (t ∪ u) = s ∩ t ∪ s ∩ u := Set.ext fun _ => and_or_left
theorem union_inter_distrib_right (s t u : Set α) : (s ∪ t) ∩ u = s ∩ u ∪ t ∩ u :=
  Set.ext fun _ => or_and_right
theorem union_inter_distrib_left (s t u : Set α) : s ∪ t ∩ u = (s ∪ t) ∩ (s ∪ u) :=
  Set.ext fun _ => or_and_left
theorem inter_union_distrib_right (s t u : Set α) : s ∩ t ∪ u = (s ∪ u) ∩ (t ∪ u) :=
  Set.ext fun _ => and_or_right
@[simp] theorem union_inter_self_left : s ∪ s ∩ t = s := union_eq_left.mpr inter_subset_left
@[simp] theorem inter_union_self_left : s ∩ (s ∪ t) = s := inter_eq_left.mpr subset_union_left
@[simp] theorem compl_compl (s : Set α) : sᶜᶜ = s := Set.ext fun _ => Classical.not_not
@[simp] theorem compl_empty : (∅ : Set α)ᶜ = univ := Set.ext fun _ => iff_of_true id trivial
@[simp] theorem compl_univ : (univ : Set α)ᶜ = ∅ := Set.ext fun _ => iff_of_false (· trivial) id
theorem compl_union (s t : Set α) : (s ∪ t)ᶜ = sᶜ ∩ tᶜ := Set.ext fun _ => not_or
theorem compl_inter (s t : Set α) : (s ∩ t)ᶜ = sᶜ ∪ tᶜ := Set.ext fun _ => not_and_or
@[simp] theorem union_compl_self (s : Set α) : s ∪ sᶜ = univ := Set.ext fun _ => iff_of_true (em _) trivial
@[simp] theorem compl_union_self (s : Set α) : sᶜ ∪ s = univ := (union_comm _ _).trans (union_compl_self s)
@[simp] theorem inter_compl_self (s : Set α) : s ∩ sᶜ = ∅ := Set.ext fun _ => iff_of_false and_not_self id
@[simp] theorem compl_inter_self (s : Set α) : sᶜ ∩ s = ∅ := (inter_comm _ _).trans (inter_compl_self s)
theorem compl_subset_compl : sᶜ ⊆ tᶜ ↔ t ⊆ s :=
  ⟨fun h _ hx => Classical.byContradiction fun k => h k hx, fun h _ hs ht => hs (h ht)⟩
theorem compl_injective : Function.Injective (@Set.compl α) := Function.LeftInverse.injective compl_compl
theorem subset_compl_comm : s ⊆ tᶜ ↔ t ⊆ sᶜ := ⟨fun h _ ht hs => h hs ht, fun h _ hs ht => h ht hs⟩
theorem diff_eq (s t : Set α) : s \ t = s ∩ tᶜ := rfl
@[simp] theorem diff_empty : s \ ∅ = s := Set.ext fun _ => and_iff_left id
@[simp] theorem empty_diff (s : Set α) : (∅ : Set α) \ s = ∅ := Set.ext fun _ => Iff.of_eq (false_and _)
@[simp] theorem diff_self : s \ s = ∅ := Set.ext fun _ => iff_of_false and_not_self id
@[simp] theorem diff_univ (s : Set α) : s \ univ = ∅ :=
  Set.ext fun _ => iff_of_false (fun h => h.2 trivial) id
theorem diff_diff : (s \ t) \ u = s \ (t ∪ u) :=
  Set.ext fun _ => and_assoc.trans (and_congr_right' not_or.symm)
@[simp] theorem diff_union_self : s \ t ∪ t = s ∪ t := Set.ext fun x =>
  ⟨Or.imp_left And.left, fun h => (em (x ∈ t)).elim .inr fun k => .inl ⟨h.resolve_right k, k⟩⟩
@[simp] theorem diff_inter_self : s \ t ∩ t = ∅ := Set.ext fun _ => iff_of_false (fun h => h.1.2 h.2) id
theorem insert_eq (x : α) (s : Set α) : insert x s = {x} ∪ s := rfl
theorem disjoint_iff_inter_eq_empty : Disjoint s t ↔ s ∩ t = ∅ :=
  ⟨fun h => eq_empty_of_forall_notMem fun _ hx => h hx.1 hx.2,
   fun h x hs ht => eq_empty_iff_forall_notMem.mp h x ⟨hs, ht⟩⟩
theorem Disjoint.symm (h : Disjoint s t) : Disjoint t s := fun _ ht hs => h hs ht
theorem disjoint_compl_right : Disjoint s sᶜ := fun _ h => not_not_intro h

/-! ### Images and preimages -/

variable {f : α → β} {g : β → γ}
@[simp] theorem preimage_empty : f ⁻¹' ∅ = ∅ := rfl
@[simp] theorem preimage_univ : f ⁻¹' univ = univ := rfl
theorem preimage_mono {s t : Set β} (h : s ⊆ t) : f ⁻¹' s ⊆ f ⁻¹' t := fun _ hx => h hx
@[simp] theorem preimage_inter {s t : Set β} : f ⁻¹' (s ∩ t) = f ⁻¹' s ∩ f ⁻¹' t := rfl
@[simp] theorem preimage_union {s t : Set β} : f ⁻¹' (s ∪ t) = f ⁻¹' s ∪ f ⁻¹' t := rfl
@[simp] theorem preimage_compl {s : Set β} : f ⁻¹' sᶜ = (f ⁻¹' s)ᶜ := rfl
@[simp] theorem preimage_diff (f : α → β) (s t : Set β) : f ⁻¹' (s \ t) = f ⁻¹' s \ f ⁻¹' t := rfl
@[simp] theorem preimage_id {s : Set α} : id ⁻¹' s = s := rfl
theorem preimage_comp {s : Set γ} : (g ∘ f) ⁻¹' s = f ⁻¹' (g ⁻¹' s) := rfl
@[simp] theorem image_empty (f : α → β) : f '' ∅ = ∅ := Set.ext fun _ => iff_of_false (fun ⟨_, h, _⟩ => h) id
theorem image_mono {s t : Set α} (h : s ⊆ t) : f '' s ⊆ f '' t := fun _ ⟨x, hx, e⟩ => ⟨x, h hx, e⟩
theorem image_subset (f : α → β) {s t : Set α} (h : s ⊆ t) : f '' s ⊆ f '' t := image_mono h
theorem image_union (f : α → β) (s t : Set α) : f '' (s ∪ t) = f '' s ∪ f '' t := by
  ext y
  constructor
  · rintro ⟨x, h | h, e⟩
    · exact .inl ⟨x, h, e⟩
    · exact .inr ⟨x, h, e⟩
  · rintro (⟨x, h, e⟩ | ⟨x, h, e⟩)
    · exact ⟨x, .inl h, e⟩
    · exact ⟨x, .inr h, e⟩
theorem image_inter_subset (f : α → β) (s t : Set α) : f '' (s ∩ t) ⊆ f '' s ∩ f '' t :=
  fun _ ⟨x, h, e⟩ => ⟨⟨x, h.1, e⟩, ⟨x, h.2, e⟩⟩
theorem image_inter {s t : Set α} (hf : Function.Injective f) : f '' (s ∩ t) = f '' s ∩ f '' t := by
  apply Subset.antisymm (image_inter_subset f s t)
  rintro y ⟨⟨x, hx, rfl⟩, ⟨z, hz, e⟩⟩
  exact ⟨x, ⟨hx, hf e ▸ hz⟩, rfl⟩
@[simp] theorem image_id (s : Set α) : id '' s = s := Set.ext fun _ => exists_eq_right
theorem image_comp (g : β → γ) (f : α → β) (s : Set α) : (g ∘ f) '' s = g '' (f '' s) := by
  ext z
  constructor
  · rintro ⟨x, hx, rfl⟩
    exact ⟨f x, ⟨x, hx, rfl⟩, rfl⟩
  · rintro ⟨y, ⟨x, hx, rfl⟩, rfl⟩
    exact ⟨x, hx, rfl⟩
@[simp] theorem image_subset_iff {s : Set α} {t : Set β} : f '' s ⊆ t ↔ s ⊆ f ⁻¹' t :=
  ⟨fun h x hx => h ⟨x, hx, rfl⟩, fun h _ ⟨_, hx, e⟩ => e ▸ h hx⟩
theorem subset_preimage_image (f : α → β) (s : Set α) : s ⊆ f ⁻¹' (f '' s) := fun x hx => ⟨x, hx, rfl⟩
theorem image_preimage_subset (f : α → β) (s : Set β) : f '' (f ⁻¹' s) ⊆ s := fun _ ⟨_, hx, e⟩ => e ▸ hx
theorem preimage_image_eq (s : Set α) (hf : Function.Injective f) : f ⁻¹' (f '' s) = s :=
  Subset.antisymm (fun _ ⟨_, hy, e⟩ => hf e ▸ hy) (subset_preimage_image f s)
theorem image_preimage_eq (s : Set β) (hf : Function.Surjective f) : f '' (f ⁻¹' s) = s :=
  Subset.antisymm (image_preimage_subset f s) fun y hy =>
    let ⟨x, e⟩ := hf y; ⟨x, mem_preimage.mpr (e.symm ▸ hy), e⟩
theorem image_univ : f '' univ = range f :=
  Set.ext fun _ => ⟨fun ⟨x, _, e⟩ => ⟨x, e⟩, fun ⟨x, e⟩ => ⟨x, trivial, e⟩⟩
theorem range_eq_univ : range f = univ ↔ Function.Surjective f := eq_univ_iff_forall
theorem range_comp (g : β → γ) (f : α → β) : range (g ∘ f) = g '' range f := by
  rw [← image_univ, ← image_univ, image_comp]
end Set
