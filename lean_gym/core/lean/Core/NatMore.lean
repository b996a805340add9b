prelude
import Core.Nat
set_option autoImplicit false
set_option linter.all false

/-! # Natural numbers: products and order, powers, minimum and maximum, division, divisibility -/

namespace Nat

/-! ### Products and order -/

protected theorem mul_le_mul_left {n m : Nat} (k : Nat) (h : n ≤ m) : k * n ≤ k * m := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [Nat.mul_add]; exact le_add_right _ _
protected theorem mul_le_mul_right {n m : Nat} (k : Nat) (h : n ≤ m) : n * k ≤ m * k := by
  rw [Nat.mul_comm n, Nat.mul_comm m]; exact Nat.mul_le_mul_left k h
protected theorem mul_le_mul {a b c d : Nat} (h₁ : a ≤ b) (h₂ : c ≤ d) : a * c ≤ b * d :=
  Nat.le_trans (Nat.mul_le_mul_right c h₁) (Nat.mul_le_mul_left b h₂)
protected theorem mul_lt_mul_of_pos_left {n m k : Nat} (h : n < m) (hk : 0 < k) : k * n < k * m :=
  Nat.lt_of_lt_of_le (lt_add_of_pos_right hk) (mul_add_one k n ▸ Nat.mul_le_mul_left k h)
protected theorem mul_lt_mul_of_pos_right {n m k : Nat} (h : n < m) (hk : 0 < k) : n * k < m * k := by
  rw [Nat.mul_comm n, Nat.mul_comm m]; exact Nat.mul_lt_mul_of_pos_left h hk
protected theorem mul_pos {n m : Nat} (hn : 0 < n) (hm : 0 < m) : 0 < n * m :=
  Nat.mul_lt_mul_of_pos_left hm hn
protected theorem pos_of_mul_pos {n m : Nat} (h : 0 < n * m) : 0 < n :=
  Nat.pos_of_ne_zero fun e => Nat.lt_irrefl 0 (by rw [e, Nat.zero_mul] at h; exact h)
protected theorem le_of_mul_le_mul_left {a b c : Nat} (h : c * a ≤ c * b) (hc : 0 < c) : a ≤ b :=
  Nat.not_lt.mp fun k => not_le_of_gt (Nat.mul_lt_mul_of_pos_left k hc) h
protected theorem le_of_mul_le_mul_right {a b c : Nat} (h : a * c ≤ b * c) (hc : 0 < c) : a ≤ b := by
  rw [Nat.mul_comm a, Nat.mul_comm b] at h; exact Nat.le_of_mul_le_mul_left h hc
protected theorem lt_of_mul_lt_mul_left {a b c : Nat} (h : a * b < a * c) : b < c :=
  Nat.not_le.mp fun k => not_le_of_gt h (Nat.mul_le_mul_left a k)
protected theorem lt_of_mul_lt_mul_right {a b c : Nat} (h : b * a < c * a) : b < c :=
  Nat.not_le.mp fun k => not_le_of_gt h (Nat.mul_le_mul_right a k)
protected theorem mul_left_cancel {n m k : Nat} (hn : 0 < n) (h : n * m = n * k) : m = k :=
  Nat.le_antisymm (Nat.le_of_mul_le_mul_left (Nat.le_of_eq h) hn)
    (Nat.le_of_mul_le_mul_left (Nat.le_of_eq h.symm) hn)
protected theorem mul_right_cancel {n m k : Nat} (hm : 0 < m) (h : n * m = k * m) : n = k := by
  rw [Nat.mul_comm n, Nat.mul_comm k] at h; exact Nat.mul_left_cancel hm h
protected theorem mul_left_cancel_iff {n m k : Nat} (hn : 0 < n) : n * m = n * k ↔ m = k :=
  ⟨Nat.mul_left_cancel hn, congrArg (n * ·)⟩
protected theorem mul_right_cancel_iff {n m k : Nat} (hm : 0 < m) : n * m = k * m ↔ n = k :=
  ⟨Nat.mul_right_cancel hm, congrArg (· * m)⟩
theorem le_mul_of_pos_right {m : Nat} (n : Nat) (h : 0 < m) : n ≤ n * m := by
  have := Nat.mul_le_mul_left n h
  rw [Nat.mul_one] at this; exact this
