prelude
set_option autoImplicit false
set_option linter.all false
set_option bootstrap.inductiveCheckResultingUniverse false

/-!
# The types and classes that the elaborator and the kernel look up by name

Their names, universes, constructors and fields are Lean's own (`Init.Prelude`, `Init.Core`); nothing here
is free to differ. There is no notation and no tactic yet: `Core.Parsers` binds them later, so proofs are
terms and equations are written `Eq a b`.
-/

universe u v w u₁ u₂

/-! ### Markers of the compiler

The code generator puts these where a type or proof was erased. They are `unsafe`: no theorem can use them. -/
unsafe axiom lcErased : Type
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type
unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcUnreachable {α : Sort u} : α
unsafe axiom lcCast {α : Sort u} {β : Sort v} (a : α) : β

/-! ### Propositions and equality -/

def id {α : Sort u} (a : α) : α := a

inductive PUnit : Sort u where
  | unit : PUnit
abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit
inductive PEmpty : Sort u
inductive Empty : Type

inductive True : Prop where
  | intro : True
inductive False : Prop
abbrev False.elim {C : Sort u} (h : False) : C := h.rec
def Not (a : Prop) : Prop := a → False
abbrev absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : Not a) : b := (h₂ h₁).rec

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
abbrev Ne {α : Sort u} (a b : α) : Prop := Not (Eq a b)
abbrev Eq.ndrec {α : Sort u₂} {a : α} {motive : α → Sort u₁} (m : motive a) {b : α} (h : Eq a b) : motive b :=
  Eq.rec (motive := fun x _ => motive x) m h
@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl a

theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) : motive b :=
  Eq.ndrec h₂ h₁
theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a :=
  Eq.subst (motive := fun x => Eq x a) h rfl
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c :=
  Eq.subst (motive := fun x => Eq a x) h₂ h₁
def cast {α β : Sort u} (h : Eq α β) (a : α) : β :=
  Eq.rec (motive := fun α _ => α) a h
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) : Eq (f a₁) (f a₂) :=
  Eq.subst (motive := fun x => Eq (f a₁) (f x)) h rfl
theorem congr {α : Sort u} {β : Sort v} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : Eq f₁ f₂) (h₂ : Eq a₁ a₂) :
    Eq (f₁ a₁) (f₂ a₂) :=
  Eq.trans (congrArg (fun f : α → β => f a₁) h₁) (congrArg f₂ h₂)
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) :=
  congrArg (fun f : (x : α) → β x => f a) h

init_quot

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl {α : Sort u} (a : α) : HEq a a
protected theorem HEq.rfl {α : Sort u} {a : α} : HEq a a := HEq.refl a
theorem eq_of_heq {α : Sort u} {a a' : α} (h : HEq a a') : Eq a a' :=
  have key : (α β : Sort u) → (a : α) → (b : β) → HEq a b → (h : Eq α β) → Eq (cast h a) b :=
    fun _ _ _ _ h₁ => h₁.rec (fun _ => rfl)
  key α α a a' h rfl
theorem heq_of_eq {α : Sort u} {a a' : α} (h : Eq a a') : HEq a a' :=
  Eq.subst (motive := fun x => HEq a x) h (HEq.refl a)

structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b
inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b
structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p

/-! ### Products and subtypes -/

structure Prod (α : Type u) (β : Type v) where
  mk ::
  fst : α
  snd : β
structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β
structure MProd (α β : Type u) where
  fst : α
  snd : β
structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val
structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst
structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst
structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  up ::
  down : α
structure ULift (α : Type u) : Type (max u v) where
  up ::
  down : α
structure PLift (α : Sort u) : Type u where
  up ::
  down : α

/-! ### Nat, Bool and Decidable

Lean derives `noConfusion` for every later inductive type from `Nat.beq` and `noConfusion_of_Nat`, so these
come first, and may not have derived parts of that kind themselves (`genCtorIdx false`). -/

