"""The evolving weights: base weights plus a fixed-point sum of integer noise, exact in any order.

    W = round(base + 2^(e-k) * D),    D = sum over all seeds j so far of C_j * E_j

with integers k (of the run) and e (of the tensor: its scale, see `rms_exponents`).
E_j is the integer noise of seed j (trainers/noise.py), C_j its integer coefficient, so D is a matrix of integers. D is
kept in float64 and grows by float64 matrix products of integers. Why that is exact: an entry of D, and any partial sum
of the products that lead to it, in whatever order and with or without fused multiply-add, is an integer of
absolute value at most

    bound = sum_j |C_j| * max|E_j|,    max|E_j| = 16 r at rank r, 4 at full rank,

and float64 holds every integer up to 2^53. `bound` is counted exactly in Python integers, and `apply` raises before it
could pass 2^53. So D does not depend on blocking, threads, devices or the order of the seeds, and the weights are one
elementwise function of base and D: they are never perturbed and restored by subtraction.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from typing import Any

import torch
from torch import nn

from trainers.noise import Noise, stream_id
from trainers.noise_torch import NoiseTensors

__all__ = [
    "EvolvingWeights",
    "Manifest",
    "combined_hash",
    "rms_exponents",
    "select_targets",
    "tensor_digests",
    "tensors_hash",
]

EXACT_LIMIT = 1 << 53

_PIECE = 1 << 15  # elements: 256 KiB in float64, and too few for torch to share among threads of its own

Manifest = dict[str, tuple[int, ...]]
"""Canonical name -> shape of every tensor that evolves, in the model's order."""

_BYTE_VIEW = {8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.int8}


def tensor_digests(tensors: Mapping[str, torch.Tensor]) -> dict[str, bytes]:
    """Name -> SHA-256 over a tensor's name, dtype, shape and little-endian bytes; on several threads."""

    def one(item: tuple[str, torch.Tensor]) -> bytes:
        name, tensor = item
        flat = tensor.detach().cpu().contiguous()
        data = flat.view(-1).view(_BYTE_VIEW[flat.element_size()]).numpy()
        digest = hashlib.sha256(f"{name}\0{flat.dtype}\0{tuple(flat.shape)}\0".encode())
        digest.update(data.astype(data.dtype.newbyteorder("<"), copy=False).data)
        return digest.digest()

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(zip(tensors, pool.map(one, tensors.items()), strict=True))


def combined_hash(digests: Mapping[str, bytes]) -> str:
    """SHA-256 (hex) of tensors' digests in order of name."""
    return hashlib.sha256(b"".join(digest for _, digest in sorted(digests.items()))).hexdigest()


def tensors_hash(tensors: Mapping[str, torch.Tensor]) -> str:
    """SHA-256 (hex) over all tensors: the hash of their digests, so that threads and processes can share the work."""
    return combined_hash(tensor_digests(tensors))


def rms_exponents(base: Mapping[str, torch.Tensor]) -> dict[str, int]:
    """Name -> the base-2 logarithm of a tensor's root mean square, rounded: the scale of its noise.

    A power of two keeps the update exact. Tensors that are zero throughout have 0.
    """
    exponents = {}
    for name, tensor in base.items():
        rms = float(tensor.detach().cpu().double().pow(2).mean().sqrt())
        exponents[name] = round(math.log2(rms)) if rms > 0 else 0
    return exponents


def _is_norm(module: nn.Module) -> bool:
    """Whether a module scales a normalised vector by a weight (RMSNorm in its several names)."""
    weight = getattr(module, "weight", None)
    return hasattr(module, "variance_epsilon") and isinstance(weight, nn.Parameter) and weight.ndim == 1


def select_targets(
    model: nn.Module, target_modules: str | Sequence[str] = "all-linear", full_rank: bool = False
) -> list[str]:
    """Names of the weights that evolve.

    Args:
        target_modules: as in PEFT: "all-linear" is every `nn.Linear` but the output layer, "norms" every RMSNorm; a
            list may hold both, ends of module names ("q_proj", "mlp.up_proj", "model.norm"), and patterns with `*`
            ("*.layers.3.*": its linear layers and norms). "all" is every parameter, a shared one once.
        full_rank: whether "all" is possible: members of full rank are whole weights of any shape, those of rank r are
            terms of linear layers and norms.

    Raises:
        ValueError: when nothing matches, or a listed module is neither, or its weight is empty or shared.
    """
    find_head: Any = getattr(model, "get_output_embeddings", None)
    head = find_head() if find_head is not None else None
    wanted = [target_modules] if isinstance(target_modules, str) else list(target_modules)
    if "all" in wanted:
        if wanted != ["all"] or not full_rank:
            raise ValueError("target_modules: all stands alone, and needs full-rank noise (rank 0)")
        return [name for name, _ in model.named_parameters()]

    def chosen_by(end: str, name: str, module: nn.Module) -> bool:
        if end == "all-linear":
            return isinstance(module, nn.Linear) and module is not head
        if end == "norms":
            return _is_norm(module)
        if "*" in end:
            return (isinstance(module, nn.Linear) or _is_norm(module)) and fnmatchcase(name, end)
        return name == end or name.endswith("." + end)

    names = []
    for name, module in model.named_modules():
        if not any(chosen_by(end, name, module) for end in wanted):
            continue
        if not (isinstance(module, nn.Linear) or _is_norm(module)):
            kind = type(module).__name__
            raise ValueError(f"target_modules: {name} is a {kind}; only nn.Linear and RMSNorm layers can evolve")
        if module.weight.numel() == 0:
            raise ValueError(f"{name}.weight is empty (packed by an inference engine?): it cannot evolve")
        names.append(f"{name}.weight" if name else "weight")
    if not names:
        kind = type(model).__name__
        raise ValueError(f"target_modules={target_modules!r} matches no layer of {kind} that can evolve")
    pointers = [model.get_parameter(name).data_ptr() for name in names]
    others = {p.data_ptr() for n, p in model.named_parameters(remove_duplicate=False) if n not in set(names)}
    if len(set(pointers)) != len(pointers) or others & set(pointers):
        raise ValueError("a weight that should evolve is shared with another parameter; name target_modules without it")
    if len({stream_id(name, "A") for name in names}) != len(names):
        raise ValueError("two tensor names have the same noise stream; leave one out of target_modules")
    return names


