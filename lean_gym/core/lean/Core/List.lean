prelude
import Core.NatMore
import Core.Data
set_option autoImplicit false
set_option linter.all false

/-! # Lists -/

universe u v w

namespace List
variable {α : Type u} {β : Type v} {γ : Type w}

theorem cons.injEq (a b : α) (as bs : List α) : (a :: as = b :: bs) = (a = b ∧ as = bs) :=
  propext ⟨fun h => by cases h; exact ⟨rfl, rfl⟩, fun ⟨h, k⟩ => by rw [h, k]⟩
theorem cons.inj {a b : α} {as bs : List α} (h : a :: as = b :: bs) : a = b ∧ as = bs :=
  cons.injEq a b as bs ▸ h
attribute [simp] cons.injEq
@[simp] theorem cons_ne_nil (a : α) (l : List α) : a :: l ≠ [] := fun h => nomatch h
@[simp] theorem nil_ne_cons (a : α) (l : List α) : [] ≠ a :: l := fun h => nomatch h
theorem cons_inj_right (a : α) {l l' : List α} : a :: l = a :: l' ↔ l = l' := by simp
theorem cons_eq_cons {a b : α} {l l' : List α} : a :: l = b :: l' ↔ a = b ∧ l = l' := by simp
@[simp] theorem cons_ne_self (a : α) (l : List α) : a :: l ≠ l := by
  induction l generalizing a with
  | nil => exact cons_ne_nil a []
  | cons b l ih => exact fun h => ih b (cons.inj h).2
theorem exists_cons_of_ne_nil : {l : List α} → l ≠ [] → ∃ b l', l = b :: l'
  | [], h => absurd rfl h
  | b :: l, _ => ⟨b, l, rfl⟩

/-! ### Definitions -/

def length : List α → Nat
  | [] => 0
  | _ :: as => length as + 1
protected def append : List α → List α → List α
  | [], bs => bs
  | a :: as, bs => a :: List.append as bs
instance instAppend : Append (List α) := ⟨List.append⟩
def map (f : α → β) : List α → List β
  | [] => []
  | a :: as => f a :: map f as
def filter (p : α → Bool) : List α → List α
  | [] => []
  | a :: as => match p a with
    | true => a :: filter p as
    | false => filter p as
def reverseAux : List α → List α → List α
  | [], r => r
  | a :: l, r => reverseAux l (a :: r)
def reverse (as : List α) : List α := reverseAux as []
def foldr (f : α → β → β) (init : β) : List α → β
  | [] => init
  | a :: l => f a (foldr f init l)
def foldl (f : β → α → β) : (init : β) → List α → β
  | b, [] => b
  | b, a :: l => foldl f (f b a) l
def flatten : List (List α) → List α
  | [] => []
  | l :: L => l ++ flatten L
def flatMap (b : α → List β) (as : List α) : List β := flatten (map b as)
def replicate : (n : Nat) → (a : α) → List α
  | 0, _ => []
  | n + 1, a => a :: replicate n a
def take : (n : Nat) → List α → List α
  | 0, _ => []
  | _ + 1, [] => []
  | n + 1, a :: as => a :: take n as
def drop : (n : Nat) → List α → List α
  | 0, as => as
  | _ + 1, [] => []
  | n + 1, _ :: as => drop n as
def head? : List α → Option α
  | [] => none
  | a :: _ => some a
def tail : List α → List α
  | [] => []
  | _ :: as => as
def isEmpty : List α → Bool
  | [] => true
  | _ :: _ => false
def all : List α → (α → Bool) → Bool
  | [], _ => true
  | h :: t, p => p h && all t p
def any : List α → (α → Bool) → Bool
  | [], _ => false
  | h :: t, p => p h || any t p
def zipWith (f : α → β → γ) : List α → List β → List γ
  | x :: xs, y :: ys => f x y :: zipWith f xs ys
  | _, _ => []
def zip : List α → List β → List (α × β) := zipWith Prod.mk
def sum [Add α] [Zero α] : List α → α := foldr (fun a b => a + b) 0
instance instZeroNat : Zero Nat := ⟨0⟩
instance instOneNat : One Nat := ⟨1⟩
inductive Mem (a : α) : List α → Prop
  | head (as : List α) : Mem a (a :: as)
  | tail (b : α) {as : List α} : Mem a as → Mem a (b :: as)
instance instMembership : Membership α (List α) := ⟨fun l a => Mem a l⟩

/-! ### `length` and `++` -/

@[simp] theorem length_nil : length ([] : List α) = 0 := rfl
@[simp] theorem length_cons {a : α} {as : List α} : length (a :: as) = length as + 1 := rfl
theorem length_singleton {a : α} : length [a] = 1 := rfl
theorem length_pos_of_ne_nil {l : List α} (h : l ≠ []) : 0 < l.length := by
  cases l with
  | nil => exact absurd rfl h
  | cons a l => exact Nat.zero_lt_succ _
@[simp] theorem length_eq_zero_iff {l : List α} : length l = 0 ↔ l = [] := by cases l <;> simp
theorem eq_nil_of_length_eq_zero {l : List α} : length l = 0 → l = [] := length_eq_zero_iff.mp
theorem ne_nil_of_length_pos {l : List α} (h : 0 < length l) : l ≠ [] :=
  fun e => Nat.lt_irrefl 0 (by rw [e] at h; exact h)
theorem length_pos_iff {l : List α} : 0 < length l ↔ l ≠ [] := ⟨ne_nil_of_length_pos, length_pos_of_ne_nil⟩

@[simp] theorem nil_append (as : List α) : [] ++ as = as := rfl
@[simp] theorem cons_append {a : α} {as bs : List α} : (a :: as) ++ bs = a :: (as ++ bs) := rfl
@[simp] theorem append_nil (as : List α) : as ++ [] = as := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [cons_append, ih]
@[simp] theorem append_assoc (as bs cs : List α) : (as ++ bs) ++ cs = as ++ (bs ++ cs) := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [cons_append, cons_append, cons_append, ih]
theorem append_cons (as : List α) (b : α) (bs : List α) : as ++ b :: bs = as ++ [b] ++ bs := by simp
theorem singleton_append {x : α} {ys : List α} : [x] ++ ys = x :: ys := rfl
@[simp] theorem length_append {as bs : List α} : (as ++ bs).length = as.length + bs.length := by
  induction as with
  | nil => rw [nil_append, length_nil, Nat.zero_add]
  | cons a as ih => rw [cons_append, length_cons, ih, length_cons, Nat.add_right_comm]
@[simp] theorem append_eq_nil_iff {p q : List α} : p ++ q = [] ↔ p = [] ∧ q = [] := by cases p <;> simp
theorem append_ne_nil_of_left_ne_nil {s : List α} (h : s ≠ []) (t : List α) : s ++ t ≠ [] := by simp [h]
theorem append_cancel_left {as bs cs : List α} (h : as ++ bs = as ++ cs) : bs = cs := by
  induction as with
  | nil => exact h
  | cons a as ih => exact ih (cons.inj h).2
@[simp] theorem append_cancel_left_eq (as bs cs : List α) : (as ++ bs = as ++ cs) = (bs = cs) :=
  propext ⟨append_cancel_left, congrArg (as ++ ·)⟩
theorem append_right_inj {t₁ t₂ : List α} (s : List α) : s ++ t₁ = s ++ t₂ ↔ t₁ = t₂ := by simp

/-! ### `map` -/

@[simp] theorem map_nil {f : α → β} : map f [] = [] := rfl
@[simp] theorem map_cons {f : α → β} {a : α} {l : List α} : map f (a :: l) = f a :: map f l := rfl
@[simp] theorem length_map {as : List α} (f : α → β) : (as.map f).length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [map_cons, length_cons, ih, length_cons]
@[simp] theorem map_append {f : α → β} {l₁ l₂ : List α} : map f (l₁ ++ l₂) = map f l₁ ++ map f l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih => rw [cons_append, map_cons, ih, map_cons, cons_append]
@[simp] theorem map_map {g : β → γ} {f : α → β} {l : List α} : map g (map f l) = map (g ∘ f) l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, map_cons, ih]; rfl
@[simp] theorem map_id_fun : map (id : α → α) = id := funext fun l => by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, ih]; rfl
theorem map_id (l : List α) : map (id : α → α) l = l := congrFun map_id_fun l
@[simp] theorem map_id' (l : List α) : map (fun a => a) l = l := map_id l
@[simp] theorem map_eq_nil_iff {f : α → β} {l : List α} : map f l = [] ↔ l = [] := by cases l <;> simp
theorem map_congr_left {f g : α → β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : map f l = map g l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, map_cons, h a (.head l), ih fun b hb => h b (.tail a hb)]
theorem map_injective {f : α → β} (hf : Function.Injective f) : Function.Injective (map f) := by
  intro l
  induction l with
  | nil => intro l' h; cases l' with
    | nil => rfl
    | cons b l' => cases h
  | cons a l ih => intro l' h; cases l' with
    | nil => cases h
    | cons b l' => simp at h; rw [hf h.1, ih h.2]