set_option genCtorIdx false in
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat
set_option genCtorIdx false in
inductive Bool : Type where
  | false : Bool
  | true : Bool
export Bool (false true)

@[macro_inline] def cond {α : Sort u} (c : Bool) (x y : α) : α := c.casesOn y x

/-- Addition; the kernel and the interpreter compute it natively, as all functions here that are `extern`. -/
@[extern "lean_nat_add"]
def Nat.add (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) n (fun _ ih => Nat.succ ih) m
@[extern "lean_nat_mul"]
def Nat.mul (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) Nat.zero (fun _ ih => Nat.add ih n) m
@[extern "lean_nat_pred"]
def Nat.pred (n : Nat) : Nat := Nat.rec (motive := fun _ => Nat) Nat.zero (fun n _ => n) n
@[extern "lean_nat_sub"]
def Nat.sub (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) n (fun _ ih => Nat.pred ih) m
@[extern "lean_nat_pow"]
def Nat.pow (n m : Nat) : Nat :=
  Nat.rec (motive := fun _ => Nat) (Nat.succ Nat.zero) (fun _ ih => Nat.mul ih n) m
def Bool.ctorIdx (b : Bool) : Nat := b.casesOn Nat.zero (Nat.succ Nat.zero)

theorem Bool.false_ne_true_aux (h : Eq false true) : False :=
  Eq.ndrec (a := false) (motive := fun b => cond b False True) True.intro h

set_option genCtorIdx false in
class inductive Decidable (p : Prop) where
  | isFalse (h : Not p) : Decidable p
  | isTrue (h : p) : Decidable p
export Decidable (isTrue isFalse)

@[extern "lean_nat_dec_eq"]
def Nat.beq (m : Nat) : Nat → Bool :=
  Nat.rec (motive := fun _ => Nat → Bool) (fun n => n.casesOn true (fun _ => false))
    (fun _ ih n => n.casesOn false (fun k => ih k)) m
@[extern "lean_nat_dec_le"]
def Nat.ble (m : Nat) : Nat → Bool :=
  Nat.rec (motive := fun _ => Nat → Bool) (fun _ => true)
    (fun _ ih n => n.casesOn false (fun k => ih k)) m

theorem Nat.eq_of_beq_eq_true : (n m : Nat) → Eq (Nat.beq n m) true → Eq n m :=
  fun n => Nat.rec (motive := fun n => (m : Nat) → Eq (Nat.beq n m) true → Eq n m)
    (fun m => m.casesOn (fun _ => rfl) (fun _ h => (Bool.false_ne_true_aux h).rec))
    (fun n ih m => m.casesOn (fun h => (Bool.false_ne_true_aux h).rec)
      (fun k h => congrArg Nat.succ (ih k h))) n
theorem Nat.beq_refl (n : Nat) : Eq (Nat.beq n n) true :=
  Nat.rec (motive := fun n => Eq (Nat.beq n n) true) rfl (fun _ ih => ih) n
theorem Nat.ne_of_beq_eq_false (n m : Nat) (h : Eq (Nat.beq n m) false) : Not (Eq n m) :=
  fun e => Bool.false_ne_true_aux
    (Eq.trans (Eq.symm h) (Eq.subst (motive := fun m => Eq (Nat.beq n m) true) e (Nat.beq_refl n)))
@[extern "lean_nat_dec_eq"]
def Nat.decEq (n m : Nat) : Decidable (Eq n m) :=
  Bool.rec (motive := fun b => Eq (Nat.beq n m) b → Decidable (Eq n m))
    (fun h => Decidable.isFalse (Nat.ne_of_beq_eq_false n m h))
    (fun h => Decidable.isTrue (Nat.eq_of_beq_eq_true n m h)) (Nat.beq n m) rfl
