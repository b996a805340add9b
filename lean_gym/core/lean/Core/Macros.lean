prelude
import Core.Parsers
set_option autoImplicit false

/-!
The macros of Init, bound to what the Lean library holds.

Generated from the library of Lean 4.35.0 by lean_gym/core/bindings.py, which explains it.
To write it anew: `python -m lean_gym.core.bindings`.
-/

@[extern "x", macro Bool.«term_^^_»]
opaque Bool.«_aux_Init_Data_Bool___macroRules_Bool_term_^^__1» : Lean.Macro
@[extern "x", macro Lean.Elab.Tactic.Ext.tacticExt1___]
opaque Lean.Elab.Tactic.Ext._aux_Init_Ext___macroRules_Lean_Elab_Tactic_Ext_tacticExt1____1 : Lean.Macro
@[extern "x", macro Lean.Parser.Syntax.addPrec]
opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrec_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Syntax.addPrio]
opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_addPrio_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Syntax.subPrec]
opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrec_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Syntax.subPrio]
opaque Lean._aux_Init_Meta___macroRules_Lean_Parser_Syntax_subPrio_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.allGoals]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_allGoals_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.anyGoals]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_anyGoals_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.case]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.case']
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_case'_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convApply_]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convApply__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convArgs]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convArgs_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convDone]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convDone_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convErw__]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convErw___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convIntro___]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convIntro____1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convLeft]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convLeft_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.«convNext__=>_»]
opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convNext__=>__1» :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convRepeat_]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRepeat__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convRfl]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRfl_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convRight]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRight_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convRw__]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convRw___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convTrace_state]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTrace_state_1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.convTry_]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_convTry__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.«conv_<;>_»]
opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv_<;>__1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.«conv·_»]
opaque Lean.Parser.Tactic.Conv.«_aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_conv·__1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.failIfSuccess]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_failIfSuccess_1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.Conv.focus]
opaque Lean.Parser.Tactic.Conv._aux_Init_Conv___macroRules_Lean_Parser_Tactic_Conv_focus_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.constructorBang]
opaque Lean.Parser.Tactic._aux_Init_Meta___macroRules_Lean_Parser_Tactic_constructorBang_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.letrec]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_letrec_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.rwSeq]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.rwaAtLegacyLocation]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwaAtLegacyLocation_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacDepIfThenElse]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacDepIfThenElse_1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacIfThenElse]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacIfThenElse_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticAc_nf_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAc_nf__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticAdmit]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAdmit_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticAnd_intros]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticApply_mod_cast_]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticApply_mod_cast__1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticAssumption_mod_cast_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAssumption_mod_cast__1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticDsimp?!_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticDsimp?!__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticErw___]
opaque Lean.Parser.Tactic._aux_Init_Meta___macroRules_Lean_Parser_Tactic_tacticErw____1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticExact_mod_cast_]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticExact_mod_cast__1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticExfalso]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.«tacticExists_,,»]
opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticHave']
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave'_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticHaveI__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHaveI___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticHave__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticInfer_instance]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticIterate____]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticIterate_____1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticLet'__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet'___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticLetI__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLetI___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticLet__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.«tacticNext_=>_»]
opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticNofun]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.«tacticNomatch_,,»]
opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticNorm_cast__]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNorm_cast___1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRefine_lift'_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift'__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRefine_lift_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRfl]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRfl]
opaque _aux_Init_Core___macroRules_Lean_Parser_Tactic_tacticRfl_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRfl']
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl'_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRw_mod_cast___]
opaque Lean.Parser.Tactic._aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacticRw_mod_cast____1 :
  Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimp?!_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimp?!__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimp_all?!_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimp_all?!__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa!_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa!__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa!__1]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa!__1_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa?!_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?!__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa?!__1]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?!__1_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa?_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSimpa?__1]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSimpa?__1_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSorry]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticStop_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticStop__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticSuffices_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTry_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticUnhygienic_]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticUnhygienic__1 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.«tactic_<;>_»]