/-! ### `reverse` -/

theorem reverseAux_eq_append {as bs : List α} : reverseAux as bs = reverseAux as [] ++ bs := by
  induction as generalizing bs with
  | nil => rfl
  | cons a as ih =>
    show reverseAux as (a :: bs) = reverseAux as [a] ++ bs
    rw [ih, ih (bs := [a]), append_assoc]; rfl
@[simp] theorem reverse_nil : reverse ([] : List α) = [] := rfl
@[simp] theorem reverse_cons {a : α} {as : List α} : reverse (a :: as) = reverse as ++ [a] :=
  reverseAux_eq_append (as := as) (bs := [a])
theorem reverse_singleton (a : α) : reverse [a] = [a] := rfl
@[simp] theorem reverse_append {as bs : List α} : reverse (as ++ bs) = reverse bs ++ reverse as := by
  induction as with
  | nil => rw [nil_append, reverse_nil, append_nil]
  | cons a as ih => rw [cons_append, reverse_cons, ih, reverse_cons, append_assoc]
@[simp] theorem reverse_reverse (as : List α) : as.reverse.reverse = as := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, reverse_append, ih]; rfl
theorem reverse_concat {l : List α} {a : α} : (l ++ [a]).reverse = a :: l.reverse := by simp
@[simp] theorem length_reverse {as : List α} : as.reverse.length = as.length := by
  induction as with
  | nil => rfl
  | cons a as ih => rw [reverse_cons, length_append, ih]; rfl