def Nat.ctorIdx (n : Nat) : Nat := n.casesOn Nat.zero (fun _ => Nat.succ Nat.zero)
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) :
    cond (Nat.beq (f a) (f b)) True False :=
  Eq.subst (motive := fun b => cond (Nat.beq (f a) (f b)) True False) h
    (Eq.subst (motive := fun c => cond c True False) (Eq.symm (Nat.beq_refl (f a))) True.intro)

abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)
def decEq {α : Sort u} [inst : DecidableEq α] (a b : α) : Decidable (Eq a b) := inst a b
def Decidable.decide (p : Prop) [h : Decidable p] : Bool := h.casesOn (fun _ => false) (fun _ => true)
export Decidable (decide)
@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α :=
  h.casesOn (fun _ => e) (fun _ => t)
@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α :=
  h.casesOn e t

@[macro_inline] def Bool.or (x y : Bool) : Bool := cond x true y
@[macro_inline] def Bool.and (x y : Bool) : Bool := cond x y false
@[inline] def Bool.not (x : Bool) : Bool := cond x false true
@[inline] def Bool.xor (x y : Bool) : Bool := cond x (Bool.not y) y
export Bool (or and not xor)

/-- What an open proof becomes. Lean reports each use; a proof that reaches it is no proof. -/
axiom sorryAx (α : Sort u) (synthetic : Bool) : α

/-! ### Sums, lists, options -/

inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β
inductive PSum (α : Sort u) (β : Sort v) where
  | inl (val : α) : PSum α β
  | inr (val : β) : PSum α β
inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α
export Option (none some)

/-! ### Inhabited types, functions, annotations -/

class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α
class Inhabited (α : Sort u) where
  default : α
export Inhabited (default)
instance instNonemptyOfInhabited {α : Sort u} [Inhabited α] : Nonempty α := ⟨default⟩
instance instInhabitedSort : Inhabited (Sort u) := ⟨PUnit⟩
instance instInhabitedForall {α : Sort u} {β : α → Sort v} [(a : α) → Inhabited (β a)] :
    Inhabited ((a : α) → β a) := ⟨fun _ => default⟩