theorem le_mul_of_pos_left {m : Nat} (n : Nat) (h : 0 < m) : n ≤ m * n :=
  Nat.mul_comm n m ▸ le_mul_of_pos_right n h
theorem le_mul_self (n : Nat) : n ≤ n * n := by
  cases n with
  | zero => exact .refl
  | succ n => exact le_mul_of_pos_right _ (zero_lt_succ n)
protected theorem eq_one_of_mul_eq_one_right {n m : Nat} (h : n * m = 1) : n = 1 := by
  cases m with
  | zero => exact absurd h zero_ne_one
  | succ m => cases n with
    | zero => rw [Nat.zero_mul] at h; exact absurd h zero_ne_one
    | succ n =>
      rw [mul_add_one, ← Nat.add_assoc] at h
      have hn : n = 0 := eq_zero_of_add_eq_zero_left (succ.inj h)
      rw [hn]
protected theorem mul_self_le_mul_self {m n : Nat} (h : m ≤ n) : m * m ≤ n * n := Nat.mul_le_mul h h
protected theorem mul_self_lt_mul_self {m n : Nat} (h : m < n) : m * m < n * n :=
  Nat.lt_of_le_of_lt (Nat.mul_le_mul_left m (Nat.le_of_lt h)) (Nat.mul_lt_mul_of_pos_right h (pos_of_lt h))

/-! ### Powers -/

@[simp] protected theorem pow_zero (n : Nat) : n ^ 0 = 1 := rfl
protected theorem pow_succ {n m : Nat} : n ^ (m + 1) = n ^ m * n := rfl
protected theorem pow_add_one {n m : Nat} : n ^ (m + 1) = n ^ m * n := rfl
protected theorem pow_succ' {n m : Nat} : n ^ (m + 1) = n * n ^ m := (Nat.pow_succ).trans (Nat.mul_comm _ _)
@[simp] protected theorem pow_one (n : Nat) : n ^ 1 = n := Nat.one_mul n
protected theorem pow_two (n : Nat) : n ^ 2 = n * n := by rw [Nat.pow_succ, Nat.pow_one]
@[simp] protected theorem one_pow (n : Nat) : 1 ^ n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih]
protected theorem zero_pow {n : Nat} (h : 0 < n) : 0 ^ n = 0 := by
  cases n with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ n => rfl
protected theorem pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero => exact (Nat.mul_one _).symm
  | succ n ih => rw [← Nat.add_assoc, Nat.pow_succ, ih, Nat.mul_assoc]; rfl
protected theorem pow_mul (a m n : Nat) : a ^ (m * n) = (a ^ m) ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [mul_add_one, Nat.pow_add, ih]; rfl
protected theorem mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, ih, Nat.mul_mul_mul_comm]; rfl
theorem pow_le_pow_left {m n : Nat} (h : m ≤ n) (i : Nat) : m ^ i ≤ n ^ i := by
  induction i with
  | zero => exact .refl
  | succ i ih => exact Nat.mul_le_mul ih h
theorem pos_pow_of_pos {b : Nat} (n : Nat) (h : 0 < b) : 0 < b ^ n := by
  induction n with
  | zero => exact Nat.zero_lt_one
  | succ n ih => exact Nat.mul_pos ih h
protected theorem pow_pos {b n : Nat} (h : 0 < b) : 0 < b ^ n := pos_pow_of_pos n h
theorem pow_le_pow_right {b m n : Nat} (hb : 0 < b) (h : m ≤ n) : b ^ m ≤ b ^ n := by
  obtain ⟨d, rfl⟩ := le.dest h
  rw [Nat.pow_add]; exact le_mul_of_pos_right _ (pos_pow_of_pos d hb)
protected theorem lt_two_pow_self {n : Nat} : n < 2 ^ n := by
  induction n with
  | zero => exact Nat.zero_lt_one
  | succ n ih =>
    rw [Nat.pow_succ, Nat.mul_two]
    exact Nat.add_lt_add_of_lt_of_le ih (Nat.pow_pos (zero_lt_succ 1))

/-! ### Minimum and maximum -/