@[simp] theorem map_reverse {f : α → β} {l : List α} : map f l.reverse = (map f l).reverse := by
  induction l with
  | nil => rfl
  | cons a l ih => simp [ih]
theorem reverse_injective : Function.Injective (@reverse α) := Function.LeftInverse.injective reverse_reverse
@[simp] theorem reverse_inj {xs ys : List α} : xs.reverse = ys.reverse ↔ xs = ys := reverse_injective.eq_iff
@[simp] theorem reverse_eq_nil_iff {xs : List α} : xs.reverse = [] ↔ xs = [] := by cases xs <;> simp
theorem reverse_involutive : Function.Involutive (@reverse α) := reverse_reverse
/-- Induction from the end of the list. -/
@[elab_as_elim] theorem reverseRecOn {motive : List α → Prop} (l : List α) (nil : motive [])
    (append_singleton : ∀ l a, motive l → motive (l ++ [a])) : motive l := by
  have h : ∀ l : List α, motive l.reverse := by
    intro l
    induction l with
    | nil => exact nil
    | cons a l ih => rw [reverse_cons]; exact append_singleton _ a ih
  exact reverse_reverse l ▸ h l.reverse

/-! ### Membership -/

@[simp] theorem not_mem_nil {a : α} : ¬a ∈ ([] : List α) := fun h => nomatch h
@[simp] theorem mem_cons {a b : α} {l : List α} : a ∈ b :: l ↔ a = b ∨ a ∈ l := by
  constructor
  · intro h
    cases h with
    | head => exact .inl rfl
    | tail _ h => exact .inr h
  · rintro (rfl | h)
    · exact .head l
    · exact .tail b h