def Function.comp {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : α → δ := fun x => f (g x)
def Function.const {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a

set_option checkBinderAnnotations false in
abbrev inferInstance {α : Sort u} [i : α] : α := i
@[reducible] def outParam (α : Sort u) : Sort u := α
@[reducible] def semiOutParam (α : Sort u) : Sort u := α
@[reducible] def optParam (α : Sort u) (default : α) : Sort u := α
def namedPattern {α : Sort u} (x a : α) (h : Eq x a) : α := a

/-! ### Operators -/

class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
@[default_instance 100]
instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩

class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ
class HSMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSMul : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ

class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Div (α : Type u) where
  div : α → α → α
class Mod (α : Type u) where
  mod : α → α → α
class Append (α : Type u) where
  append : α → α → α
class Union (α : Type u) where
  union : α → α → α
class Inter (α : Type u) where
  inter : α → α → α
class SDiff (α : Type u) where
  sdiff : α → α → α
class Min (α : Type u) where
  min : α → α → α
class Max (α : Type u) where
  max : α → α → α
export Min (min)
export Max (max)
class Neg (α : Type u) where
  neg : α → α
class Inv (α : Type u) where
  inv : α → α
class SMul (M : Type u) (α : Type v) where
  smul : M → α → α
class Pow (α : Type u) (β : Type v) where
  pow : α → β → α
class NatPow (α : Type u) where
  pow : α → Nat → α
class BEq (α : Type u) where
  beq : α → α → Bool
export BEq (beq)
@[macro_inline] def bne {α : Type u} [BEq α] (a b : α) : Bool := not (beq a b)
class Zero (α : Type u) where
  zero : α
class One (α : Type u) where
  one : α

class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
class Dvd (α : Type u) where
  dvd : α → α → Prop
class Membership (α : outParam (Type u)) (γ : Type v) where
  mem : γ → α → Prop
class HasSubset (α : Type u) where
  Subset : α → α → Prop
export HasSubset (Subset)
class HasSSubset (α : Type u) where
  SSubset : α → α → Prop
export HasSSubset (SSubset)
abbrev Superset {α : Type u} [HasSubset α] (a b : α) : Prop := Subset b a
abbrev SSuperset {α : Type u} [HasSSubset α] (a b : α) : Prop := SSubset b a
class EmptyCollection (α : Type u) where
  emptyCollection : α
class Insert (α : outParam (Type u)) (γ : Type v) where
  insert : α → γ → γ
export Insert (insert)
class Singleton (α : outParam (Type u)) (β : Type v) where
  singleton : α → β
export Singleton (singleton)
class SizeOf (α : Sort u) where
  sizeOf : α → Nat
export SizeOf (sizeOf)

@[default_instance] instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨fun a b => Add.add a b⟩
@[default_instance] instance instHSub {α : Type u} [Sub α] : HSub α α α := ⟨fun a b => Sub.sub a b⟩
@[default_instance] instance instHMul {α : Type u} [Mul α] : HMul α α α := ⟨fun a b => Mul.mul a b⟩
@[default_instance] instance instHDiv {α : Type u} [Div α] : HDiv α α α := ⟨fun a b => Div.div a b⟩
@[default_instance] instance instHMod {α : Type u} [Mod α] : HMod α α α := ⟨fun a b => Mod.mod a b⟩
@[default_instance]
instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α := ⟨fun a b => Pow.pow a b⟩
@[default_instance]
instance instPowNat {α : Type u} [NatPow α] : Pow α Nat := ⟨fun a n => NatPow.pow a n⟩
@[default_instance]
instance instHSMul {α : Type u} {β : Type v} [SMul α β] : HSMul α β β := ⟨fun a b => SMul.smul a b⟩
@[default_instance]
instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α := ⟨fun a b => Append.append a b⟩

instance instAddNat : Add Nat := ⟨Nat.add⟩
instance instMulNat : Mul Nat := ⟨Nat.mul⟩
instance instSubNat : Sub Nat := ⟨Nat.sub⟩
instance instNatPowNat : NatPow Nat := ⟨Nat.pow⟩
attribute [match_pattern] Nat.add Add.add HAdd.hAdd

protected inductive Nat.le (n : Nat) : Nat → Prop
  | refl : Nat.le n n
  | step {m : Nat} : Nat.le n m → Nat.le n (Nat.succ m)
protected def Nat.lt (n m : Nat) : Prop := Nat.le (Nat.succ n) m
instance instLENat : LE Nat := ⟨Nat.le⟩
instance instLTNat : LT Nat := ⟨Nat.lt⟩

protected def default.sizeOf (α : Sort u) : α → Nat := fun _ => Nat.zero
@[instance_reducible] def instSizeOfDefault (α : Sort u) : SizeOf α := ⟨default.sizeOf α⟩
attribute [instance 100] instSizeOfDefault
instance instSizeOfNat : SizeOf Nat := ⟨fun n => n⟩

/-! ### Monads -/

class Functor (f : Type u → Type v) where
  map : {α β : Type u} → (α → β) → f α → f β
  mapConst : {α β : Type u} → α → f β → f α := fun a x => map (fun _ => a) x
class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α
export Pure (pure)
class Bind (m : Type u → Type v) where
  bind : {α β : Type u} → m α → (α → m β) → m β
export Bind (bind)
class Seq (f : Type u → Type v) where
  seq : {α β : Type u} → f (α → β) → (Unit → f α) → f β
class Applicative (f : Type u → Type v) extends Functor f, Pure f where
class Monad (m : Type u → Type v) extends Applicative m, Bind m where
class MonadExceptOf (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} : m α → (ε → m α) → m α
class MonadExcept (ε : outParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} : m α → (ε → m α) → m α
export MonadExcept (throw tryCatch)
