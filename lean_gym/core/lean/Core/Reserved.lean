prelude
import Core.Unexpanders
set_option autoImplicit false
set_option linter.all false

/-!
# Names that the kernel knows

The kernel computes some constants by itself wherever it meets their names: `Nat.gcd 4 6` is `2` whatever a
definition says. A file that could define such a name at will could prove `False`. So each of them is taken
here: what Core uses is defined in `Core.Prelude` and `Core.NatMore` (`Nat.add`, `sub`, `mul`, `pow`, `beq`,
`ble`, `div`, `mod`) just as the kernel computes it; the others are opaque, so nothing but the kernel's own
computation is known about them.
-/

@[extern "lean_nat_gcd"] opaque Nat.gcd (m n : Nat) : Nat := m
@[extern "lean_nat_land"] opaque Nat.land (m n : Nat) : Nat := m
@[extern "lean_nat_lor"] opaque Nat.lor (m n : Nat) : Nat := m
@[extern "lean_nat_lxor"] opaque Nat.xor (m n : Nat) : Nat := m
@[extern "lean_nat_shiftl"] opaque Nat.shiftLeft (m n : Nat) : Nat := m
@[extern "lean_nat_shiftr"] opaque Nat.shiftRight (m n : Nat) : Nat := m
@[extern "lean_nat_log2"] opaque Nat.log2 (n : Nat) : Nat := n

/- A string literal is `String.ofList [Char.ofNat _, ...]` to the kernel (`String.mk` in older versions). -/
structure Char where
  val : Nat
opaque Char.ofNat (n : Nat) : Char := ⟨n⟩
opaque String.ofList (data : List Char) : String := .opaque₁ 0
opaque String.mk (data : List Char) : String := .opaque₁ 0

/- The kernels of other Lean versions replace `Lean.reduceBool c` by what the compiled code of `c` returns.
Here they are no functions, so no such term has a type. -/
theorem Lean.reduceBool : True := True.intro
theorem Lean.reduceNat : True := True.intro