theorem mem_cons_self {a : α} {l : List α} : a ∈ a :: l := .head l
theorem mem_cons_of_mem (y : α) {a : α} {l : List α} (h : a ∈ l) : a ∈ y :: l := .tail y h
theorem mem_singleton {a b : α} : a ∈ [b] ↔ a = b := by simp
theorem mem_singleton_self (a : α) : a ∈ [a] := .head []
theorem eq_of_mem_singleton {a b : α} (h : a ∈ [b]) : a = b := mem_singleton.mp h
theorem ne_nil_of_mem {a : α} {l : List α} (h : a ∈ l) : l ≠ [] :=
  fun e => by rw [e] at h; exact not_mem_nil h
theorem length_pos_of_mem {a : α} {l : List α} (h : a ∈ l) : 0 < l.length :=
  length_pos_of_ne_nil (ne_nil_of_mem h)
theorem exists_mem_of_ne_nil (l : List α) (h : l ≠ []) : ∃ x, x ∈ l := by
  cases l with
  | nil => exact absurd rfl h
  | cons a l => exact ⟨a, .head l⟩
theorem eq_nil_iff_forall_not_mem {l : List α} : l = [] ↔ ∀ a, ¬a ∈ l := by
  cases l with
  | nil => exact iff_of_true rfl fun _ => not_mem_nil
  | cons a l => exact iff_of_false (cons_ne_nil a l) fun h => h a (.head l)
@[simp] theorem mem_append {a : α} {s t : List α} : a ∈ s ++ t ↔ a ∈ s ∨ a ∈ t := by
  induction s with
  | nil => simp
  | cons b s ih => simp [ih, or_assoc]
theorem mem_append_left {a : α} {as : List α} (bs : List α) (h : a ∈ as) : a ∈ as ++ bs :=
  mem_append.mpr (.inl h)
theorem mem_append_right {a : α} (as : List α) {bs : List α} (h : a ∈ bs) : a ∈ as ++ bs :=
  mem_append.mpr (.inr h)
@[simp] theorem mem_map {f : α → β} {l : List α} {b : β} : b ∈ l.map f ↔ ∃ a, a ∈ l ∧ f a = b := by
  induction l with
  | nil => simp
  | cons c l ih =>
    rw [map_cons, mem_cons, ih]
    constructor
    · rintro (rfl | ⟨a, h, rfl⟩)
      · exact ⟨c, .head l, rfl⟩
      · exact ⟨a, .tail c h, rfl⟩
    · rintro ⟨a, h, rfl⟩
      cases h with
      | head => exact .inl rfl
      | tail _ h => exact .inr ⟨a, h, rfl⟩
theorem mem_map_of_mem {f : α → β} {a : α} {l : List α} (h : a ∈ l) : f a ∈ map f l := mem_map.mpr ⟨a, h, rfl⟩
@[simp] theorem mem_reverse {x : α} {as : List α} : x ∈ reverse as ↔ x ∈ as := by
  induction as with
  | nil => simp
  | cons a as ih => simp [ih, or_comm]
theorem append_of_mem {a : α} {l : List α} (h : a ∈ l) : ∃ s t, l = s ++ a :: t := by
  induction h with
  | head as => exact ⟨[], as, rfl⟩
  | tail b _ ih =>
    obtain ⟨s, t, rfl⟩ := ih
    exact ⟨b :: s, t, rfl⟩
theorem forall_mem_nil (p : α → Prop) : ∀ x, x ∈ ([] : List α) → p x := fun _ h => absurd h not_mem_nil
theorem forall_mem_cons {p : α → Prop} {a : α} {l : List α} :
    (∀ x, x ∈ a :: l → p x) ↔ p a ∧ ∀ x, x ∈ l → p x := by
  simp [or_imp, forall_and]
theorem forall_mem_append {p : α → Prop} {l₁ l₂ : List α} :
    (∀ x, x ∈ l₁ ++ l₂ → p x) ↔ (∀ x, x ∈ l₁ → p x) ∧ ∀ x, x ∈ l₂ → p x := by
  simp [or_imp, forall_and]

/-! ### `filter`, `all`, `any` -/

@[simp] theorem filter_nil (p : α → Bool) : filter p [] = [] := rfl
theorem filter_cons_of_pos {p : α → Bool} {a : α} {l : List α} (h : p a = true) :
    filter p (a :: l) = a :: filter p l := by rw [filter, h]
