prelude
import Core.List
import Core.Set
import Core.Algebra
set_option autoImplicit false
set_option linter.all false

/-!
# What `ac_rfl` needs: normal forms of associative (and commutative, idempotent) operations

The tactic turns both sides into a `Lean.Data.AC.Expr` over a list of variables and closes the goal by
`Lean.Data.AC.Context.eq_of_norm`. The names, fields and arguments below are those of Init.Data.AC; the
proof is ours.
-/

universe u

namespace Std
variable {α : Sort u}
class Associative (op : α → α → α) : Prop where
  assoc : ∀ a b c : α, op (op a b) c = op a (op b c)
class Commutative (op : α → α → α) : Prop where
  comm : ∀ a b : α, op a b = op b a
class IdempotentOp (op : α → α → α) : Prop where
  idempotent : ∀ x : α, op x x = x
class LawfulIdentity (op : α → α → α) (o : outParam α) : Prop where
  left_id : ∀ a : α, op o a = a
  right_id : ∀ a : α, op a o = a
end Std

namespace Lean.Data.AC
open Std

inductive Expr where
  | var (x : Nat)
  | op (lhs rhs : Expr)
structure Variable {α : Sort u} (op : α → α → α) : Type u where
  value : α
  neutral : Option (PLift (LawfulIdentity op value))
structure Context (α : Sort u) where
  op : α → α → α
  assoc : Associative op
  comm : Option (PLift (Commutative op))
  idem : Option (PLift (IdempotentOp op))
  vars : List (Variable op)
  arbitrary : α

/-! ### Evaluation and normal form -/

def get {β : Type u} : List β → Nat → β → β
  | [], _, d => d
  | b :: _, 0, _ => b
  | _ :: bs, n + 1, d => get bs n d
variable {α : Sort u} (ctx : Context α)
def Context.var (x : Nat) : Variable ctx.op := get ctx.vars x ⟨ctx.arbitrary, none⟩
def Context.eval : Expr → α
  | .var x => (ctx.var x).value
  | .op l r => ctx.op (eval l) (eval r)
def Expr.toList : Expr → List Nat
  | .var x => [x]
  | .op l r => l.toList ++ r.toList
/-- The value of `x :: xs`, bracketed to the right. -/
def Context.evalCons : Nat → List Nat → α
  | x, [] => (ctx.var x).value
  | x, y :: ys => ctx.op (ctx.var x).value (evalCons y ys)
def Context.evalList : List Nat → α
  | [] => ctx.arbitrary
  | x :: xs => ctx.evalCons x xs
