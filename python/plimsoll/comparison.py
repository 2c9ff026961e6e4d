"""Predicted beside measured: memory and time of the first steps of a training that runs."""
from __future__ import annotations

import dataclasses
import sys
import time
from typing import Any, Callable, List, Optional, Union

from plimsoll import resident_memory, wording
from plimsoll.answers.fit import Fit, TokenFit
from plimsoll.error import Error
from plimsoll.network import Example, ModelLike, is_module
from plimsoll.rows import ROWS


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Figures of one training step, planned and measured; None where one of them is not known."""

    steps: int
    measured_seconds: float
    predicted_seconds: Optional[float]
    measured_bytes: Optional[int]
    predicted_bytes: Optional[int]
    where: str

    def __str__(self) -> str:
        lines = [f"{'':<10}{'predicted':>14}{'measured':>14}{'off by':>10}   ({self.where}, {self.steps} steps)"]
        for name, show, told, seen in (("memory", wording.memory, self.predicted_bytes, self.measured_bytes),
                                       ("step", wording.seconds, self.predicted_seconds, self.measured_seconds)):
            off = f"{100 * (told / seen - 1):+.0f} %" if told and seen else "—"
            lines.append(f"{name:<10}{show(told):>14}{show(seen):>14}{off:>10}")
        return "\n".join(lines)


class Meter:
    """Time and memory of steps: begin() before the first, step() after each."""

    def __init__(self, skip: int = 1) -> None:
        self.skip = skip  # the first step also allocates, compiles and warms caches
        self.times: List[float] = []
        torch = sys.modules.get("torch")
        self.cuda: Any = torch.cuda if torch is not None and torch.cuda.is_available() else None

    def begin(self) -> None:
        if self.cuda:
            self.cuda.synchronize()
            self.cuda.reset_peak_memory_stats()
        self._resident = resident_memory.begin()
        self._last = time.perf_counter()

    def step(self) -> None:
        if self.cuda:
            self.cuda.synchronize()
        now = time.perf_counter()
        self.times.append(now - self._last)
        self._last = now

    def seconds(self) -> float:
        steady = sorted(self.times[self.skip:] or self.times)
        return steady[len(steady) // 2]

    def memory(self, model: Any = None) -> Optional[int]:
        """On CUDA what the allocator reserved at most; else by how much the process has grown since the beginning,
        with what the module had stored by then."""
        if self.cuda:
            return int(self.cuda.max_memory_reserved())
        grown = max(resident_memory.peak() - self._resident, 0)
        return grown + _stored(model) if grown else None

    def predicted(self, plan: Union[Fit, TokenFit]) -> int:
        """What memory() measures, as planned: without the driver's context and without the interpreter."""
        return plan.reserved_bytes if self.cuda else plan.allocated_bytes

    def against(self, plan: Optional[Union[Fit, TokenFit]], seconds: Optional[float],
                memory: Optional[int]) -> Comparison:
        """memory: as measured"""
        return Comparison(len(self.times), self.seconds(), seconds, memory, self.predicted(plan) if plan else None,
                          "CUDA" if self.cuda else "CPU")


def _stored(model: Any) -> int:
    """Bytes of a torch module's parameters and buffers."""
    if not is_module(model):
        return 0
    held = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    return sum(tensor.numel() * tensor.element_size() for tensor in held.values())


def compare(step_fn: Callable[[], Any], model: Optional[ModelLike] = None, example: Optional[Example] = None, *,
            steps: int = 5, predicted: Optional[Union[Fit, TokenFit]] = None, **question: Any) -> Comparison:
    """Runs step_fn() a few times and puts what was measured beside what was planned.

    step_fn: one training step of yours, without arguments
    model, example, and more: the question as fit() takes it; batch must be that of the step
    steps: how many steps to run
    predicted: an answer of fit() that is already there, instead of the question

    Time is predicted where a device is given ("this" is the machine at hand). On CUDA memory is what PyTorch reserves;
    on a CPU by how much the process grew, with the parameters that were there before.
    """
    if steps < 1:
        raise Error(f"steps is {steps}, expected at least 1")
    seconds: Optional[float] = None
    if predicted is None and model is not None:
        from plimsoll.verbs import fit
        predicted = fit(model, example, **{"brief": True, **question})
        seconds = _predicted_seconds(model, example, question)
    meter = Meter(skip=min(1, steps - 1))
    meter.begin()
    for _ in range(steps):
        step_fn()
        meter.step()
    return meter.against(predicted, seconds, meter.memory(model))


def _predicted_seconds(model: ModelLike, example: Optional[Example], question: Any) -> Optional[float]:
    """Of one step, where the device is of the catalog."""
    from plimsoll.verbs import place
    if not question.get("device"):
        return None
    kept = {name: value for name, value in question.items() if name in ROWS["place"]}
    try:
        ranking = place(model, example, **kept).ranking
    except Error:
        return None
    return getattr(ranking[0], "step_seconds", None) if ranking else None
