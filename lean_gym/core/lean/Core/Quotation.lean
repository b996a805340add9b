prelude
import Core.Simp
set_option autoImplicit false
set_option linter.all false

/-!
# Quotations: what `notation`, `macro` and `macro_rules` in a file compile to

The elaborator turns a quotation into calls of these functions of the library, in any monad that is a
`MonadQuotation`.
-/

universe u v

instance instInhabitedBool : Inhabited Bool := ⟨false⟩
instance instInhabitedNat : Inhabited Nat := ⟨0⟩
instance instInhabitedString : Inhabited String := ⟨""⟩
instance instInhabitedPUnit : Inhabited PUnit := ⟨.unit⟩
instance instInhabitedList {α : Type u} : Inhabited (List α) := ⟨[]⟩
instance instInhabitedArray {α : Type u} : Inhabited (Array α) := ⟨⟨[]⟩⟩
instance instInhabitedOption {α : Type u} : Inhabited (Option α) := ⟨none⟩
instance instInhabitedSubstring : Inhabited Substring.Raw := ⟨"", ⟨0⟩, ⟨0⟩⟩

@[extern "x"] opaque String.toRawSubstring' (s : String) : Substring.Raw
@[extern "x"] opaque Array.mkArray0 {α : Type u} : Array α
@[extern "x"] opaque Array.mkArray1 {α : Type u} (a : α) : Array α
@[extern "x"] opaque Array.mkArray2 {α : Type u} (a b : α) : Array α

namespace Lean

/-! ### Typed syntax -/

abbrev SyntaxNodeKinds := List SyntaxNodeKind
abbrev MacroScope := Nat
instance instInhabitedSyntax : Inhabited Syntax := ⟨.missing⟩
instance instInhabitedSourceInfo : Inhabited SourceInfo := ⟨.none⟩
/-- Layout: one field, so an object of it is the object of its field. -/
structure TSyntax (ks : SyntaxNodeKinds) where
  raw : Syntax
instance instInhabitedTSyntax {ks : SyntaxNodeKinds} : Inhabited (TSyntax ks) := ⟨⟨default⟩⟩
abbrev Term := TSyntax [`term]
abbrev Ident := TSyntax [`ident]
instance instCoeKinds : Coe SyntaxNodeKind SyntaxNodeKinds := ⟨fun k => [k]⟩
instance instCoeSyntax {ks : SyntaxNodeKinds} : CoeOut (TSyntax ks) Syntax := ⟨fun s => s.raw⟩
instance instCoeIdentTerm : Coe (TSyntax [`ident]) (TSyntax [`term]) := ⟨fun s => ⟨s.raw⟩⟩
instance instCoeNumTerm : Coe (TSyntax [`num]) (TSyntax [`term]) := ⟨fun s => ⟨s.raw⟩⟩

/-! ### Functions of the library -/

@[extern "x"] opaque mkIdent (n : Name) : Ident
@[extern "x"] opaque addMacroScope (mainModule n : Name) (scp : MacroScope) : Name
@[extern "x"] opaque SourceInfo.fromRef (ref : Syntax) (canonical : Bool) : SourceInfo
namespace Syntax
@[extern "x"] opaque isOfKind (stx : Syntax) (k : SyntaxNodeKind) : Bool
@[extern "x"] opaque getArg (stx : Syntax) (i : Nat) : Syntax
@[extern "x"] opaque getArgs (stx : Syntax) : Array Syntax
@[extern "x"] opaque getSepArgs (stx : Syntax) : Array Syntax
@[extern "x"] opaque getNumArgs (stx : Syntax) : Nat
@[extern "x"] opaque getId (stx : Syntax) : Name
@[extern "x"] opaque isNone (stx : Syntax) : Bool
@[extern "x"] opaque matchesNull (stx : Syntax) (n : Nat) : Bool
@[extern "x"] opaque matchesIdent (stx : Syntax) (id : Name) : Bool
@[extern "x"] opaque matchesLit (stx : Syntax) (k : SyntaxNodeKind) (val : String) : Bool
@[extern "x"] opaque node1 (i : SourceInfo) (k : SyntaxNodeKind) (a : Syntax) : Syntax
@[extern "x"] opaque node2 (i : SourceInfo) (k : SyntaxNodeKind) (a b : Syntax) : Syntax
@[extern "x"] opaque node3 (i : SourceInfo) (k : SyntaxNodeKind) (a b c : Syntax) : Syntax
@[extern "x"] opaque node4 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d : Syntax) : Syntax
@[extern "x"] opaque node5 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e : Syntax) : Syntax
@[extern "x"] opaque node6 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f : Syntax) : Syntax
@[extern "x"] opaque node7 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f g : Syntax) : Syntax
@[extern "x"] opaque node8 (i : SourceInfo) (k : SyntaxNodeKind) (a b c d e f g h : Syntax) : Syntax
end Syntax