theorem filter_cons_of_neg {p : α → Bool} {a : α} {l : List α} (h : ¬p a = true) :
    filter p (a :: l) = filter p l := by rw [filter, Bool.eq_false_of_ne_true h]
theorem filter_cons {x : α} {xs : List α} {p : α → Bool} :
    (x :: xs).filter p = if p x = true then x :: xs.filter p else xs.filter p := by
  by_cases h : p x = true
  · rw [if_pos h, filter_cons_of_pos h]
  · rw [if_neg h, filter_cons_of_neg h]
@[simp] theorem filter_append {p : α → Bool} (l₁ l₂ : List α) :
    filter p (l₁ ++ l₂) = filter p l₁ ++ filter p l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih =>
    rw [cons_append]
    by_cases h : p a = true
    · rw [filter_cons_of_pos h, ih, filter_cons_of_pos h, cons_append]
    · rw [filter_cons_of_neg h, ih, filter_cons_of_neg h]
@[simp] theorem mem_filter {p : α → Bool} {x : α} {as : List α} : x ∈ filter p as ↔ x ∈ as ∧ p x = true := by
  induction as with
  | nil => simp
  | cons a as ih =>
    by_cases h : p a = true
    · rw [filter_cons_of_pos h, mem_cons, mem_cons, ih, or_and_right]
      exact or_congr_left ⟨fun e => ⟨e, e ▸ h⟩, And.left⟩
    · rw [filter_cons_of_neg h, ih, mem_cons, or_and_right]
      exact (or_iff_right fun ⟨e, k⟩ => h (e ▸ k)).symm
theorem length_filter_le (p : α → Bool) (l : List α) : (l.filter p).length ≤ l.length := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    by_cases h : p a = true
    · rw [filter_cons_of_pos h]; exact Nat.succ_le_succ ih
    · rw [filter_cons_of_neg h]; exact .step ih
@[simp] theorem filter_true (l : List α) : filter (fun _ => true) l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [filter_cons_of_pos rfl, ih]
@[simp] theorem filter_false (l : List α) : filter (fun _ => false) l = [] := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [filter_cons_of_neg Bool.false_ne_true, ih]
@[simp] theorem filter_filter {p q : α → Bool} {l : List α} :
    filter p (filter q l) = filter (fun a => p a && q a) l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    cases hq : q a with
    | true => cases hp : p a with
      | true => rw [filter_cons_of_pos hq, filter_cons_of_pos hp, ih,
          filter_cons_of_pos (by rw [hp, hq]; rfl)]
      | false => rw [filter_cons_of_pos hq, filter_cons_of_neg (by simp [hp]), ih,
          filter_cons_of_neg (by simp [hp])]
    | false => rw [filter_cons_of_neg (by simp [hq]), ih, filter_cons_of_neg (by simp [hq])]
theorem filter_map {p : β → Bool} {f : α → β} {l : List α} :
    filter p (map f l) = map f (filter (p ∘ f) l) := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    by_cases h : p (f a) = true
    · rw [map_cons, filter_cons_of_pos h, filter_cons_of_pos (p := p ∘ f) h, map_cons, ih]
    · rw [map_cons, filter_cons_of_neg h, filter_cons_of_neg (p := p ∘ f) h, ih]
@[simp] theorem all_nil {p : α → Bool} : ([] : List α).all p = true := rfl
@[simp] theorem all_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).all p = (p a && l.all p) := rfl
@[simp] theorem any_nil {p : α → Bool} : ([] : List α).any p = false := rfl
@[simp] theorem any_cons {p : α → Bool} {a : α} {l : List α} : (a :: l).any p = (p a || l.any p) := rfl
theorem all_eq_true {l : List α} {p : α → Bool} : l.all p = true ↔ ∀ x, x ∈ l → p x = true := by
  induction l with
  | nil => simp
  | cons a l ih => rw [all_cons, Bool.and_eq_true, ih, forall_mem_cons]
