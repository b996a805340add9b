prelude
import Core.Meta
set_option autoImplicit false

/-!
The syntax of Init, bound to what the Lean library holds.

Generated from the library of Lean 4.35.0 by lean_gym/core/bindings.py, which explains it.
To write it anew: `python -m lean_gym.core.bindings`.
-/

declare_syntax_cat conv (behavior := both)
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
declare_syntax_cat binderPred

/-! ### pieces of other syntax -/
@[extern "x"] opaque Lean.Parser.Attr.extFlat : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Attr.extIff : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Attr.normCastLabel : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.argArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.convSeq : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.convSeq1Indented : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.convSeqBracketed : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.enterArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.enterPattern : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.occs : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.occsIndexed : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.Conv.occsWildcard : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.SolveByElim.arg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.SolveByElim.args : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.SolveByElim.erase : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.SolveByElim.star : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.SolveByElim.using_ : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.anchor : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.caseArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.clearValueArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.clearValueHyp : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.clearValueStar : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.config : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.configItem : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.discharger : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.dsimpArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.dsimpArgs : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.dsimpKind : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.dsimpTraceArgsRest : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.elimTarget : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.generalizeArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.inductionAlt : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.inductionAltLHS : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.inductionAlts : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.location : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.locationHyp : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.locationType : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.locationWildcard : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.negConfigItem : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.optConfig : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.posConfigItem : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.rcasesPatLo : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.rcasesPatMed : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.rwRule : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.rwRuleSeq : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpAllKind : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpAllTraceArgsRest : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpArg : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpArgs : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpErase : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpLemma : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpPost : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpPre : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpStar : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpTraceArgsRest : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpaArgsRest : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.simpaUsingBangArgsRest : Lean.ParserDescr
@[extern "x"] opaque Lean.Parser.Tactic.valConfigItem : Lean.ParserDescr
@[extern "x"] opaque Lean.binderIdent : Lean.ParserDescr
@[extern "x"] opaque Lean.bracketedExplicitBinders : Lean.ParserDescr
@[extern "x"] opaque Lean.calcFirstStep : Lean.ParserDescr
@[extern "x"] opaque Lean.calcStep : Lean.ParserDescr
@[extern "x"] opaque Lean.calcSteps : Lean.ParserDescr
@[extern "x"] opaque Lean.cdotTk : Lean.ParserDescr
@[extern "x"] opaque Lean.explicitBinders : Lean.ParserDescr
@[extern "x"] opaque Lean.unbracketedExplicitBinders : Lean.ParserDescr

/-! ### attr -/
@[extern "x", attr_parser] opaque Lean.Attr.coe : Lean.ParserDescr
@[extern "x", attr_parser] opaque Lean.Parser.Attr.cbv_eval : Lean.ParserDescr
@[extern "x", attr_parser] opaque Lean.Parser.Attr.ext : Lean.ParserDescr
@[extern "x", attr_parser] opaque Lean.Parser.Attr.norm_cast : Lean.ParserDescr
@[extern "x", attr_parser] opaque Lean.Parser.Attr.simp : Lean.ParserDescr
@[extern "x", attr_parser] opaque Lean.Parser.Attr.wf_preprocess : Lean.ParserDescr

/-! ### binderPred -/
@[extern "x", binderPred_parser] opaque Lean.«binderPred<_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred>_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred∈_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred∉_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred≠_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred≤_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred≥_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred⊂_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred⊃_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred⊆_» : Lean.ParserDescr
@[extern "x", binderPred_parser] opaque Lean.«binderPred⊇_» : Lean.ParserDescr

/-! ### conv -/
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.allGoals : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.anyGoals : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.arg : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.case : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.case' : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.cbv : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.change : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.clear : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.congr : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convApply_ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convArgs : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convConvSeq : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convDone : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convErw__ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convIntro___ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convLeft : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.«convNext__=>_» : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convRepeat_ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convRfl : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convRight : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convRw__ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convTactic : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convTrace_state : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.convTry_ : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.«conv_<;>_» : Lean.TrailingParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.«conv·_» : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.delta : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.dsimp : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.dsimpTrace : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.enter : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.ext : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.extractLets : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.failIfSuccess : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.first : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.focus : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.«fun» : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.letToHave : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.lhs : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.liftLets : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedConv : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedTactic : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.nestedTacticCore : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.normCast : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.paren : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.pattern : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.reduce : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.rewrite : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.rhs : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.simp : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.simpMatch : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.simpTrace : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.skip : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.unfold : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.whnf : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.Parser.Tactic.Conv.zeta : Lean.ParserDescr
@[extern "x", conv_parser] opaque Lean.convCalc_ : Lean.ParserDescr

