"""Write the generated parts of Core: the parsers, macros and unexpanders that the Lean library itself holds.

    python -m lean_gym.core.bindings            write lean_gym/core/lean/Core/{Parsers,Macros,Unexpanders}.lean
    python -m lean_gym.core.bindings --check    only say (exit code 1) whether they differ

The library has no `.olean` of Init, where Lean's tactic and notation syntax is declared, but it exports every compiled
constant of Init. `@[extern "x"] opaque NAME : TYPE` makes Lean's interpreter take the value of the exported symbol
whose name is NAME, mangled, so one such line gives back one piece of syntax. This program loads the library, reads
each exported object that is a `Lean.ParserDescr`, and writes those lines. Runs on Linux only (it reads ELF); the files
it writes serve every platform.
"""

from __future__ import annotations

import argparse
import ctypes
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .elf import dynamic_symbols
from .library import LeanLibrary, find_library
from .objects import Memory, NotAnObject

__all__ = ["generate", "main"]

FOLDER = Path(__file__).with_name("lean") / "Core"

# Syntax that Core leaves out, by kind. What needs libraries that Core hasn't got, what runs or prints Lean programs,
# what only Lean's own sources use.
LEFT_OUT = (
    r"(Array|BitVec|DerivingHelpers|Int|Lake|List|Rat|Std|String|Vector)\.",
    r"Lean\.(Compiler|Doc|Json|Linter|Meta|Option|Order|PostprocessTraces|PrettyPrinter|Server|Widget)\.",
    r"Lean\.Elab\.(?!Tactic\.Ext\.)",
    r"Lean\.(term(Macro|M!|Register|Throw)|command|guard|reduce|run|set|unif|univ|info|test|include|deprecated)",
    r"Lean\.(builtin|byElab|doElem|modCast|suggest|term__Do|withAnnotateTerm|_root_|Parser\.Syntax\.exact)",
    r"Lean\.Parser\.(Command|Grind|Sym|Term|Attr\.(grind|lia|method|seval|cbvSimp|simproc|spec))",
    r"Lean\.Parser\.(cbvSimp|check|colon|command|discr|equal|grind|simproc|time|Tactic\.Grind)",
    r"Lean\.Parser\.Tactic\.(attemptAllPar|by\?|cutsat|decide_cbv|declareSimp|firstPar|frameAlt)",
    r"Lean\.Parser\.Tactic\.(fun(Cases|Ind)|grind|grobner|guard\w*Conv|impossible|invariant|lia\b|nativeDecide)",
    r"Lean\.Parser\.Tactic\.(normCastAddElim|omega|rewrites|runTac|showTermElab|simp(All)?Arith|sleep|sugg|sym$)",
    r"Lean\.Parser\.Tactic\.(bv|vc|try|tactic(Bv|Mvcgen)|withAnnotateState|Conv\.withAnnotate)",
    r"Lean\.Parser\.Tactic\.m(assum|cases|clear|constr|dup|exact|exf|exis|frame|have|intro|leave|left|pure)",
    r"Lean\.Parser\.Tactic\.m(refine|rename|replace|revert|right|spec|start|stop|vcgen)",
    r"term(IfLet|Println|S!|∎)|tactic(∎|Deriving|Get_elem|SizeOf)|commandDeclare|.*_quot|.*Do_|.*binop",
)
# Pieces of other syntax that are alternatives of pieces, and so name no kind themselves.
ALTERNATIVES = ("Lean.Parser.Tactic.dsimpArg", "Lean.Parser.Tactic.simpArg")
# The syntax category that a kind belongs to: the first match.
CATEGORIES = (
    ("tactic", r"Lean\.Parser\.Tactic\.Conv\.conv$|Lean\.Elab\.Tactic\.Ext\.|Lean\.(cdot|calcTactic|solveTactic)$"),
    ("conv", r"Lean\.Parser\.Tactic\.Conv\.|Lean\.convCalc_$"),
    ("rcasesPat", r"Lean\.Parser\.Tactic\.rcasesPat\."),
    ("rintroPat", r"Lean\.Parser\.Tactic\.rintroPat\."),
    ("tactic", r"Lean\.Parser\.Tactic\.|(.*\.)?tactic[^.]*$"),
    ("attr", r"Lean\.Parser\.Attr\.|Lean\.Attr\."),
    ("prec", r"Lean\.Parser\.Syntax\.\w*Prec$|prec[^.]*$"),
    ("prio", r"Lean\.Parser\.Syntax\.\w*Prio$|prio[^.]*$"),
    ("stx", r"stx[^.]*$"),
    ("binderPred", r"Lean\.binderPred[^.]*$"),
    ("term", r"(.*\.)?term[^.]*$|Lean\.calc$|rawNatLit$|coe(Fun|Sort)?Notation$|boolIfThenElse$"),
)
DECLARED_HERE = (("conv", " (behavior := both)"), ("rcasesPat", ""), ("rintroPat", ""), ("binderPred", ""))
# Constants that Lean prints with a notation of Init.Core and Init.Notation, as far as Core has them.
UNEXPANDED = (
    "And BEq.beq Bind.bind Bool.and Bool.not Bool.or Bool.xor Dvd.dvd EmptyCollection.emptyCollection Eq Function.comp "
    "Functor.map GE.ge GT.gt HAdd.hAdd HAppend.hAppend HDiv.hDiv HEq HMod.hMod HMul.hMul HPow.hPow HSMul.hSMul "
    "HSub.hSub HasSSubset.SSubset HasSubset.Subset Iff Inter.inter Inv.inv LE.le LT.lt List.cons Membership.mem Ne "
    "Neg.neg Not Or PProd PSum Prod SDiff.sdiff SSuperset Sum Superset Union.union bne"
)
# The same, where Init names the function itself.
NAMED_UNEXPANDERS = {
    "unexpandExists": "Exists",
    "unexpandIte": "ite",
    "unexpandListCons": "List.cons",
    "unexpandListNil": "List.nil",
    "unexpandProdMk": "Prod.mk",
    "unexpandPSigma": "PSigma",
    "unexpandSigma": "Sigma",
    "unexpandSubtype": "Subtype",
    "unexpandUnit": "Unit.unit",
}