protected abbrev min (n m : Nat) : Nat := if n ≤ m then n else m
protected abbrev max (n m : Nat) : Nat := if n ≤ m then m else n
instance instMin : Min Nat := ⟨Nat.min⟩
instance instMax : Max Nat := ⟨Nat.max⟩
protected theorem min_def {n m : Nat} : min n m = if n ≤ m then n else m := rfl
protected theorem max_def {n m : Nat} : max n m = if n ≤ m then m else n := rfl
protected theorem min_eq_left {a b : Nat} (h : a ≤ b) : min a b = a := if_pos h
protected theorem max_eq_right {a b : Nat} (h : a ≤ b) : max a b = b := if_pos h
protected theorem min_eq_right {a b : Nat} (h : b ≤ a) : min a b = b := by
  rw [Nat.min_def]; split
  · next k => exact Nat.le_antisymm k h
  · rfl
protected theorem max_eq_left {a b : Nat} (h : b ≤ a) : max a b = a := by
  rw [Nat.max_def]; split
  · next k => exact Nat.le_antisymm h k
  · rfl
protected theorem min_comm (a b : Nat) : min a b = min b a := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.min_eq_left h, Nat.min_eq_right h]
  · rw [Nat.min_eq_left h, Nat.min_eq_right h]
protected theorem max_comm (a b : Nat) : max a b = max b a := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.max_eq_right h, Nat.max_eq_left h]
  · rw [Nat.max_eq_left h, Nat.max_eq_right h]
@[simp] protected theorem min_self (a : Nat) : min a a = a := Nat.min_eq_left .refl
@[simp] protected theorem max_self (a : Nat) : max a a = a := Nat.max_eq_right .refl
@[simp] protected theorem zero_min (a : Nat) : min 0 a = 0 := Nat.min_eq_left (zero_le a)
@[simp] protected theorem min_zero (a : Nat) : min a 0 = 0 := Nat.min_eq_right (zero_le a)
@[simp] protected theorem zero_max (a : Nat) : max 0 a = a := Nat.max_eq_right (zero_le a)
@[simp] protected theorem max_zero (a : Nat) : max a 0 = a := Nat.max_eq_left (zero_le a)
protected theorem min_le_left (a b : Nat) : min a b ≤ a := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.min_eq_left h]; exact .refl
  · rw [Nat.min_eq_right h]; exact h
protected theorem min_le_right (a b : Nat) : min a b ≤ b := Nat.min_comm a b ▸ Nat.min_le_left b a
protected theorem le_max_left (a b : Nat) : a ≤ max a b := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.max_eq_right h]; exact h
  · rw [Nat.max_eq_left h]; exact .refl
protected theorem le_max_right (a b : Nat) : b ≤ max a b := Nat.max_comm a b ▸ Nat.le_max_left b a
protected theorem le_min {a b c : Nat} : a ≤ min b c ↔ a ≤ b ∧ a ≤ c := by
  refine ⟨fun h => ⟨Nat.le_trans h (Nat.min_le_left b c), Nat.le_trans h (Nat.min_le_right b c)⟩, ?_⟩
  rintro ⟨hb, hc⟩
  rw [Nat.min_def]; split
  · exact hb
  · exact hc
protected theorem le_min_of_le_of_le {a b c : Nat} (hb : a ≤ b) (hc : a ≤ c) : a ≤ min b c :=
  Nat.le_min.mpr ⟨hb, hc⟩
protected theorem max_le {a b c : Nat} : max a b ≤ c ↔ a ≤ c ∧ b ≤ c := by
  refine ⟨fun h => ⟨Nat.le_trans (Nat.le_max_left a b) h, Nat.le_trans (Nat.le_max_right a b) h⟩, ?_⟩
  rintro ⟨ha, hb⟩
  rw [Nat.max_def]; split
  · exact hb
  · exact ha
protected theorem max_le_of_le_of_le {a b c : Nat} (ha : a ≤ c) (hb : b ≤ c) : max a b ≤ c :=
  Nat.max_le.mpr ⟨ha, hb⟩
protected theorem min_assoc (a b c : Nat) : min (min a b) c = min a (min b c) := by
  apply Nat.le_antisymm
  · simp only [Nat.le_min]
    have h := Nat.min_le_left (min a b) c
    exact ⟨Nat.le_trans h (Nat.min_le_left a b), Nat.le_trans h (Nat.min_le_right a b), Nat.min_le_right _ c⟩
  · simp only [Nat.le_min]
    have h := Nat.min_le_right a (min b c)
    exact ⟨⟨Nat.min_le_left a _, Nat.le_trans h (Nat.min_le_left b c)⟩, Nat.le_trans h (Nat.min_le_right b c)⟩