opaque Lean.Parser.Tactic.«_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Lean.Macro
@[extern "x", macro Lean.convCalc_]
opaque Lean._aux_Init_NotationExtra___macroRules_Lean_convCalc__1 : Lean.Macro
@[extern "x", macro Lean.solveTactic]
opaque Lean._aux_Init_NotationExtra___macroRules_Lean_solveTactic_1 : Lean.Macro
@[extern "x", macro Lean.termEval_prec_]
opaque Lean._aux_Init_Meta___macroRules_Lean_termEval_prec__1 : Lean.Macro
@[extern "x", macro Lean.termEval_prio_]
opaque Lean._aux_Init_Meta___macroRules_Lean_termEval_prio__1 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___1» : Lean.Macro
@[extern "x", macro Lean.«term_Matches_|»]
opaque Lean.«_aux_Init_NotationExtra___macroRules_Lean_term_Matches_|_1» : Lean.Macro
@[extern "x", macro Lean.«term∀__,_»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∀__,__1» : Lean.Macro
@[extern "x", macro Lean.«term∃__,_»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_term∃__,__1» : Lean.Macro
@[extern "x", macro boolIfThenElse] opaque _aux_Init_Notation___macroRules_boolIfThenElse_1 : Lean.Macro
@[extern "x", macro «prec(_)»] opaque «_aux_Init_Notation___macroRules_prec(_)_1» : Lean.Macro
@[extern "x", macro precArg] opaque _aux_Init_Notation___macroRules_precArg_1 : Lean.Macro
@[extern "x", macro precLead] opaque _aux_Init_Notation___macroRules_precLead_1 : Lean.Macro
@[extern "x", macro precMax] opaque _aux_Init_Notation___macroRules_precMax_1 : Lean.Macro
@[extern "x", macro precMin] opaque _aux_Init_Notation___macroRules_precMin_1 : Lean.Macro
@[extern "x", macro precMin1] opaque _aux_Init_Notation___macroRules_precMin1_1 : Lean.Macro
@[extern "x", macro «prio(_)»] opaque «_aux_Init_Notation___macroRules_prio(_)_1» : Lean.Macro
@[extern "x", macro prioDefault] opaque _aux_Init_Notation___macroRules_prioDefault_1 : Lean.Macro
@[extern "x", macro prioHigh] opaque _aux_Init_Notation___macroRules_prioHigh_1 : Lean.Macro
@[extern "x", macro prioLow] opaque _aux_Init_Notation___macroRules_prioLow_1 : Lean.Macro
@[extern "x", macro prioMid] opaque _aux_Init_Notation___macroRules_prioMid_1 : Lean.Macro
@[extern "x", macro stx!_] opaque _aux_Init_Notation___macroRules_stx!__1 : Lean.Macro
@[extern "x", macro «stx_*»] opaque «_aux_Init_Notation___macroRules_stx_*_1» : Lean.Macro
@[extern "x", macro «stx_+»] opaque «_aux_Init_Notation___macroRules_stx_+_1» : Lean.Macro
@[extern "x", macro «stx_,*»] opaque «_aux_Init_Notation___macroRules_stx_,*_1» : Lean.Macro
@[extern "x", macro «stx_,*,?»] opaque «_aux_Init_Notation___macroRules_stx_,*,?_1» : Lean.Macro
@[extern "x", macro «stx_,+»] opaque «_aux_Init_Notation___macroRules_stx_,+_1» : Lean.Macro
@[extern "x", macro «stx_,+,?»] opaque «_aux_Init_Notation___macroRules_stx_,+,?_1» : Lean.Macro
@[extern "x", macro «stx_<|>_»] opaque «_aux_Init_Notation___macroRules_stx_<|>__1» : Lean.Macro
@[extern "x", macro stx_?] opaque _aux_Init_Notation___macroRules_stx_?_1 : Lean.Macro
@[extern "x", macro «tacticBy_cases_:_»]
opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1» : Lean.Macro
@[extern "x", macro tacticClean_wf] opaque _aux_Init_WFTactics___macroRules_tacticClean_wf_1 : Lean.Macro
@[extern "x", macro tacticDecreasing_tactic]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_tactic_1 : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_1 : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial_pre_omega]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_1 : Lean.Macro
@[extern "x", macro tacticDecreasing_with_]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_with__1 : Lean.Macro
@[extern "x", macro tacticFunext___]
opaque _aux_Init_NotationExtra___macroRules_tacticFunext____1 : Lean.Macro
@[extern "x", macro tacticSimp_wf] opaque _aux_Init_WFTactics___macroRules_tacticSimp_wf_1 : Lean.Macro
@[extern "x", macro term!_] opaque _aux_Init_Notation___macroRules_term!__1 : Lean.Macro
@[extern "x", macro «term#[_,]»] opaque «_aux_Init_Data_Array_Basic___macroRules_term#[_,]_1» : Lean.Macro
@[extern "x", macro «term%[_|_]»] opaque «_aux_Init_NotationExtra___macroRules_term%[_|_]_1» : Lean.Macro
@[extern "x", macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__1» : Lean.Macro
@[extern "x", macro termDepIfThenElse] opaque _aux_Init_Notation___macroRules_termDepIfThenElse_1 : Lean.Macro
@[extern "x", macro «termExists_,_»]
opaque «_aux_Init_NotationExtra___macroRules_termExists_,__1» : Lean.Macro
@[extern "x", macro termIfThenElse] opaque _aux_Init_Notation___macroRules_termIfThenElse_1 : Lean.Macro
@[extern "x", macro termMax_prec] opaque _aux_Init_Notation___macroRules_termMax_prec_1 : Lean.Macro
@[extern "x", macro termWithout_expected_type_]
opaque _aux_Init_Notation___macroRules_termWithout_expected_type__1 : Lean.Macro
@[extern "x", macro «term[_]»] opaque Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Lean.Macro
@[extern "x", macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__1» : Lean.Macro
@[extern "x", macro «term_$__»] opaque «_aux_Init_Notation___macroRules_term_$___1» : Lean.Macro
@[extern "x", macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__1» : Lean.Macro
@[extern "x", macro «term_&&&_»] opaque «_aux_Init_Notation___macroRules_term_&&&__1» : Lean.Macro
@[extern "x", macro «term_&&_»] opaque «_aux_Init_Notation___macroRules_term_&&__1» : Lean.Macro
@[extern "x", macro «term_*>_»] opaque «_aux_Init_Notation___macroRules_term_*>__1» : Lean.Macro
@[extern "x", macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__1» : Lean.Macro
@[extern "x", macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__1» : Lean.Macro
@[extern "x", macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__1» : Lean.Macro
@[extern "x", macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__1» : Lean.Macro
@[extern "x", macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__1» : Lean.Macro
@[extern "x", macro «term_::_»] opaque «_aux_Init_Notation___macroRules_term_::__1» : Lean.Macro
@[extern "x", macro «term_<$>_»] opaque «_aux_Init_Notation___macroRules_term_<$>__1» : Lean.Macro
@[extern "x", macro «term_<&&>_»] opaque «_aux_Init_Control_Basic___macroRules_term_<&&>__1» : Lean.Macro
@[extern "x", macro «term_<&>_»] opaque «_aux_Init_Control_Basic___macroRules_term_<&>__1» : Lean.Macro
@[extern "x", macro «term_<*>_»] opaque «_aux_Init_Notation___macroRules_term_<*>__1» : Lean.Macro
@[extern "x", macro «term_<*_»] opaque «_aux_Init_Notation___macroRules_term_<*__1» : Lean.Macro
@[extern "x", macro «term_<->_»] opaque «_aux_Init_Core___macroRules_term_<->__1» : Lean.Macro
@[extern "x", macro «term_<<<_»] opaque «_aux_Init_Notation___macroRules_term_<<<__1» : Lean.Macro
@[extern "x", macro «term_<=<_»] opaque «_aux_Init_Control_Basic___macroRules_term_<=<__1» : Lean.Macro
@[extern "x", macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__1» : Lean.Macro
@[extern "x", macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__1» : Lean.Macro
@[extern "x", macro «term_<|>_»] opaque «_aux_Init_Notation___macroRules_term_<|>__1» : Lean.Macro
@[extern "x", macro «term_<|_»] opaque «_aux_Init_Notation___macroRules_term_<|__1» : Lean.Macro
@[extern "x", macro «term_<||>_»] opaque «_aux_Init_Control_Basic___macroRules_term_<||>__1» : Lean.Macro
@[extern "x", macro «term_=<<_»] opaque «_aux_Init_Control_Basic___macroRules_term_=<<__1» : Lean.Macro
@[extern "x", macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__1» : Lean.Macro
@[extern "x", macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__1» : Lean.Macro
@[extern "x", macro «term_>=>_»] opaque «_aux_Init_Control_Basic___macroRules_term_>=>__1» : Lean.Macro
@[extern "x", macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__1» : Lean.Macro
@[extern "x", macro «term_>>=_»] opaque «_aux_Init_Notation___macroRules_term_>>=__1» : Lean.Macro
@[extern "x", macro «term_>>>_»] opaque «_aux_Init_Notation___macroRules_term_>>>__1» : Lean.Macro
@[extern "x", macro «term_>>_»] opaque «_aux_Init_Notation___macroRules_term_>>__1» : Lean.Macro
@[extern "x", macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__1» : Lean.Macro
@[extern "x", macro «term_\_»] opaque «_aux_Init_Core___macroRules_term_\__1» : Lean.Macro
@[extern "x", macro «term_^^^_»] opaque «_aux_Init_Notation___macroRules_term_^^^__1» : Lean.Macro
@[extern "x", macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__1» : Lean.Macro
@[extern "x", macro «term__[_]»] opaque «_aux_Init_GetElem___macroRules_term__[_]_1» : Lean.Macro
@[extern "x", macro «term__[_]'_»] opaque «_aux_Init_GetElem___macroRules_term__[_]'__1» : Lean.Macro
@[extern "x", macro «term__[_]_!»] opaque «_aux_Init_GetElem___macroRules_term__[_]_!_1» : Lean.Macro
@[extern "x", macro «term__[_]_?»] opaque «_aux_Init_GetElem___macroRules_term__[_]_?_1» : Lean.Macro
@[extern "x", macro «term_|>_»] opaque «_aux_Init_Notation___macroRules_term_|>__1» : Lean.Macro
@[extern "x", macro «term_||_»] opaque «_aux_Init_Notation___macroRules_term_||__1» : Lean.Macro
@[extern "x", macro «term_|||_»] opaque «_aux_Init_Notation___macroRules_term_|||__1» : Lean.Macro
@[extern "x", macro «term_×'_»] opaque «_aux_Init_Notation___macroRules_term_×'__1» : Lean.Macro
@[extern "x", macro «term_×'__1»] opaque «_aux_Init_NotationExtra___macroRules_term_×'__1_1» : Lean.Macro
@[extern "x", macro «term_×_»] opaque «_aux_Init_Notation___macroRules_term_×__1» : Lean.Macro
@[extern "x", macro «term_×__1»] opaque «_aux_Init_NotationExtra___macroRules_term_×__1_1» : Lean.Macro
@[extern "x", macro «term_•_»] opaque «_aux_Init_Notation___macroRules_term_•__1» : Lean.Macro
@[extern "x", macro «term_⁻¹»] opaque «_aux_Init_Notation___macroRules_term_⁻¹_1» : Lean.Macro
@[extern "x", macro «term_↔_»] opaque «_aux_Init_Core___macroRules_term_↔__1» : Lean.Macro
@[extern "x", macro «term_∈_»] opaque «_aux_Init_Notation___macroRules_term_∈__1» : Lean.Macro
@[extern "x", macro «term_∉_»] opaque «_aux_Init_Notation___macroRules_term_∉__1» : Lean.Macro
@[extern "x", macro «term_∘_»] opaque «_aux_Init_Notation___macroRules_term_∘__1» : Lean.Macro
@[extern "x", macro «term_∣_»] opaque «_aux_Init_Notation___macroRules_term_∣__1» : Lean.Macro
@[extern "x", macro «term_∧_»] opaque «_aux_Init_Notation___macroRules_term_∧__1» : Lean.Macro
@[extern "x", macro «term_∨_»] opaque «_aux_Init_Notation___macroRules_term_∨__1» : Lean.Macro
@[extern "x", macro «term_∩_»] opaque «_aux_Init_Core___macroRules_term_∩__1» : Lean.Macro
@[extern "x", macro «term_∪_»] opaque «_aux_Init_Core___macroRules_term_∪__1» : Lean.Macro
@[extern "x", macro «term_≈_»] opaque «_aux_Init_Core___macroRules_term_≈__1» : Lean.Macro
@[extern "x", macro «term_≍_»] opaque «_aux_Init_Notation___macroRules_term_≍__1» : Lean.Macro
@[extern "x", macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__1» : Lean.Macro
@[extern "x", macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__1» : Lean.Macro
@[extern "x", macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__1» : Lean.Macro
@[extern "x", macro «term_⊂_»] opaque «_aux_Init_Core___macroRules_term_⊂__1» : Lean.Macro
@[extern "x", macro «term_⊃_»] opaque «_aux_Init_Core___macroRules_term_⊃__1» : Lean.Macro
@[extern "x", macro «term_⊆_»] opaque «_aux_Init_Core___macroRules_term_⊆__1» : Lean.Macro
@[extern "x", macro «term_⊇_»] opaque «_aux_Init_Core___macroRules_term_⊇__1» : Lean.Macro
@[extern "x", macro «term_⊕'_»] opaque «_aux_Init_Core___macroRules_term_⊕'__1» : Lean.Macro
@[extern "x", macro «term_⊕_»] opaque «_aux_Init_Core___macroRules_term_⊕__1» : Lean.Macro
@[extern "x", macro «term{_:_//_}»] opaque «_aux_Init_Notation___macroRules_term{_:_//_}_1» : Lean.Macro
@[extern "x", macro «term{_}»] opaque «_aux_Init_NotationExtra___macroRules_term{_}_1» : Lean.Macro
@[extern "x", macro «term{}»] opaque «_aux_Init_Core___macroRules_term{}_1» : Lean.Macro
@[extern "x", macro «term~~~_»] opaque «_aux_Init_Notation___macroRules_term~~~__1» : Lean.Macro
@[extern "x", macro «term¬_»] opaque «_aux_Init_Notation___macroRules_term¬__1» : Lean.Macro
@[extern "x", macro «termΣ'_,_»] opaque «_aux_Init_NotationExtra___macroRules_termΣ'_,__1» : Lean.Macro
@[extern "x", macro «termΣ_,_»] opaque «_aux_Init_NotationExtra___macroRules_termΣ_,__1» : Lean.Macro
@[extern "x", macro «term‹_›»] opaque «_aux_Init_Tactics___macroRules_term‹_›_1» : Lean.Macro
@[extern "x", macro «term∃_,_»] opaque «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Lean.Macro
@[extern "x", macro «term∅»] opaque «_aux_Init_Core___macroRules_term∅_1» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRfl]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___2» : Lean.Macro
@[extern "x", macro «tacticBy_cases_:_»]
opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2» : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_2 : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial_pre_omega]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_2 : Lean.Macro
@[extern "x", macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__2» : Lean.Macro
@[extern "x", macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__2» : Lean.Macro
@[extern "x", macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__2» : Lean.Macro
@[extern "x", macro «term_&&&_»] opaque «_aux_Init_Notation___macroRules_term_&&&__2» : Lean.Macro
@[extern "x", macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__2» : Lean.Macro
@[extern "x", macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__2» : Lean.Macro
@[extern "x", macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__2» : Lean.Macro
@[extern "x", macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__2» : Lean.Macro
@[extern "x", macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__2» : Lean.Macro
@[extern "x", macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__2» : Lean.Macro
@[extern "x", macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__2» : Lean.Macro
@[extern "x", macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__2» : Lean.Macro
@[extern "x", macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__2» : Lean.Macro
@[extern "x", macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__2» : Lean.Macro
@[extern "x", macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__2» : Lean.Macro
@[extern "x", macro «term_^^^_»] opaque «_aux_Init_Notation___macroRules_term_^^^__2» : Lean.Macro
@[extern "x", macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__2» : Lean.Macro
@[extern "x", macro «term_|||_»] opaque «_aux_Init_Notation___macroRules_term_|||__2» : Lean.Macro
@[extern "x", macro «term_•_»] opaque «_aux_Init_Notation___macroRules_term_•__2» : Lean.Macro
@[extern "x", macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__2» : Lean.Macro
@[extern "x", macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__2» : Lean.Macro
@[extern "x", macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__2» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticRfl]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___3» : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_3 : Lean.Macro
@[extern "x", macro tacticDecreasing_trivial_pre_omega]
opaque _aux_Init_WFTactics___macroRules_tacticDecreasing_trivial_pre_omega_3 : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___4» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___5» : Lean.Macro
@[extern "x", macro Lean.Parser.Tactic.tacticTrivial]
opaque Lean.Parser.Tactic._aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_6 : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___6» : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___7» : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___8» : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___9» : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___10» : Lean.Macro
@[extern "x", macro Lean.«termSatisfies_binder_pred%__»]
opaque Lean.«_aux_Init_BinderPredicates___macroRules_Lean_termSatisfies_binder_pred%___11» : Lean.Macro
