prelude
import Core
set_option autoImplicit false

/-! The kernel computes these by name; a file that could define them would prove False. Each one must be refused. -/

def Nat.add (a _ : Nat) : Nat := a
def Nat.sub (a _ : Nat) : Nat := a
def Nat.mul (a _ : Nat) : Nat := a
def Nat.pow (a _ : Nat) : Nat := a
def Nat.div (a _ : Nat) : Nat := a
def Nat.mod (a _ : Nat) : Nat := a
def Nat.beq (_ _ : Nat) : Bool := true
def Nat.ble (_ _ : Nat) : Bool := true
def Nat.gcd (a _ : Nat) : Nat := a
def Nat.land (a _ : Nat) : Nat := a
def Nat.lor (a _ : Nat) : Nat := a
def Nat.xor (a _ : Nat) : Nat := a
def Nat.shiftLeft (a _ : Nat) : Nat := a
def Nat.shiftRight (a _ : Nat) : Nat := a
def Nat.log2 (a : Nat) : Nat := a
def Nat.succ (a : Nat) : Nat := a
def Nat.zero : Nat := 1
def Char : Type := Nat
def Char.ofNat (n : Nat) : Nat := n
def String.ofList (_ : List Char) : String := ""
def String.mk (_ : List Char) : String := ""
def Lean.reduceBool (b : Bool) : Bool := b
def Lean.reduceNat (n : Nat) : Nat := n