protected theorem max_assoc (a b c : Nat) : max (max a b) c = max a (max b c) := by
  apply Nat.le_antisymm
  · simp only [Nat.max_le]
    have h := Nat.le_max_right a (max b c)
    exact ⟨⟨Nat.le_max_left a _, Nat.le_trans (Nat.le_max_left b c) h⟩, Nat.le_trans (Nat.le_max_right b c) h⟩
  · simp only [Nat.max_le]
    have h := Nat.le_max_left (max a b) c
    exact ⟨Nat.le_trans (Nat.le_max_left a b) h, Nat.le_trans (Nat.le_max_right a b) h, Nat.le_max_right _ c⟩
protected theorem min_add_max (a b : Nat) : min a b + max a b = a + b := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.min_eq_left h, Nat.max_eq_right h]
  · rw [Nat.min_eq_right h, Nat.max_eq_left h, Nat.add_comm]

/-! ### Division

The kernel computes `Nat.div` and `Nat.mod` natively on literals, so they must be the usual functions: `n /
0 = 0` and `n % 0 = n`. Lean's own definition recurses on `n - m`; ours counts a fuel of `n` down, which is
structural. -/

protected def divCore (m : Nat) : Nat → Nat → Nat
  | 0, _ => 0
  | fuel + 1, n => if m ≤ n then Nat.divCore m fuel (n - m) + 1 else 0
@[extern "lean_nat_div"]
protected def div (n m : Nat) : Nat := if 0 < m then Nat.divCore m n n else 0
protected def modCore' (m : Nat) : Nat → Nat → Nat
  | 0, n => n
  | fuel + 1, n => if m ≤ n then Nat.modCore' m fuel (n - m) else n
@[extern "lean_nat_mod"]
protected def mod (n m : Nat) : Nat := if 0 < m then Nat.modCore' m n n else n
instance instDivNat : Div Nat := ⟨Nat.div⟩
instance instModNat : Mod Nat := ⟨Nat.mod⟩