class EvolvingWeights:
    """Base weights, accumulators and the arithmetic of the update.

    Args:
        base: name -> base weight in the working dtype (float32, bfloat16, ...); kept, never changed.
        noise: the run's noise.
        unit_exponent: k; one step of D is worth 2^(e-k).
        exponents: name -> e, the scale of a tensor's noise; 0 where it is not given.
        device: where D lives; base's device by default.
        noise_backend: who computes the noise, one of `trainers.noise_torch.BACKENDS`; all give the same integers.
    """

    def __init__(
        self,
        base: Mapping[str, torch.Tensor],
        noise: Noise,
        unit_exponent: int,
        exponents: Mapping[str, int] | None = None,
        device: torch.device | None = None,
        noise_backend: str = "auto",
    ) -> None:
        if not 0 <= unit_exponent <= 1000:
            raise ValueError(f"unit_exponent must be between 0 and 1000, not {unit_exponent}")
        self.base = {name: tensor.detach().clone() for name, tensor in base.items()}
        self.noise = noise
        self.unit_exponent = unit_exponent
        self.exponents = {name: int((exponents or {}).get(name, 0)) for name in base}
        self.device = device
        self.noise_backend = noise_backend
        self.bound = 0
        self.accumulators = {
            name: torch.zeros(tensor.shape, dtype=torch.float64, device=device or tensor.device)
            for name, tensor in self.base.items()
        }
        bad = [name for name, tensor in self.base.items() if noise.rank and tensor.ndim not in (1, 2)]
        if bad:
            shape = tuple(self.base[bad[0]].shape)
            raise ValueError(f"rank-{noise.rank} noise needs matrices or vectors; {bad[0]} has shape {shape}")

    @property
    def manifest(self) -> Manifest:
        return {name: tuple(tensor.shape) for name, tensor in self.base.items()}

    def apply(self, seeds: Sequence[int], coefficients: Sequence[int]) -> None:
        """Add coefficient * noise of each seed to the accumulators, exactly.

        Raises:
            OverflowError: before anything changes, when an entry of D could pass 2^53.
        """
        pairs = [(s, int(c)) for s, c in zip(seeds, coefficients, strict=True) if c]
        bound = self.bound + sum(abs(c) for _, c in pairs) * self.noise.entry_limit
        if bound > EXACT_LIMIT:
            raise OverflowError(
                f"the accumulators could pass 2^53 (bound {bound}): the sums would no longer be exact; "
                "start a new run from the present weights, or choose smaller coefficients"
            )
        if not pairs:
            return
        self._each(lambda name: self._add(name, self.accumulators[name], pairs))
        self.bound = bound

    def _each(self, do: Callable[[str], None]) -> None:
        """Do something to each tensor, several at a time on a CPU: they are independent."""
        threads = self.noise.threads
        if threads == 1 or any(d.device.type != "cpu" for d in self.accumulators.values()):
            for name in self.base:
                do(name)
            return
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(do, self.base))

    def _add(self, name: str, accumulator: torch.Tensor, pairs: Sequence[tuple[int, int]]) -> None:
        noise = self.noise_tensors(accumulator.device)
        if self.noise.rank == 0:
            for seed, coefficient in pairs:
                full = noise.full(seed, name, tuple(accumulator.shape))
                accumulator.add_(full.to(torch.float64), alpha=coefficient)
            return
        seeds = [seed for seed, _ in pairs]
        factor = torch.tensor([float(c) for _, c in pairs], dtype=torch.float64, device=accumulator.device)
        if accumulator.ndim == 1:
            accumulator.addmv_(noise.vectors(seeds, name, len(accumulator)).double().T, factor)
            return
        a, b = noise.low_ranks(seeds, name, (accumulator.shape[0], accumulator.shape[1]))
        # (out, seeds r) times (seeds r, in), the coefficients in the first factor.
        left = (a.double() * factor[:, None, None]).permute(1, 0, 2).flatten(1)
        accumulator.addmm_(left, b.double().permute(0, 2, 1).flatten(0, 1))

    def shift(self, update: bytes) -> None:
        """Move by the step of an adapter space (trainers.adapter); these weights have none."""
        raise ValueError("the history's line holds an update of an adapter space, but its header names none")

    def noise_tensors(self, device: torch.device) -> NoiseTensors:
        """The run's noise on a device."""
        return NoiseTensors(self.noise, device, self.noise_backend)

    def weight(self, name: str) -> torch.Tensor:
        """The present weight: base + 2^(e-k) D in float64, rounded to the working dtype.

        2^(e-k) D is exact (a power of two). The float64 sum is exact unless base and D differ by more than 29 binary
        places in scale; in any case it is one IEEE operation an element, the same on every machine.
        """
        out = torch.empty_like(self.base[name], device=self.accumulators[name].device)
        self._round_into(name, out)
        return out

    def _round_into(self, name: str, out: torch.Tensor) -> None:
        base, accumulator = self.base[name], self.accumulators[name]
        unit = 2.0 ** (self.exponents[name] - self.unit_exponent)
        if accumulator.device.type != "cpu" or not (base.is_contiguous() and out.is_contiguous()):
            out.copy_(torch.add(base.to(accumulator.device, torch.float64), accumulator, alpha=unit))
            return
        # In pieces that stay in the processor's cache: three times faster on large tensors.
        flat, sums, target = base.view(-1), accumulator.view(-1), out.view(-1)
        room = torch.empty(min(_PIECE, flat.numel()), dtype=torch.float64)
        for start in range(0, flat.numel(), _PIECE):
            piece = flat[start : start + _PIECE]
            wide = room[: len(piece)].copy_(piece)
            target[start : start + _PIECE].copy_(wide.add_(sums[start : start + _PIECE], alpha=unit))

    def weights(self) -> dict[str, torch.Tensor]:
        """Name -> present weight in the working dtype."""
        out = {n: torch.empty_like(b, device=self.accumulators[n].device) for n, b in self.base.items()}
        self._each(lambda name: self._round_into(name, out[name]))
        return out

    def hash(self) -> str:
        """SHA-256 (hex) of the present weights."""
        return tensors_hash(self.weights())

    def write_to(self, model: nn.Module) -> str:
        """Copy the present weights into the model's parameters (which may be wider) and return their hash."""
        return tensors_hash(self.put_into(model))

    def put_into(self, model: nn.Module) -> dict[str, torch.Tensor]:
        """`write_to` without the hash: name -> present weight, the model's own tensor where its dtype is the same."""
        out = {}
        for name, base in self.base.items():
            parameter, device = model.get_parameter(name).detach(), self.accumulators[name].device
            same = parameter.dtype == base.dtype and parameter.device == device
            out[name] = parameter if same else torch.empty_like(base, device=device)
        self._each(lambda name: self._round_into(name, out[name]))
        with torch.no_grad():
            for name, weight in out.items():
                parameter = model.get_parameter(name)
                if weight.data_ptr() != parameter.data_ptr():
                    parameter.copy_(weight)
        return out

    def perturbed(self, name: str, seed: int, sign: int, sigma: float) -> torch.Tensor:
        """The dense weight of one member, float64: W + sign * sigma * 2^e * scale * E. For full rank and for tests."""
        weight = self.weight(name).double()
        noise = self.noise_tensors(weight.device)
        if self.noise.rank == 0:
            step = noise.full(seed, name, tuple(weight.shape)).double()
        elif weight.ndim == 1:
            step = noise.vectors([seed], name, len(weight))[0].double()
        else:
            a, b = noise.low_ranks([seed], name, (weight.shape[0], weight.shape[1]))
            step = a[0].double() @ b[0].double().T
        return weight + step * (sign * sigma * 2.0 ** self.exponents[name] * self.noise.scale)

    def state(self) -> dict[str, torch.Tensor]:
        """A snapshot: accumulators as int64 and the bound (two 31-bit halves are not needed: it is below 2^54)."""
        state = {f"D.{name}": accumulator.to("cpu", torch.int64) for name, accumulator in self.accumulators.items()}
        return {**state, "bound": torch.tensor(self.bound, dtype=torch.int64)}

    def load_state(self, state: Mapping[str, torch.Tensor]) -> None:
        """Take over a snapshot of `state`.

        Raises:
            ValueError: when it is of other tensors.
        """
        names = {f"D.{name}" for name in self.accumulators} | {"bound"}
        if set(state) != names:
            raise ValueError(f"the snapshot is of other tensors: {sorted(names ^ set(state))[:3]} differ")
        for name, accumulator in self.accumulators.items():
            if state[f"D.{name}"].shape != accumulator.shape:
                raise ValueError(f"the snapshot's {name} has another shape: {tuple(state[f'D.{name}'].shape)}")
            accumulator.copy_(state[f"D.{name}"].double())
        self.bound = int(state["bound"])