def insert (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => cond (Nat.ble x y) (x :: y :: ys) (y :: insert x ys)
def sort : List Nat → List Nat
  | [] => []
  | x :: xs => insert x (sort xs)
def mergeCons (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => cond (Nat.beq x y) (y :: ys) (x :: y :: ys)
def mergeIdem : List Nat → List Nat
  | [] => []
  | x :: xs => mergeCons x (mergeIdem xs)
/-- `x :: xs` without one of its first two elements, if that one is neutral. -/
def Context.dropNeutral (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => cond (ctx.var x).neutral.isSome (y :: ys)
      (cond ((ctx.var y).neutral.isSome && ys.isEmpty) [x] (x :: y :: ys))
def Context.removeNeutrals : List Nat → List Nat
  | [] => []
  | x :: xs => ctx.dropNeutral x (removeNeutrals xs)
def Context.norm (e : Expr) : List Nat :=
  let xs := ctx.removeNeutrals e.toList
  let xs := cond ctx.comm.isSome (sort xs) xs
  cond ctx.idem.isSome (mergeIdem xs) xs
def eqList : List Nat → List Nat → Bool
  | [], [] => true
  | x :: xs, y :: ys => Nat.beq x y && eqList xs ys
  | _, _ => false
instance instBEqList : BEq (List Nat) := ⟨eqList⟩
theorem eq_of_eqList : ∀ {xs ys : List Nat}, eqList xs ys = true → xs = ys
  | [], [], _ => rfl
  | x :: xs, y :: ys, h => by
    have ⟨e, k⟩ := Bool.and_eq_true_iff.mp h
    rw [Nat.eq_of_beq_eq_true x y e, eq_of_eqList k]

/-! ### The normal form has the same value -/

theorem evalList_append (x : Nat) (xs : List Nat) (y : Nat) (ys : List Nat) :
    ctx.evalList ((x :: xs) ++ (y :: ys)) = ctx.op (ctx.evalList (x :: xs)) (ctx.evalList (y :: ys)) := by
  induction xs generalizing x with
  | nil => rfl
  | cons z zs ih =>
    show ctx.op _ (ctx.evalList ((z :: zs) ++ (y :: ys))) = ctx.op (ctx.op _ (ctx.evalList (z :: zs))) _
    rw [ih, ctx.assoc.assoc]
theorem toList_ne_nil : ∀ e : Expr, ∃ x xs, e.toList = x :: xs
  | .var x => ⟨x, [], rfl⟩
  | .op l r => by
    obtain ⟨x, xs, h⟩ := toList_ne_nil l
    exact ⟨x, xs ++ r.toList, by rw [Expr.toList, h]; rfl⟩
theorem evalList_toList (e : Expr) : ctx.evalList e.toList = ctx.eval e := by
  induction e with
  | var x => rfl
  | op l r ihl ihr =>
    obtain ⟨x, xs, hx⟩ := toList_ne_nil l
    obtain ⟨y, ys, hy⟩ := toList_ne_nil r
    rw [Expr.toList, hx, hy, evalList_append, ← hx, ← hy, ihl, ihr]; rfl
theorem evalList_cons (x : Nat) {xs ys : List Nat} (h : ctx.evalList xs = ctx.evalList ys)
    (k : xs = [] ↔ ys = []) : ctx.evalList (x :: xs) = ctx.evalList (x :: ys) := by
  cases xs with
  | nil => rw [k.mp rfl]
  | cons y xs => cases ys with
    | nil => cases k.mpr rfl
    | cons z zs => exact congrArg (ctx.op _) h
theorem insert_ne_nil (x : Nat) (xs : List Nat) : insert x xs ≠ [] := by
  cases xs with
  | nil => exact List.cons_ne_nil _ _
  | cons y ys => unfold insert; cases Nat.ble x y <;> exact List.cons_ne_nil _ _
theorem evalList_insert (hc : Commutative ctx.op) (x : Nat) (xs : List Nat) :
    ctx.evalList (insert x xs) = ctx.evalList (x :: xs) := by
  induction xs with
  | nil => rfl
  | cons y ys ih =>
    unfold insert
    cases Nat.ble x y with
    | true => rfl
    | false =>
      show ctx.evalList (y :: insert x ys) = _
      rw [evalList_cons ctx y ih (iff_of_false (insert_ne_nil x ys) (List.cons_ne_nil x ys))]
      cases ys with
      | nil => exact hc.comm _ _
      | cons z zs =>
        show ctx.op _ (ctx.op _ _) = ctx.op _ (ctx.op _ _)
        rw [← ctx.assoc.assoc, hc.comm (ctx.var y).value, ctx.assoc.assoc]
theorem evalList_sort (hc : Commutative ctx.op) (xs : List Nat) :
    ctx.evalList (sort xs) = ctx.evalList xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    rw [sort, evalList_insert ctx hc]
    refine evalList_cons ctx x ih ?_
    cases xs with
    | nil => exact Iff.rfl
    | cons y ys => exact iff_of_false (insert_ne_nil y _) (List.cons_ne_nil y ys)
theorem evalList_mergeCons (hi : IdempotentOp ctx.op) (x : Nat) (xs : List Nat) :
    mergeCons x xs ≠ [] ∧ ctx.evalList (mergeCons x xs) = ctx.evalList (x :: xs) := by
  cases xs with
  | nil => exact ⟨List.cons_ne_nil _ _, rfl⟩
  | cons y ys =>
    rw [show mergeCons x (y :: ys) = cond (Nat.beq x y) (y :: ys) (x :: y :: ys) from rfl]
    cases h : Nat.beq x y with
    | false => exact ⟨List.cons_ne_nil _ _, rfl⟩
    | true =>
      refine ⟨List.cons_ne_nil _ _, ?_⟩
      cases Nat.eq_of_beq_eq_true x y h
      cases ys with
      | nil => exact (hi.idempotent _).symm
      | cons z zs =>
        show ctx.op _ _ = ctx.op _ (ctx.op _ _)
        rw [← ctx.assoc.assoc, hi.idempotent]
theorem evalList_mergeIdem (hi : IdempotentOp ctx.op) (xs : List Nat) :
    (mergeIdem xs = [] ↔ xs = []) ∧ ctx.evalList (mergeIdem xs) = ctx.evalList xs := by
  induction xs with
  | nil => exact ⟨Iff.rfl, rfl⟩
  | cons x xs ih =>
    have h := evalList_mergeCons ctx hi x (mergeIdem xs)
    exact ⟨iff_of_false h.1 (List.cons_ne_nil x xs), h.2.trans (evalList_cons ctx x ih.2 ih.1)⟩
theorem identity_of_isSome {x : Nat} (h : (ctx.var x).neutral.isSome = true) :
    LawfulIdentity ctx.op (ctx.var x).value := by
  obtain ⟨k, _⟩ := Option.isSome_iff_exists.mp h
  exact k.down
theorem evalList_dropNeutral (x : Nat) (xs : List Nat) :
    ctx.dropNeutral x xs ≠ [] ∧ ctx.evalList (ctx.dropNeutral x xs) = ctx.evalList (x :: xs) := by
  cases xs with
  | nil => exact ⟨List.cons_ne_nil _ _, rfl⟩
  | cons y ys =>
    rw [show ctx.dropNeutral x (y :: ys) = cond (ctx.var x).neutral.isSome (y :: ys)
      (cond ((ctx.var y).neutral.isSome && ys.isEmpty) [x] (x :: y :: ys)) from rfl]
    cases h : (ctx.var x).neutral.isSome with
    | true => exact ⟨List.cons_ne_nil _ _, ((identity_of_isSome ctx h).left_id _).symm⟩
    | false => cases k : (ctx.var y).neutral.isSome && ys.isEmpty with
      | false => exact ⟨List.cons_ne_nil _ _, rfl⟩
      | true =>
        have ⟨hy, he⟩ := Bool.and_eq_true_iff.mp k
        cases List.isEmpty_iff.mp he
        exact ⟨List.cons_ne_nil _ _, ((identity_of_isSome ctx hy).right_id _).symm⟩
theorem evalList_removeNeutrals (xs : List Nat) :
    (ctx.removeNeutrals xs = [] ↔ xs = []) ∧ ctx.evalList (ctx.removeNeutrals xs) = ctx.evalList xs := by
  induction xs with
  | nil => exact ⟨Iff.rfl, rfl⟩
  | cons x xs ih =>
    have h := evalList_dropNeutral ctx x (ctx.removeNeutrals xs)
    exact ⟨iff_of_false h.1 (List.cons_ne_nil x xs), h.2.trans (evalList_cons ctx x ih.2 ih.1)⟩
theorem evalList_norm (e : Expr) : ctx.evalList (ctx.norm e) = ctx.eval e := by
  have sorted : ∀ xs, ctx.evalList (cond ctx.comm.isSome (sort xs) xs) = ctx.evalList xs := fun xs =>
    match h : ctx.comm with
    | none => rfl
    | some c => evalList_sort ctx c.down xs
  have merged : ∀ xs, ctx.evalList (cond ctx.idem.isSome (mergeIdem xs) xs) = ctx.evalList xs := fun xs =>
    match h : ctx.idem with
    | none => rfl
    | some i => (evalList_mergeIdem ctx i.down xs).2
  unfold Context.norm
  rw [merged, sorted, (evalList_removeNeutrals ctx _).2, evalList_toList]
theorem Context.eq_of_norm (a b : Expr) (h : (ctx.norm a == ctx.norm b) = true) :
    ctx.eval a = ctx.eval b := by
  rw [← evalList_norm ctx a, ← evalList_norm ctx b, eq_of_eqList h]
end Lean.Data.AC

/-! ### Instances -/

section
open Std
instance instAssociativeNatAdd : Associative (α := Nat) (· + ·) := ⟨Nat.add_assoc⟩
instance instCommutativeNatAdd : Commutative (α := Nat) (· + ·) := ⟨Nat.add_comm⟩
instance instIdentityNatAdd : LawfulIdentity (α := Nat) (· + ·) 0 := ⟨Nat.zero_add, Nat.add_zero⟩
instance instAssociativeNatMul : Associative (α := Nat) (· * ·) := ⟨Nat.mul_assoc⟩
instance instCommutativeNatMul : Commutative (α := Nat) (· * ·) := ⟨Nat.mul_comm⟩
instance instIdentityNatMul : LawfulIdentity (α := Nat) (· * ·) 1 := ⟨Nat.one_mul, Nat.mul_one⟩
instance instAssociativeNatMax : Associative (α := Nat) max := ⟨Nat.max_assoc⟩
instance instCommutativeNatMax : Commutative (α := Nat) max := ⟨Nat.max_comm⟩
instance instIdempotentNatMax : IdempotentOp (α := Nat) max := ⟨Nat.max_self⟩
instance instAssociativeNatMin : Associative (α := Nat) min := ⟨Nat.min_assoc⟩
instance instCommutativeNatMin : Commutative (α := Nat) min := ⟨Nat.min_comm⟩
instance instIdempotentNatMin : IdempotentOp (α := Nat) min := ⟨Nat.min_self⟩
instance instAssociativeAnd : Associative And := ⟨fun _ _ _ => propext and_assoc⟩
instance instCommutativeAnd : Commutative And := ⟨fun _ _ => propext and_comm⟩
instance instIdempotentAnd : IdempotentOp And := ⟨and_self⟩
instance instAssociativeOr : Associative Or := ⟨fun _ _ _ => propext or_assoc⟩
instance instCommutativeOr : Commutative Or := ⟨fun _ _ => propext or_comm⟩
instance instIdempotentOr : IdempotentOp Or := ⟨or_self⟩
instance instAssociativeBoolAnd : Associative (· && ·) := ⟨Bool.and_assoc⟩
instance instCommutativeBoolAnd : Commutative (· && ·) := ⟨Bool.and_comm⟩
instance instIdempotentBoolAnd : IdempotentOp (· && ·) := ⟨Bool.and_self⟩
instance instAssociativeBoolOr : Associative (· || ·) := ⟨Bool.or_assoc⟩
instance instCommutativeBoolOr : Commutative (· || ·) := ⟨Bool.or_comm⟩
instance instIdempotentBoolOr : IdempotentOp (· || ·) := ⟨Bool.or_self⟩
variable {α : Type u}
instance instAssociativeAppend : Associative (α := List α) (· ++ ·) := ⟨List.append_assoc⟩
instance instIdentityAppend : LawfulIdentity (α := List α) (· ++ ·) [] := ⟨List.nil_append, List.append_nil⟩
instance instAssociativeUnion : Associative (α := Set α) (· ∪ ·) := ⟨Set.union_assoc⟩
instance instCommutativeUnion : Commutative (α := Set α) (· ∪ ·) := ⟨Set.union_comm⟩
instance instIdempotentUnion : IdempotentOp (α := Set α) (· ∪ ·) := ⟨Set.union_self⟩
instance instAssociativeInter : Associative (α := Set α) (· ∩ ·) := ⟨Set.inter_assoc⟩
instance instCommutativeInter : Commutative (α := Set α) (· ∩ ·) := ⟨Set.inter_comm⟩
instance instIdempotentInter : IdempotentOp (α := Set α) (· ∩ ·) := ⟨Set.inter_self⟩
instance instAssociativeMul [Semigroup α] : Associative (α := α) (· * ·) := ⟨mul_assoc⟩
instance instCommutativeMul [CommMagma α] : Commutative (α := α) (· * ·) := ⟨mul_comm⟩
instance instIdentityMul [MulOneClass α] : LawfulIdentity (α := α) (· * ·) 1 := ⟨one_mul, mul_one⟩
instance instAssociativeAdd [AddSemigroup α] : Associative (α := α) (· + ·) := ⟨add_assoc⟩
instance instCommutativeAdd [AddCommMagma α] : Commutative (α := α) (· + ·) := ⟨add_comm⟩
instance instIdentityAdd [AddZeroClass α] : LawfulIdentity (α := α) (· + ·) 0 := ⟨zero_add, add_zero⟩
end
