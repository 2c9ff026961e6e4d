"""Predicted beside measured: memory and time of the first steps of a training that runs."""
from __future__ import annotations

import dataclasses
import sys
import time
from typing import Any, Callable, List, Optional

from plimsoll import wording
from plimsoll.answers.fit import Fit
from plimsoll.error import Error
from plimsoll.network import Example, ModelLike


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
        self._resident = _peak_resident()
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

    def memory(self) -> Optional[int]:
        """On CUDA what the allocator reserved at most; else by how much the process has grown since the beginning."""
        if self.cuda:
            return int(self.cuda.max_memory_reserved())
        return max(_peak_resident() - self._resident, 0) or None

    def against(self, predicted: Optional[Fit], seconds: Optional[float] = None,
                memory: Optional[int] = None) -> Comparison:
        """memory: as measured; by default what memory() says now"""
        return Comparison(len(self.times), self.seconds(), seconds, self.memory() if memory is None else memory,
                          predicted.peak_bytes if predicted else None, "CUDA" if self.cuda else "CPU")


def _peak_resident() -> int:
    try:
        import resource
    except ImportError:  # there is none on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def compare(step_fn: Callable[[], Any], model: Optional[ModelLike] = None, example: Optional[Example] = None, *,
            steps: int = 5, predicted: Optional[Fit] = None, **question: Any) -> Comparison:
    """Runs step_fn() a few times and puts what was measured beside what was planned.

    step_fn: one training step of yours, without arguments
    model, example, and more: the question as fit() takes it; batch must be that of the step
    steps: how many steps to run
    predicted: an answer of fit() that is already there, instead of the question

    Time is predicted where place() knows the device; on a CPU the memory is by how much the process grew.
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
    return meter.against(predicted, seconds)


def _predicted_seconds(model: ModelLike, example: Optional[Example], question: Any) -> Optional[float]:
    """Of one step, where the device is of the catalog."""
    from plimsoll.verbs import place
    if not question.get("device"):
        return None
    kept = {key: question[key] for key in ("device", "batch", "dtype", "optimizer", "framework") if key in question}
    try:
        ranking = place(model, example, **kept).ranking
    except Error:
        return None
    return ranking[0].step_seconds if ranking else None
