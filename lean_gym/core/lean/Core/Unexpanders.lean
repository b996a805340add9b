prelude
import Core.Macros
set_option autoImplicit false

/-!
How terms are printed with the notation of Init, bound to what the Lean library holds.

Generated from the library of Lean 4.35.0 by lean_gym/core/bindings.py, which explains it.
To write it anew: `python -m lean_gym.core.bindings`.
-/

@[extern "x", app_unexpander And] opaque _aux_Init_Notation___unexpand_And_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander BEq.beq]
opaque _aux_Init_Notation___unexpand_BEq_beq_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Bind.bind]
opaque _aux_Init_Notation___unexpand_Bind_bind_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Bool.and]
opaque _aux_Init_Notation___unexpand_Bool_and_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Bool.not]
opaque _aux_Init_Notation___unexpand_Bool_not_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Bool.or]
opaque _aux_Init_Notation___unexpand_Bool_or_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Bool.xor]
opaque Bool._aux_Init_Data_Bool___unexpand_Bool_xor_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Dvd.dvd]
opaque _aux_Init_Notation___unexpand_Dvd_dvd_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander EmptyCollection.emptyCollection]
opaque _aux_Init_Core___unexpand_EmptyCollection_emptyCollection_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Eq] opaque _aux_Init_Notation___unexpand_Eq_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Function.comp]
opaque _aux_Init_Notation___unexpand_Function_comp_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Functor.map]
opaque _aux_Init_Notation___unexpand_Functor_map_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander GE.ge]
opaque _aux_Init_Notation___unexpand_GE_ge_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander GT.gt]
opaque _aux_Init_Notation___unexpand_GT_gt_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HAdd.hAdd]
opaque _aux_Init_Notation___unexpand_HAdd_hAdd_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HAppend.hAppend]
opaque _aux_Init_Notation___unexpand_HAppend_hAppend_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HDiv.hDiv]
opaque _aux_Init_Notation___unexpand_HDiv_hDiv_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HEq] opaque _aux_Init_Notation___unexpand_HEq_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HMod.hMod]
opaque _aux_Init_Notation___unexpand_HMod_hMod_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HMul.hMul]
opaque _aux_Init_Notation___unexpand_HMul_hMul_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HPow.hPow]
opaque _aux_Init_Notation___unexpand_HPow_hPow_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HSMul.hSMul]
opaque _aux_Init_Notation___unexpand_HSMul_hSMul_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HSub.hSub]
opaque _aux_Init_Notation___unexpand_HSub_hSub_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HasSSubset.SSubset]
opaque _aux_Init_Core___unexpand_HasSSubset_SSubset_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander HasSubset.Subset]
opaque _aux_Init_Core___unexpand_HasSubset_Subset_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Iff] opaque _aux_Init_Core___unexpand_Iff_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Inter.inter]
opaque _aux_Init_Core___unexpand_Inter_inter_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Inv.inv]
opaque _aux_Init_Notation___unexpand_Inv_inv_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander LE.le]
opaque _aux_Init_Notation___unexpand_LE_le_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander LT.lt]
opaque _aux_Init_Notation___unexpand_LT_lt_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander List.cons]
opaque _aux_Init_Notation___unexpand_List_cons_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Membership.mem]
opaque _aux_Init_Notation___unexpand_Membership_mem_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Ne] opaque _aux_Init_Core___unexpand_Ne_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Neg.neg]
opaque _aux_Init_Notation___unexpand_Neg_neg_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Not] opaque _aux_Init_Notation___unexpand_Not_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Or] opaque _aux_Init_Notation___unexpand_Or_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander PProd]
opaque _aux_Init_Notation___unexpand_PProd_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander PSum] opaque _aux_Init_Core___unexpand_PSum_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Prod] opaque _aux_Init_Notation___unexpand_Prod_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander SDiff.sdiff]
opaque _aux_Init_Core___unexpand_SDiff_sdiff_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander SSuperset]
opaque _aux_Init_Core___unexpand_SSuperset_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Sum] opaque _aux_Init_Core___unexpand_Sum_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Superset]
opaque _aux_Init_Core___unexpand_Superset_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Union.union]
opaque _aux_Init_Core___unexpand_Union_union_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander bne] opaque _aux_Init_Core___unexpand_bne_1 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander EmptyCollection.emptyCollection]
opaque _aux_Init_Core___unexpand_EmptyCollection_emptyCollection_2 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander GE.ge]
opaque _aux_Init_Notation___unexpand_GE_ge_2 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Iff] opaque _aux_Init_Core___unexpand_Iff_2 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander LE.le]
opaque _aux_Init_Notation___unexpand_LE_le_2 : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Exists] opaque unexpandExists : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander ite] opaque unexpandIte : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander List.cons] opaque unexpandListCons : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander List.nil] opaque unexpandListNil : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Prod.mk] opaque unexpandProdMk : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander PSigma] opaque unexpandPSigma : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Sigma] opaque unexpandSigma : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Subtype] opaque unexpandSubtype : Lean.PrettyPrinter.Unexpander
@[extern "x", app_unexpander Unit.unit] opaque unexpandUnit : Lean.PrettyPrinter.Unexpander