/-! ### The monads in which quotations are made -/

class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α : Type} : Syntax → m α → m α
class MonadQuotation (m : Type → Type) extends MonadRef m where
  getCurrMacroScope : m MacroScope
  getContext : m Name
  withFreshMacroScope {α : Type} : m α → m α
export MonadRef (getRef)
def MonadRef.mkInfoFromRefPos {m : Type → Type} [Monad m] [MonadRef m] : m SourceInfo :=
  bind MonadRef.getRef fun ref => pure (SourceInfo.fromRef ref false)
def getCurrMacroScope {m : Type → Type} [MonadQuotation m] : m MacroScope := MonadQuotation.getCurrMacroScope
def withRef {m : Type → Type} [MonadRef m] {α : Type} (ref : Syntax) (x : m α) : m α := MonadRef.withRef ref x

instance instMonadMacroM : Monad MacroM where
  map f x := fun c s => match x c s with
    | .ok a s => .ok (f a) s
    | .error e s => .error e s
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance instMonadExceptMacroM : MonadExcept Macro.Exception MacroM where
  throw e := fun _ s => .error e s
  tryCatch x h := fun c s => match x c s with
    | .ok a s => .ok a s
    | .error e s => h e c s
instance instMonadUnexpandM : Monad PrettyPrinter.UnexpandM where
  map f x := fun c s => match x c s with
    | .ok a s => .ok (f a) s
    | .error e s => .error e s
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance instMonadExceptUnexpandM : MonadExcept Unit PrettyPrinter.UnexpandM where
  throw e := fun _ s => .error e s
  tryCatch x h := fun c s => match x c s with
    | .ok a s => .ok a s
    | .error e s => h e c s

/- `opaque` asks for an inhabited type; the values are the library's. -/
instance instInhabitedQuotationMacroM : Inhabited (MonadQuotation MacroM) := ⟨{
  getRef := fun _ s => .ok default s
  withRef := fun _ x => x
  getCurrMacroScope := fun _ s => .ok 0 s
  getContext := fun _ s => .ok default s
  withFreshMacroScope := fun x => x }⟩
instance instInhabitedQuotationUnexpandM : Inhabited (MonadQuotation PrettyPrinter.UnexpandM) := ⟨{
  getRef := fun _ s => .ok default s
  withRef := fun _ x => x
  getCurrMacroScope := fun _ s => .ok 0 s
  getContext := fun _ s => .ok default s
  withFreshMacroScope := fun x => x }⟩
@[extern "x"] opaque Macro.instMonadQuotationMacroM : MonadQuotation MacroM
@[extern "x"] opaque PrettyPrinter.instMonadQuotationUnexpandM : MonadQuotation PrettyPrinter.UnexpandM
attribute [instance] Macro.instMonadQuotationMacroM PrettyPrinter.instMonadQuotationUnexpandM

instance instInhabitedMacroM {α : Type} : Inhabited (MacroM α) := ⟨fun _ s => .error .unsupportedSyntax s⟩
/-- `∃ x y, p` and the like: a chain of applications of the named constant to functions. -/
@[extern "x"] opaque expandExplicitBinders (combinator : Name) (binders body : Syntax) : MacroM Syntax

end Lean

/-- Mathlib's `∃! x, p x`: exactly one. -/
syntax "∃!" Lean.explicitBinders ", " term : term
macro_rules
  | `(∃! $xs, $p) => Lean.expandExplicitBinders ``ExistsUnique xs p
@[app_unexpander ExistsUnique] def unexpandExistsUnique : Lean.PrettyPrinter.Unexpander
  | `($_ fun $x:ident => $p) => `(∃! $x:ident, $p)
  | _ => throw ()