theorem any_eq_true {l : List α} {p : α → Bool} : l.any p = true ↔ ∃ x, x ∈ l ∧ p x = true := by
  induction l with
  | nil => simp
  | cons a l ih =>
    rw [any_cons, Bool.or_eq_true, ih]
    constructor
    · rintro (h | ⟨x, hx, h⟩)
      · exact ⟨a, .head l, h⟩
      · exact ⟨x, .tail a hx, h⟩
    · rintro ⟨x, hx, h⟩
      cases hx with
      | head => exact .inl h
      | tail _ hx => exact .inr ⟨x, hx, h⟩
theorem all_append {p : α → Bool} {xs ys : List α} : (xs ++ ys).all p = (xs.all p && ys.all p) := by
  induction xs with
  | nil => rfl
  | cons a xs ih => rw [cons_append, all_cons, ih, all_cons, Bool.and_assoc]
theorem any_append {p : α → Bool} {xs ys : List α} : (xs ++ ys).any p = (xs.any p || ys.any p) := by
  induction xs with
  | nil => rfl
  | cons a xs ih => rw [cons_append, any_cons, ih, any_cons, Bool.or_assoc]

/-! ### Folds, `flatten`, `sum` -/

@[simp] theorem foldr_nil {f : α → β → β} {b : β} : foldr f b [] = b := rfl
@[simp] theorem foldr_cons {a : α} {l : List α} {f : α → β → β} {b : β} :
    (a :: l).foldr f b = f a (l.foldr f b) := rfl
@[simp] theorem foldl_nil {f : β → α → β} {b : β} : [].foldl f b = b := rfl
@[simp] theorem foldl_cons {a : α} {l : List α} {f : β → α → β} {b : β} :
    (a :: l).foldl f b = l.foldl f (f b a) := rfl