theorem core_spec {m : Nat} (hm : 0 < m) : ∀ fuel n, n ≤ fuel →
    m * Nat.divCore m fuel n + Nat.modCore' m fuel n = n ∧ Nat.modCore' m fuel n < m := by
  intro fuel
  induction fuel with
  | zero =>
    intro n h
    cases Nat.le_zero.mp h
    exact ⟨rfl, hm⟩
  | succ fuel ih =>
    intro n h
    by_cases hle : m ≤ n
    · obtain ⟨d, rfl⟩ := le.dest hle
      have small : d ≤ fuel := le_of_lt_succ (Nat.lt_of_lt_of_le (lt_add_of_pos_left hm) h)
      obtain ⟨sum, less⟩ := ih d small
      simp only [Nat.divCore, Nat.modCore', if_pos hle, Nat.add_sub_cancel_left]
      refine ⟨?_, less⟩
      rw [mul_add_one, Nat.add_right_comm, sum, Nat.add_comm]
    · simp only [Nat.divCore, Nat.modCore', if_neg hle]
      exact ⟨by rw [Nat.mul_zero, Nat.zero_add], Nat.not_le.mp hle⟩

@[simp] protected theorem div_zero (n : Nat) : n / 0 = 0 :=
  if_neg (t := Nat.divCore 0 n n) (Nat.lt_irrefl 0)
@[simp] theorem mod_zero (n : Nat) : n % 0 = n := if_neg (t := Nat.modCore' 0 n n) (Nat.lt_irrefl 0)
theorem div_add_mod (m k : Nat) : k * (m / k) + m % k = m := by
  rcases Nat.eq_zero_or_pos k with rfl | hk
  · rw [Nat.zero_mul, Nat.zero_add, mod_zero]
  · have h := (core_spec hk m m .refl).1
    rw [← if_pos (c := 0 < k) hk (t := Nat.divCore k m m) (e := 0),
      ← if_pos (c := 0 < k) hk (t := Nat.modCore' k m m) (e := m)] at h
    exact h
theorem mod_lt (n : Nat) {m : Nat} (hm : 0 < m) : n % m < m := by
  have h := (core_spec hm n n .refl).2
  rw [← if_pos (c := 0 < m) hm (t := Nat.modCore' m n n) (e := n)] at h
  exact h
theorem mod_add_div (m k : Nat) : m % k + k * (m / k) = m := Nat.add_comm _ _ ▸ div_add_mod m k
theorem mod_le (n m : Nat) : n % m ≤ n := le.intro (mod_add_div n m)
theorem div_mul_le_self (m n : Nat) : m / n * n ≤ m := by
  rw [Nat.mul_comm]; exact le.intro (div_add_mod m n)
theorem mul_div_le (m n : Nat) : n * (m / n) ≤ m := le.intro (div_add_mod m n)
/-- Quotient and remainder are the only pair with their two properties. -/
theorem div_mod_unique {n k q r : Nat} (hk : 0 < k) : n / k = q ∧ n % k = r ↔ r + k * q = n ∧ r < k := by
  constructor
  · rintro ⟨rfl, rfl⟩
    exact ⟨mod_add_div n k, mod_lt n hk⟩
  · rintro ⟨sum, less⟩
    have bound : ∀ {a b s t : Nat}, s + k * a = t + k * b → s < k → a ≤ b → s < k → b ≤ a := by
      intro a b s t e hs hab _
      refine le_of_lt_succ (Nat.lt_of_mul_lt_mul_left (a := k) ?_)
      rw [mul_succ, Nat.add_comm]
      exact Nat.lt_of_le_of_lt (Nat.le_trans (le_add_left _ t) (Nat.le_of_eq e.symm))
        (Nat.add_lt_add_right hs _)
    have both : r + k * q = n % k + k * (n / k) := sum.trans (mod_add_div n k).symm
    have hq : n / k = q := by
      rcases Nat.le_total q (n / k) with h | h
      · exact Nat.le_antisymm (bound both less h less) h
      · exact Nat.le_antisymm h (bound both.symm (mod_lt n hk) h (mod_lt n hk))
    refine ⟨hq, ?_⟩
    rw [hq] at both
    exact (Nat.add_right_cancel both).symm
theorem div_eq_of_lt {n m : Nat} (h : n < m) : n / m = 0 :=
  ((div_mod_unique (r := n) (pos_of_lt h)).mpr ⟨by rw [Nat.mul_zero, Nat.add_zero], h⟩).1
theorem mod_eq_of_lt {n m : Nat} (h : n < m) : n % m = n :=
  ((div_mod_unique (q := 0) (pos_of_lt h)).mpr ⟨by rw [Nat.mul_zero, Nat.add_zero], h⟩).2
@[simp] protected theorem zero_div (n : Nat) : 0 / n = 0 := by
  rcases Nat.eq_zero_or_pos n with rfl | h
  · exact Nat.div_zero 0
  · exact div_eq_of_lt h
@[simp] theorem zero_mod (n : Nat) : 0 % n = 0 := Nat.le_zero.mp (mod_le 0 n)
@[simp] theorem mod_one (n : Nat) : n % 1 = 0 := lt_one_iff.mp (mod_lt n Nat.zero_lt_one)
@[simp] protected theorem div_one (n : Nat) : n / 1 = n := by
  have h := div_add_mod n 1
  rw [mod_one, Nat.one_mul] at h; exact h
@[simp] theorem add_mul_mod_self_left (n k m : Nat) : (n + k * m) % k = n % k := by
  rcases Nat.eq_zero_or_pos k with rfl | h
  · rw [Nat.zero_mul, Nat.add_zero]
  · refine ((div_mod_unique (q := n / k + m) h).mpr ⟨?_, mod_lt n h⟩).2
    rw [Nat.mul_add, ← Nat.add_assoc, mod_add_div]
@[simp] theorem add_mul_mod_self_right (n m k : Nat) : (n + m * k) % k = n % k := by
  rw [Nat.mul_comm, add_mul_mod_self_left]
@[simp] theorem add_mod_right (n k : Nat) : (n + k) % k = n % k := by
  have h := add_mul_mod_self_left n k 1
  rw [Nat.mul_one] at h; exact h
@[simp] theorem add_mod_left (k n : Nat) : (k + n) % k = n % k := by rw [Nat.add_comm, add_mod_right]
@[simp] theorem mul_mod_right (k m : Nat) : (k * m) % k = 0 := by
  rw [← Nat.zero_add (k * m), add_mul_mod_self_left, zero_mod]
@[simp] theorem mul_mod_left (m k : Nat) : (m * k) % k = 0 := by rw [Nat.mul_comm, mul_mod_right]
@[simp] theorem mod_self (n : Nat) : n % n = 0 := by
  have h := mul_mod_right n 1
  rw [Nat.mul_one] at h; exact h
@[simp] theorem mod_mod (n k : Nat) : (n % k) % k = n % k := by
  rcases Nat.eq_zero_or_pos k with rfl | h
  · rw [mod_zero]
  · exact mod_eq_of_lt (mod_lt n h)
theorem add_mul_div_left (n m : Nat) {k : Nat} (h : 0 < k) : (n + k * m) / k = n / k + m := by
  refine ((div_mod_unique (r := n % k) h).mpr ⟨?_, mod_lt n h⟩).1
  rw [Nat.mul_add, ← Nat.add_assoc, mod_add_div]
theorem add_mul_div_right (n m : Nat) {k : Nat} (h : 0 < k) : (n + m * k) / k = n / k + m := by
  rw [Nat.mul_comm, add_mul_div_left n m h]
@[simp] protected theorem mul_div_right (m : Nat) {k : Nat} (h : 0 < k) : k * m / k = m := by
  have e := add_mul_div_left 0 m h
  rw [Nat.zero_add, Nat.zero_div, Nat.zero_add] at e; exact e
@[simp] protected theorem mul_div_left (m : Nat) {k : Nat} (h : 0 < k) : m * k / k = m := by
  rw [Nat.mul_comm, Nat.mul_div_right m h]
protected theorem div_self {n : Nat} (h : 0 < n) : n / n = 1 := by
  have e := Nat.mul_div_right 1 h
  rw [Nat.mul_one] at e; exact e
theorem add_mod (a b n : Nat) : (a + b) % n = (a % n + b % n) % n := by
  have h : a + b = (a % n + b % n) + n * (a / n + b / n) := by
    rw [Nat.mul_add, Nat.add_add_add_comm, mod_add_div, mod_add_div]
  rw [h, add_mul_mod_self_left]
theorem mul_mod (a b n : Nat) : (a * b) % n = (a % n * (b % n)) % n := by
  have h : a * b = a % n * (b % n) + n * (a % n * (b / n) + a / n * b) := by
    rw [Nat.mul_add, ← Nat.add_assoc, Nat.mul_left_comm, ← Nat.mul_add, mod_add_div,
      ← Nat.mul_assoc, ← Nat.add_mul, mod_add_div]
  rw [h, add_mul_mod_self_left]
theorem mod_two_eq_zero_or_one (n : Nat) : n % 2 = 0 ∨ n % 2 = 1 := by
  have h : n % 2 < 2 := mod_lt n (zero_lt_succ 1)
  exact (Nat.lt_or_eq_of_le (le_of_lt_succ h)).imp lt_one_iff.mp id

/-! ### Divisibility -/

instance instDvdNat : Dvd Nat := ⟨fun a b => ∃ c, b = a * c⟩
protected theorem dvd_refl (a : Nat) : a ∣ a := ⟨1, (Nat.mul_one a).symm⟩
@[simp] protected theorem dvd_zero (a : Nat) : a ∣ 0 := ⟨0, rfl⟩
@[simp] protected theorem one_dvd (n : Nat) : 1 ∣ n := ⟨n, (Nat.one_mul n).symm⟩
@[simp] protected theorem dvd_rfl {a : Nat} : a ∣ a := Nat.dvd_refl a
@[simp] protected theorem dvd_mul_right (a b : Nat) : a ∣ a * b := ⟨b, rfl⟩
@[simp] protected theorem dvd_mul_left (a b : Nat) : a ∣ b * a := ⟨b, Nat.mul_comm b a⟩
protected theorem dvd_trans {a b c : Nat} : a ∣ b → b ∣ c → a ∣ c
  | ⟨d, h⟩, ⟨e, k⟩ => ⟨d * e, by rw [k, h, Nat.mul_assoc]⟩
protected theorem dvd_mul_right_of_dvd {a b : Nat} (h : a ∣ b) (c : Nat) : a ∣ b * c :=
  Nat.dvd_trans h (Nat.dvd_mul_right b c)
protected theorem dvd_mul_left_of_dvd {a b : Nat} (h : a ∣ b) (c : Nat) : a ∣ c * b :=
  Nat.dvd_trans h (Nat.dvd_mul_left b c)
protected theorem eq_zero_of_zero_dvd {a : Nat} : 0 ∣ a → a = 0
  | ⟨_, h⟩ => h.trans (Nat.zero_mul _)
@[simp] protected theorem zero_dvd {n : Nat} : 0 ∣ n ↔ n = 0 :=
  ⟨Nat.eq_zero_of_zero_dvd, fun h => h.symm ▸ Nat.dvd_zero 0⟩
protected theorem dvd_add {a b c : Nat} : a ∣ b → a ∣ c → a ∣ b + c
  | ⟨d, h⟩, ⟨e, k⟩ => ⟨d + e, by rw [Nat.mul_add, h, k]⟩
protected theorem dvd_sub {a b c : Nat} : a ∣ b → a ∣ c → a ∣ b - c
  | ⟨d, h⟩, ⟨e, k⟩ => ⟨d - e, by rw [Nat.mul_sub, h, k]⟩
protected theorem dvd_add_right {m k n : Nat} (h : k ∣ m) : k ∣ m + n ↔ k ∣ n :=
  ⟨fun s => by have d := Nat.dvd_sub s h; rw [Nat.add_sub_cancel_left] at d; exact d, Nat.dvd_add h⟩
protected theorem mul_dvd_mul {a b c d : Nat} : a ∣ b → c ∣ d → a * c ∣ b * d
  | ⟨e, h⟩, ⟨f, k⟩ => ⟨e * f, by rw [h, k, Nat.mul_mul_mul_comm]⟩
protected theorem mul_dvd_mul_left {b c : Nat} (a : Nat) (h : b ∣ c) : a * b ∣ a * c :=
  Nat.mul_dvd_mul (Nat.dvd_refl a) h
theorem le_of_dvd {m n : Nat} (h : 0 < n) : m ∣ n → m ≤ n
  | ⟨c, e⟩ => e ▸ le_mul_of_pos_right m (Nat.pos_of_ne_zero fun z => by
      rw [z, Nat.mul_zero] at e; exact Nat.lt_irrefl 0 (e ▸ h))
protected theorem dvd_antisymm {m n : Nat} (h : m ∣ n) (k : n ∣ m) : m = n := by
  rcases Nat.eq_zero_or_pos m with rfl | hm
  · exact (Nat.eq_zero_of_zero_dvd h).symm
  · rcases Nat.eq_zero_or_pos n with rfl | hn
    · exact Nat.eq_zero_of_zero_dvd k
    · exact Nat.le_antisymm (le_of_dvd hn h) (le_of_dvd hm k)
protected theorem dvd_one {n : Nat} : n ∣ 1 ↔ n = 1 :=
  ⟨fun ⟨_, h⟩ => Nat.eq_one_of_mul_eq_one_right h.symm, fun h => h ▸ Nat.dvd_refl 1⟩
theorem dvd_of_mod_eq_zero {k n : Nat} (h : n % k = 0) : k ∣ n :=
  ⟨n / k, by have e := div_add_mod n k; rw [h, Nat.add_zero] at e; exact e.symm⟩
theorem mod_eq_zero_of_dvd {k n : Nat} : k ∣ n → n % k = 0
  | ⟨c, h⟩ => by rw [h, mul_mod_right]
theorem dvd_iff_mod_eq_zero {k n : Nat} : k ∣ n ↔ n % k = 0 := ⟨mod_eq_zero_of_dvd, dvd_of_mod_eq_zero⟩
instance decidable_dvd (k n : Nat) : Decidable (k ∣ n) := decidable_of_iff _ dvd_iff_mod_eq_zero.symm
protected theorem mul_div_cancel' {n m : Nat} (h : n ∣ m) : n * (m / n) = m := by
  have e := div_add_mod m n
  rw [mod_eq_zero_of_dvd h, Nat.add_zero] at e; exact e
protected theorem div_mul_cancel {n m : Nat} (h : n ∣ m) : m / n * n = m := by
  rw [Nat.mul_comm, Nat.mul_div_cancel' h]
end Nat