/-! ### prec -/
@[extern "x", prec_parser] opaque Lean.Parser.Syntax.addPrec : Lean.TrailingParserDescr
@[extern "x", prec_parser] opaque Lean.Parser.Syntax.subPrec : Lean.TrailingParserDescr
@[extern "x", prec_parser] opaque «prec(_)» : Lean.ParserDescr
@[extern "x", prec_parser] opaque precArg : Lean.ParserDescr
@[extern "x", prec_parser] opaque precLead : Lean.ParserDescr
@[extern "x", prec_parser] opaque precMax : Lean.ParserDescr
@[extern "x", prec_parser] opaque precMin : Lean.ParserDescr
@[extern "x", prec_parser] opaque precMin1 : Lean.ParserDescr

/-! ### prio -/
@[extern "x", prio_parser] opaque Lean.Parser.Syntax.addPrio : Lean.TrailingParserDescr
@[extern "x", prio_parser] opaque Lean.Parser.Syntax.subPrio : Lean.TrailingParserDescr
@[extern "x", prio_parser] opaque «prio(_)» : Lean.ParserDescr
@[extern "x", prio_parser] opaque prioDefault : Lean.ParserDescr
@[extern "x", prio_parser] opaque prioHigh : Lean.ParserDescr
@[extern "x", prio_parser] opaque prioLow : Lean.ParserDescr
@[extern "x", prio_parser] opaque prioMid : Lean.ParserDescr

/-! ### rcasesPat -/
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.clear : Lean.ParserDescr
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.explicit : Lean.ParserDescr
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.ignore : Lean.ParserDescr
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.one : Lean.ParserDescr
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.paren : Lean.ParserDescr
@[extern "x", rcasesPat_parser] opaque Lean.Parser.Tactic.rcasesPat.tuple : Lean.ParserDescr

/-! ### rintroPat -/
@[extern "x", rintroPat_parser] opaque Lean.Parser.Tactic.rintroPat.binder : Lean.ParserDescr
@[extern "x", rintroPat_parser] opaque Lean.Parser.Tactic.rintroPat.one : Lean.ParserDescr

/-! ### stx -/
@[extern "x", stx_parser] opaque stx!_ : Lean.ParserDescr
@[extern "x", stx_parser] opaque «stx_*» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_+» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_,*» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_,*,?» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_,+» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_,+,?» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque «stx_<|>_» : Lean.TrailingParserDescr
@[extern "x", stx_parser] opaque stx_? : Lean.TrailingParserDescr

/-! ### tactic -/
@[extern "x", tactic_parser] opaque Lean.Elab.Tactic.Ext.applyExtTheorem : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Elab.Tactic.Ext.ext : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Elab.Tactic.Ext.tacticExt1___ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.Conv.conv : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.acNf0 : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.acRfl : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.allGoals : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.anyGoals : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.apply : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.apply? : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.applyAssumption : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.applyRfl : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.applyRules : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.as_aux_lemma : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.assumption : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.attemptAll : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.case : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.case' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.cases : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.cbv : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.change : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.classical : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.clear : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.clearValue : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.congr : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.constructor : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.constructorBang : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.contradiction : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.dbgTrace : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.decide : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.delta : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.done : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.dsimp : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.dsimpAutoUnfold : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.dsimpTrace : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.eqRefl : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.exact : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.exact? : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.exposeNames : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.extractLets : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.fail : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.failIfSuccess : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.falseOrByContra : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.first : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.focus : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.generalize : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.guardExpr : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.guardHyp : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.guardTarget : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.induction : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.injection : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.injections : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.intro : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.intros : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.left : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.letToHave : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.letrec : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.liftLets : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.normCast0 : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.obtain : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.paren : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.pushCast : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rcases : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.refine : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.refine' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rename : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.renameI : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.repeat' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.repeat1' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.replace : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.revert : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rewriteSeq : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.right : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rintro : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rotateLeft : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rotateRight : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rwSeq : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rwa : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rwaAt : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.rwaAtLegacyLocation : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.«show» : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.showTerm : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simp : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpAll : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpAllAutoUnfold : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpAllTrace : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpAutoUnfold : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpTrace : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpa : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.simpaUsingBang : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.skip : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.solveByElim : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.specialize : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.split : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.subst : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.substEqs : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.substVars : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.symm : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.symmSaturate : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacDepIfThenElse : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacIfThenElse : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticAc_nf_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticAdmit : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticAnd_intros : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticApply_mod_cast_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticAssumption_mod_cast_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticDsimp?!_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticErw___ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticExact_mod_cast_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticExfalso : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.«tacticExists_,,» : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticHave' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticHaveI__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticHave__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticInfer_instance : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticIterate____ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticLet'__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticLetI__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticLet__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.«tacticNext_=>_» : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticNofun : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.«tacticNomatch_,,» : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticNorm_cast__ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRefine_lift'_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRefine_lift_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRepeat_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRfl : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRfl' : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticRw_mod_cast___ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimp?!_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimp_all?!_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa!_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa!__1 : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?!_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?!__1 : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSimpa?__1 : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSorry : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticStop_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticSuffices_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticTrivial : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticTry_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.tacticUnhygienic_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.«tactic_<;>_» : Lean.TrailingParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.traceMessage : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.traceState : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.unfold : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.withImplicit : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.withReducible : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.withReducibleAndInstances : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.withUnfoldingAll : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.Parser.Tactic.withUnfoldingNone : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.calcTactic : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.cdot : Lean.ParserDescr
@[extern "x", tactic_parser] opaque Lean.solveTactic : Lean.ParserDescr
@[extern "x", tactic_parser] opaque «tacticBy_cases_:_» : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticClean_wf : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticDecreasing_tactic : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticDecreasing_trivial : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticDecreasing_trivial_pre_omega : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticDecreasing_with_ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticFunext___ : Lean.ParserDescr
@[extern "x", tactic_parser] opaque tacticSimp_wf : Lean.ParserDescr