@[simp] theorem foldr_append {f : α → β → β} {b : β} {l l' : List α} :
    (l ++ l').foldr f b = l.foldr f (l'.foldr f b) := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [cons_append, foldr_cons, ih, foldr_cons]
@[simp] theorem foldl_append {f : β → α → β} {b : β} {l l' : List α} :
    (l ++ l').foldl f b = l'.foldl f (l.foldl f b) := by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => exact ih
@[simp] theorem foldr_reverse {l : List α} {f : α → β → β} {b : β} :
    l.reverse.foldr f b = l.foldl (fun x y => f y x) b := by
  induction l generalizing b with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, foldr_append, ih]; rfl
@[simp] theorem foldl_reverse {l : List α} {f : β → α → β} {b : β} :
    l.reverse.foldl f b = l.foldr (fun x y => f y x) b := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, foldl_append, ih]; rfl
theorem foldr_map {f : α → β} {g : β → γ → γ} {l : List α} {init : γ} :
    (l.map f).foldr g init = l.foldr (fun x y => g (f x) y) init := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [map_cons, foldr_cons, ih]; rfl
@[simp] theorem foldr_cons_nil (l : List α) : foldr cons [] l = l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [foldr_cons, ih]
@[simp] theorem flatten_nil : ([] : List (List α)).flatten = [] := rfl
@[simp] theorem flatten_cons {l : List α} {L : List (List α)} : (l :: L).flatten = l ++ L.flatten := rfl
@[simp] theorem flatten_append {L₁ L₂ : List (List α)} : (L₁ ++ L₂).flatten = L₁.flatten ++ L₂.flatten := by
  induction L₁ with
  | nil => rfl
  | cons l L ih => rw [cons_append, flatten_cons, ih, flatten_cons, append_assoc]
theorem map_flatten {f : α → β} {L : List (List α)} : L.flatten.map f = (L.map (map f)).flatten := by
  induction L with
  | nil => rfl
  | cons l L ih => rw [flatten_cons, map_append, ih, map_cons, flatten_cons]
@[simp] theorem sum_nil [Add α] [Zero α] : ([] : List α).sum = 0 := rfl
@[simp] theorem sum_cons [Add α] [Zero α] {a : α} {l : List α} : (a :: l).sum = a + l.sum := rfl
theorem sum_append_nat {l₁ l₂ : List Nat} : (l₁ ++ l₂).sum = l₁.sum + l₂.sum := by
  induction l₁ with
  | nil => exact (Nat.zero_add _).symm
  | cons a l ih => rw [cons_append, sum_cons, ih, sum_cons, Nat.add_assoc]
theorem sum_reverse_nat (xs : List Nat) : xs.reverse.sum = xs.sum := by
  induction xs with
  | nil => rfl
  | cons a l ih => rw [reverse_cons, sum_append_nat, ih, sum_cons, Nat.add_comm]; rfl

/-! ### `replicate`, `take`, `drop`, `zip` -/

@[simp] theorem replicate_zero {a : α} : replicate 0 a = [] := rfl
theorem replicate_succ {a : α} {n : Nat} : replicate (n + 1) a = a :: replicate n a := rfl
@[simp] theorem length_replicate {n : Nat} {a : α} : (replicate n a).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [replicate_succ, length_cons, ih]
@[simp] theorem mem_replicate {a b : α} {n : Nat} : b ∈ replicate n a ↔ n ≠ 0 ∧ b = a := by
  induction n with
  | zero => simp
  | succ n ih => rw [replicate_succ, mem_cons, ih]; simp
theorem eq_of_mem_replicate {a b : α} {n : Nat} (h : b ∈ replicate n a) : b = a := (mem_replicate.mp h).2
@[simp] theorem map_replicate {f : α → β} {n : Nat} {a : α} : (replicate n a).map f = replicate n (f a) := by
  induction n with
  | zero => rfl
  | succ n ih => rw [replicate_succ, map_cons, ih]; rfl
theorem replicate_append_replicate {n m : Nat} {a : α} :
    replicate n a ++ replicate m a = replicate (n + m) a := by
  induction n with
  | zero => rw [replicate_zero, nil_append, Nat.zero_add]
  | succ n ih => rw [replicate_succ, cons_append, ih, Nat.add_right_comm]; rfl
@[simp] theorem take_zero {l : List α} : l.take 0 = [] := rfl
@[simp] theorem drop_zero {l : List α} : l.drop 0 = l := rfl
@[simp] theorem take_nil {n : Nat} : ([] : List α).take n = [] := by cases n <;> rfl
@[simp] theorem drop_nil {n : Nat} : ([] : List α).drop n = [] := by cases n <;> rfl
@[simp] theorem take_succ_cons {a : α} {as : List α} {n : Nat} : (a :: as).take (n + 1) = a :: as.take n :=
  rfl
@[simp] theorem drop_succ_cons {a : α} {l : List α} {n : Nat} : (a :: l).drop (n + 1) = l.drop n := rfl
@[simp] theorem take_append_drop (n : Nat) (l : List α) : take n l ++ drop n l = l := by
  induction n generalizing l with
  | zero => rfl
  | succ n ih => cases l with
    | nil => rfl
    | cons a l => rw [take_succ_cons, drop_succ_cons, cons_append, ih]
@[simp] theorem length_take {n : Nat} {l : List α} : (take n l).length = min n l.length := by
  induction n generalizing l with
  | zero => exact (Nat.zero_min _).symm
  | succ n ih => cases l with
    | nil => exact (Nat.min_zero _).symm
    | cons a l =>
      rw [take_succ_cons, length_cons, ih, length_cons, Nat.min_def, Nat.min_def]
      by_cases h : n ≤ l.length
      · rw [if_pos h, if_pos (Nat.succ_le_succ h)]
      · rw [if_neg h, if_neg fun k => h (Nat.le_of_succ_le_succ k)]
@[simp] theorem length_drop {n : Nat} {l : List α} : (drop n l).length = l.length - n := by
  induction n generalizing l with
  | zero => rfl
  | succ n ih => cases l with
    | nil => exact (Nat.zero_sub _).symm
    | cons a l => rw [drop_succ_cons, ih, length_cons, Nat.add_sub_add_right]
@[simp] theorem take_length {l : List α} : l.take l.length = l := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [length_cons, take_succ_cons, ih]
@[simp] theorem drop_length {l : List α} : l.drop l.length = [] := by
  induction l with
  | nil => rfl
  | cons a l ih => rw [length_cons, drop_succ_cons, ih]
@[simp] theorem drop_drop {i j : Nat} {l : List α} : drop i (drop j l) = drop (j + i) l := by
  induction j generalizing l with
  | zero => rw [drop_zero, Nat.zero_add]
  | succ j ih => cases l with
    | nil => simp
    | cons a l => rw [drop_succ_cons, ih, Nat.add_right_comm, drop_succ_cons]
theorem take_left {l₁ l₂ : List α} : take l₁.length (l₁ ++ l₂) = l₁ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih => rw [length_cons, cons_append, take_succ_cons, ih]
theorem drop_left {l₁ l₂ : List α} : drop l₁.length (l₁ ++ l₂) = l₂ := by
  induction l₁ with
  | nil => rfl
  | cons a l ih => rw [length_cons, cons_append, drop_succ_cons, ih]
@[simp] theorem map_take {f : α → β} {l : List α} {n : Nat} : (take n l).map f = take n (map f l) := by
  induction n generalizing l with
  | zero => rfl
  | succ n ih => cases l with
    | nil => rfl
    | cons a l => rw [take_succ_cons, map_cons, ih, map_cons, take_succ_cons]
@[simp] theorem zipWith_nil_left {f : α → β → γ} {l : List β} : zipWith f [] l = [] := by cases l <;> rfl
@[simp] theorem zipWith_nil_right {f : α → β → γ} {l : List α} : zipWith f l [] = [] := by cases l <;> rfl
@[simp] theorem zipWith_cons_cons {f : α → β → γ} {a : α} {as : List α} {b : β} {bs : List β} :
    zipWith f (a :: as) (b :: bs) = f a b :: zipWith f as bs := rfl
@[simp] theorem zip_nil_left {l : List β} : zip ([] : List α) l = [] := zipWith_nil_left
@[simp] theorem zip_nil_right {l : List α} : zip l ([] : List β) = [] := zipWith_nil_right
@[simp] theorem zip_cons_cons {a : α} {as : List α} {b : β} {bs : List β} :
    zip (a :: as) (b :: bs) = (a, b) :: zip as bs := rfl

/-! ### Small observers, decidability -/

@[simp] theorem head?_nil : ([] : List α).head? = none := rfl
@[simp] theorem head?_cons {a : α} {l : List α} : (a :: l).head? = some a := rfl
@[simp] theorem tail_nil : ([] : List α).tail = [] := rfl
@[simp] theorem tail_cons {a : α} {as : List α} : (a :: as).tail = as := rfl
@[simp] theorem length_tail {l : List α} : l.tail.length = l.length - 1 := by cases l <;> rfl
@[simp] theorem isEmpty_nil : ([] : List α).isEmpty = true := rfl
@[simp] theorem isEmpty_cons {x : α} {xs : List α} : (x :: xs).isEmpty = false := rfl
@[simp] theorem isEmpty_iff {l : List α} : l.isEmpty = true ↔ l = [] := by cases l <;> simp
instance instDecidableEq [DecidableEq α] : DecidableEq (List α)
  | [], [] => isTrue rfl
  | [], _ :: _ => isFalse (fun h => nomatch h)
  | _ :: _, [] => isFalse (fun h => nomatch h)
  | a :: as, b :: bs => match decEq a b, instDecidableEq as bs with
    | isTrue h, isTrue k => isTrue (by rw [h, k])
    | isFalse h, _ => isFalse (fun e => h (cons.inj e).1)
    | _, isFalse k => isFalse (fun e => k (cons.inj e).2)
instance instDecidableMem [DecidableEq α] (a : α) : (l : List α) → Decidable (a ∈ l)
  | [] => isFalse not_mem_nil
  | b :: l => match decEq a b, instDecidableMem a l with
    | isTrue h, _ => isTrue (mem_cons.mpr (.inl h))
    | _, isTrue k => isTrue (.tail b k)
    | isFalse h, isFalse k => isFalse (fun m => (mem_cons.mp m).elim h k)
instance instDecidableForallMem {p : α → Prop} [DecidablePred p] : (l : List α) → Decidable (∀ x, x ∈ l → p x)
  | [] => isTrue (forall_mem_nil p)
  | a :: l => have := instDecidableForallMem (p := p) l; decidable_of_iff _ forall_mem_cons.symm
end List