_KEYWORDS = (
    "Prop Sort Type at by calc deriving do else end example exists from fun have if in let macro match open show "
    "syntax then theorem where with"
)
_MANGLED = re.compile(r"__|_x([0-9a-f]{2})|_u([0-9a-f]{4})|_U([0-9a-f]{8})|(_)|[^_]+")
_AUXILIARY = re.compile(r"l_(?:(.+)_)?(__aux__.+)")


@dataclass(frozen=True)
class Parser:
    """A parser that the library exports: kind (also the constant's name) and category ("": a piece of other syntax)."""

    kind: str
    category: str
    trailing: bool


def mangle(name: str) -> str:
    """The C symbol of a Lean constant (the part of `Lean.Name.mangle` that names like ours need)."""
    return "l_" + "_".join("".join(_mangle_character(c) for c in part) for part in name.split("."))


def _mangle_character(c: str) -> str:
    if c == "_":
        return "__"
    if c.isascii() and c.isalnum():
        return c
    code = ord(c)
    return f"_x{code:02x}" if code < 0x100 else f"_u{code:04x}" if code < 0x10000 else f"_U{code:08x}"


def demangle(text: str) -> str:
    """The inverse of `mangle` without its prefix, for names whose parts neither start nor end with an underscore."""

    def one(match: re.Match[str]) -> str:
        code = match.group(1) or match.group(2) or match.group(3)
        if code:
            return chr(int(code, 16))
        return "." if match.group(4) else "_" if match.group() == "__" else match.group()

    return _MANGLED.sub(one, text)


def quote(name: str) -> str:
    """A name as Lean source writes it: parts that are no identifiers, or are keywords, between « and »."""
    plain = re.compile(r"[A-Za-z_][A-Za-z0-9_'!?]*")
    return ".".join(p if plain.fullmatch(p) and p not in _KEYWORDS.split() else f"«{p}»" for p in name.split("."))


def parsers(memory: Memory, symbols: dict[str, bool]) -> list[Parser]:
    """The parsers to bind, by category and name. `symbols` is what the library exports."""
    found: dict[str, Parser] = {}
    for symbol in sorted(symbols):
        if symbols[symbol] and symbol.startswith("l_") and "__closed" not in symbol:
            described = _describe(memory, symbol)
            if described and mangle(described[0]) == symbol and not _is_left_out(described[0]):
                kind, trailing, piece = described
                category = "" if piece else _category(kind)
                if category is not None:
                    found[kind] = Parser(kind, category, trailing)
    return sorted(found.values(), key=lambda parser: (parser.category, parser.kind))


def _is_left_out(name: str) -> bool:
    return any(re.match(pattern, name) for pattern in LEFT_OUT)


def _category(kind: str) -> str | None:
    return next((category for category, pattern in CATEGORIES if re.match(pattern, kind)), None)


def _describe(memory: Memory, symbol: str) -> tuple[str, bool, bool] | None:
    """Kind, whether trailing, whether a piece, if the symbol's value is a `ParserDescr` that names its kind."""
    try:
        value = memory.global_object(symbol)
        tag, fields = memory.constructor(value)
        if (tag, fields) == (3, 3):  # node kind prec p
            return memory.name(memory.field(value, 0)), False, False
        if (tag, fields) == (4, 4):  # trailingNode kind prec lhsPrec p
            return memory.name(memory.field(value, 0)), True, False
        if (tag, fields) == (9, 3):  # nodeWithAntiquot name kind p
            memory.string(memory.field(value, 0))
            return memory.name(memory.field(value, 1)), False, True
        if (tag, fields) in ((1, 2), (2, 3)):  # unary, binary
            return next(((name, False, True) for name in ALTERNATIVES if mangle(name) == symbol), None)
    except NotAnObject:
        return None  # exported data of another type
    return None