/-! ### term -/
@[extern "x", term_parser] opaque Bool.«term_^^_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque Lean.«calc» : Lean.ParserDescr
@[extern "x", term_parser] opaque Lean.termEval_prec_ : Lean.ParserDescr
@[extern "x", term_parser] opaque Lean.termEval_prio_ : Lean.ParserDescr
@[extern "x", term_parser] opaque Lean.«termSatisfies_binder_pred%__» : Lean.ParserDescr
@[extern "x", term_parser] opaque Lean.«term_Matches_|» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque Lean.«term∀__,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque Lean.«term∃__,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque boolIfThenElse : Lean.ParserDescr
@[extern "x", term_parser] opaque coeFunNotation : Lean.ParserDescr
@[extern "x", term_parser] opaque coeNotation : Lean.ParserDescr
@[extern "x", term_parser] opaque coeSortNotation : Lean.ParserDescr
@[extern "x", term_parser] opaque rawNatLit : Lean.ParserDescr
@[extern "x", term_parser] opaque term!_ : Lean.ParserDescr
@[extern "x", term_parser] opaque «term#[_,]» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term%[_|_]» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term-_» : Lean.ParserDescr
@[extern "x", term_parser] opaque termDepIfThenElse : Lean.ParserDescr
@[extern "x", term_parser] opaque «termExists_,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque termIfThenElse : Lean.ParserDescr
@[extern "x", term_parser] opaque termMax_prec : Lean.ParserDescr
@[extern "x", term_parser] opaque termWithout_expected_type_ : Lean.ParserDescr
@[extern "x", term_parser] opaque «term[_]» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term_!=_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_$__» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_%_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_&&&_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_&&_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_*>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_*_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_++_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_+_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_-_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_/_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_::_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<$>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<&&>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<&>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<*>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<*_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<->_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<<<_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<=<_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<=_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<|>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<|_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_<||>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_=<<_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_==_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_=_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>=>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>=_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>>=_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>>>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_\_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_^^^_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_^_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term__[_]» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term__[_]'_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term__[_]_!» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term__[_]_?» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_|>_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_||_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_|||_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_×'_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_×'__1» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term_×_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_×__1» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term_•_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⁻¹» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_↔_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∈_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∉_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∘_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∣_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∧_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∨_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∩_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_∪_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_≈_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_≍_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_≠_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_≤_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_≥_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊂_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊃_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊆_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊇_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊕'_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term_⊕_» : Lean.TrailingParserDescr
@[extern "x", term_parser] opaque «term{_:_//_}» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term{_}» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term{}» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term~~~_» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term¬_» : Lean.ParserDescr
@[extern "x", term_parser] opaque «termΣ'_,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque «termΣ_,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term‹_›» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term∃_,_» : Lean.ParserDescr
@[extern "x", term_parser] opaque «term∅» : Lean.ParserDescr
