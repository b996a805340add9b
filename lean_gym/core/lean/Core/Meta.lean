prelude
import Core.Prelude
set_option autoImplicit false
set_option linter.all false
set_option genSizeOf false

/-!
# The types of Lean's own syntax trees, parsers and macros

Compiled functions of the library build and read objects of these types, so constructors, their order and
their fields must be the library's own (marked "layout"). What only passes through is opaque here: two
constructors with a field make the compiler treat it as a boxed object, and nobody ever makes or inspects
one.

`@[extern "x"] opaque NAME` binds the library's function or constant of that very name; the text "x" is not
used.
-/

universe u

/-! ### Strings and names -/

set_option genCtorIdx false in
/-- A boxed object; only literals and the library's functions make one. -/
inductive String where
  | opaque₁ (n : Nat)
  | opaque₂ (n : Nat)

/-- Layout. Each object carries a hash behind its fields, so the library's functions must make them. -/
inductive Lean.Name where
  | anonymous : Lean.Name
  | str (pre : Lean.Name) (str : String)
  | num (pre : Lean.Name) (i : Nat)
instance Lean.instInhabitedName : Inhabited Lean.Name := ⟨.anonymous⟩
@[extern "x"] opaque Lean.Name.str._override : Lean.Name → String → Lean.Name
@[extern "x"] opaque Lean.Name.num._override : Lean.Name → Nat → Lean.Name
attribute [implemented_by Lean.Name.str._override] Lean.Name.str
attribute [implemented_by Lean.Name.num._override] Lean.Name.num
abbrev Lean.Name.mkStr (p : Lean.Name) (s : String) : Lean.Name := Lean.Name.str p s
abbrev Lean.Name.mkNum (p : Lean.Name) (i : Nat) : Lean.Name := Lean.Name.num p i
@[extern "x"] opaque Lean.Name.mkSimple (a : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr1 (a : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr2 (a b : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr3 (a b c : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr4 (a b c d : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr5 (a b c d e : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr6 (a b c d e f : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr7 (a b c d e f g : String) : Lean.Name
@[extern "x"] opaque Lean.Name.mkStr8 (a b c d e f g h : String) : Lean.Name

/-- Layout. -/
structure String.Pos.Raw where
  byteIdx : Nat
/-- Layout. -/
structure Substring.Raw where
  str : String
  startPos : String.Pos.Raw
  stopPos : String.Pos.Raw
set_option genCtorIdx false in
structure Array (α : Type u) where
  mk ::
  toList : List α

/-! ### Syntax trees -/

/-- Layout. -/
inductive Lean.SourceInfo where
  | original (leading : Substring.Raw) (pos : String.Pos.Raw) (trailing : Substring.Raw)
      (endPos : String.Pos.Raw)
  | synthetic (pos endPos : String.Pos.Raw) (canonical : Bool)
  | none
abbrev Lean.SyntaxNodeKind := Lean.Name
/-- Layout. -/
inductive Lean.Syntax.Preresolved where
  | namespace (ns : Lean.Name)
  | decl (n : Lean.Name) (fields : List String)
/-- Layout. -/
inductive Lean.Syntax where
  | missing : Lean.Syntax
  | node (info : Lean.SourceInfo) (kind : Lean.SyntaxNodeKind) (args : Array Lean.Syntax)
  | atom (info : Lean.SourceInfo) (val : String)
  | ident (info : Lean.SourceInfo) (rawVal : Substring.Raw) (val : Lean.Name)
      (preresolved : List Lean.Syntax.Preresolved)

/-! ### Macros and unexpanders -/

inductive Lean.Macro.Context where
  | opaque₁ (n : Nat)
  | opaque₂ (n : Nat)
inductive Lean.Macro.State where
  | opaque₁ (n : Nat)
  | opaque₂ (n : Nat)
/-- Layout. -/
inductive Lean.Macro.Exception where
  | error (ref : Lean.Syntax) (msg : String)
  | unsupportedSyntax
/-- Layout. -/
inductive EStateM.Result (ε σ α : Type u) : Type u where
  | ok (a : α) (s : σ) : Result ε σ α
  | error (e : ε) (s : σ) : Result ε σ α
def Lean.MacroM (α : Type) : Type :=
  Lean.Macro.Context → Lean.Macro.State → EStateM.Result Lean.Macro.Exception Lean.Macro.State α
def Lean.Macro : Type := Lean.Syntax → Lean.MacroM Lean.Syntax
instance Lean.instInhabitedMacro : Inhabited Lean.Macro := ⟨fun _ _ s => .error .unsupportedSyntax s⟩

def Lean.PrettyPrinter.UnexpandM (α : Type) : Type :=
  Lean.Syntax → Unit → EStateM.Result Unit Unit α
def Lean.PrettyPrinter.Unexpander : Type := Lean.Syntax → Lean.PrettyPrinter.UnexpandM Lean.Syntax
instance Lean.PrettyPrinter.instInhabitedUnexpander : Inhabited Lean.PrettyPrinter.Unexpander :=
  ⟨fun _ _ s => .error s s⟩

/-! ### Parsers -/

/-- Layout. -/
inductive Lean.ParserDescr where
  | const (name : Lean.Name)
  | unary (name : Lean.Name) (p : Lean.ParserDescr)
  | binary (name : Lean.Name) (p₁ p₂ : Lean.ParserDescr)
  | node (kind : Lean.SyntaxNodeKind) (prec : Nat) (p : Lean.ParserDescr)
  | trailingNode (kind : Lean.SyntaxNodeKind) (prec lhsPrec : Nat) (p : Lean.ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Lean.Name) (rbp : Nat)
  | parser (declName : Lean.Name)
  | nodeWithAntiquot (name : String) (kind : Lean.SyntaxNodeKind) (p : Lean.ParserDescr)
  | sepBy (p : Lean.ParserDescr) (sep : String) (psep : Lean.ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : Lean.ParserDescr) (sep : String) (psep : Lean.ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
abbrev Lean.TrailingParserDescr := Lean.ParserDescr
instance Lean.instInhabitedParserDescr : Inhabited Lean.ParserDescr := ⟨.symbol ""⟩
structure Lean.Parser.Category where

/-- The type of an argument or field with a tactic as its default. -/
abbrev autoParam (α : Sort u) (tactic : Lean.Syntax) : Sort u := α