def macros(parsers: list[Parser], symbols: dict[str, bool]) -> list[tuple[str, str]]:
    """(kind, macro) of every `macro_rules` of the library for the parsers; for a kind, later rules come later."""
    kinds = {parser.kind.replace(".", "_"): parser.kind for parser in parsers if parser.category}
    found = []
    for name, what, number in _auxiliary(symbols, "macroRules"):
        if what in kinds and not _is_left_out(name):
            found.append((number, kinds[what], name))
    return [(kind, name) for _, kind, name in sorted(found)]


def unexpanders(symbols: dict[str, bool]) -> list[tuple[str, str]]:
    """(constant, unexpander) of the constants that Core prints with Lean's own notation."""
    heads = {head.replace(".", "_"): head for head in UNEXPANDED.split()}
    found = sorted((n, heads[what], name) for name, what, n in _auxiliary(symbols, "unexpand") if what in heads)
    named = [(head, name) for name, head in NAMED_UNEXPANDERS.items() if mangle(name) in symbols]
    return [(head, name) for _, head, name in found] + named


def _auxiliary(symbols: dict[str, bool], purpose: str) -> Iterator[tuple[str, str, int]]:
    """(name, subject, number) of the functions that Lean made for `macro_rules` or `notation` in Init."""
    pattern = re.compile(rf"_aux_Init_.*?___{purpose}_(.*)_(\d+)")
    for symbol in symbols:
        parts = _AUXILIARY.fullmatch(symbol)
        if parts and (found := pattern.fullmatch(last := "_" + demangle(parts.group(2)[2:]))):
            name = f"{demangle(parts.group(1))}.{last}" if parts.group(1) else last
            if mangle(name) == symbol:
                yield name, found.group(1), int(found.group(2))


def generate(library: LeanLibrary) -> dict[str, str]:
    """File name to text of the generated parts. Loads the library into this process, for good."""
    symbols = dynamic_symbols(library.path)
    memory = Memory(ctypes.CDLL(str(library.path), mode=ctypes.RTLD_GLOBAL))
    memory.library.lean_initialize()
    all_parsers = parsers(memory, symbols)

    def binding(attribute: str, name: str, kind: str) -> str:
        head, middle, tail = f'@[extern "x"{attribute}]', f"opaque {quote(name)} :", kind
        if len(head) + len(middle) + len(tail) < 109:
            return f"{head} {middle} {tail}"
        return f"{head}\n{middle} {tail}" if len(middle) + len(tail) < 110 else f"{head}\n{middle}\n  {tail}"

    syntax = [f"declare_syntax_cat {name}{options}" for name, options in DECLARED_HERE]
    for category in sorted({parser.category for parser in all_parsers}):
        syntax += ["", f"/-! ### {category or 'pieces of other syntax'} -/"]
        for parser in all_parsers:
            if parser.category == category:
                attribute = f", {category}_parser" if category else ""
                kind = "Lean.TrailingParserDescr" if parser.trailing else "Lean.ParserDescr"
                syntax.append(binding(attribute, parser.kind, kind))
    rules = [binding(f", macro {quote(kind)}", name, "Lean.Macro") for kind, name in macros(all_parsers, symbols)]
    printers = [
        binding(f", app_unexpander {head}", name, "Lean.PrettyPrinter.Unexpander")
        for head, name in unexpanders(symbols)
    ]
    return {
        "Parsers.lean": _file(library, "Core.Meta", "The syntax of Init", syntax),
        "Macros.lean": _file(library, "Core.Parsers", "The macros of Init", rules),
        "Unexpanders.lean": _file(library, "Core.Macros", "How terms are printed with the notation of Init", printers),
    }


def _file(library: LeanLibrary, needs: str, title: str, lines: list[str]) -> str:
    head = [
        "prelude",
        f"import {needs}",
        "set_option autoImplicit false",
        "",
        "/-!",
        f"{title}, bound to what the Lean library holds.",
        "",
        f"Generated from the library of Lean {library.version} by lean_gym/core/bindings.py, which explains it.",
        "To write it anew: `python -m lean_gym.core.bindings`.",
        "-/",
        "",
    ]
    return "\n".join(head + lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The command; gives back its exit code: 1 when `--check` finds a difference."""
    parser = argparse.ArgumentParser(prog="python -m lean_gym.core.bindings", description="Bind the library's syntax.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not current")
    parser.add_argument("--output", type=Path, default=FOLDER, help="the folder of the files (default: in the package)")
    options = parser.parse_args(arguments)
    stale = []
    for name, text in generate(find_library()).items():
        path = options.output / name
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(name)
            if not options.check:
                path.write_text(text, "utf-8")
    done = "differ" if options.check else "written"
    print(f"{', '.join(stale)}: {done}" if stale else "current")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
