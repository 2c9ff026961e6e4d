"""Numbers and answers in a few words."""
from __future__ import annotations

from typing import Any, Optional


def memory(count: Optional[float]) -> str:
    if count is None:
        return "—"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024:
            return f"{count:.0f} B" if unit == "B" else f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} TiB"


def count(number: Optional[float]) -> str:
    if number is None:
        return "—"
    for unit in ("", " K", " M", " G", " T"):
        if abs(number) < 1000:
            return f"{number:.4g}{unit}"
        number /= 1000
    return f"{number:.4g} P"


def seconds(time: Optional[float]) -> str:
    if time is None:
        return "—"
    if time < 1:
        return f"{time * 1000:.3g} ms"
    if time < 120:
        return f"{time:.3g} s"
    if time < 7200:
        return f"{time / 60:.3g} min"
    return f"{time / 3600:.3g} h" if time < 2 * 86400 else f"{time / 86400:.3g} days"


def money(usd: Optional[float]) -> str:
    if usd is None:
        return "—"
    return f"{usd:,.2f} USD" if usd >= 0.1 or usd == 0 else f"{usd:.2g} USD"


def _fit(answer: Any) -> str:
    where = getattr(answer, "device", None) or memory(answer.memory_bytes)
    verdict = "fits" if answer.fits else "does not fit"
    needed = getattr(answer, "needed_bytes", answer.peak_bytes)
    return (f"{getattr(answer, 'model', None) or 'a network'} on {where}: batch {answer.batch} {verdict}, "
            f"{memory(needed)} of {memory(answer.line_bytes)} under the line")


def _place(answer: Any) -> str:
    return f"{answer.model}: {answer.verdict.choice or 'nothing fits'}, of {len(answer.ranking)} devices"


def _scale(answer: Any) -> str:
    return f"{answer.model} on {answer.device}: {answer.verdict.choice or 'open'} workers, {len(answer.runs)} runs"


def _weight(answer: Any) -> str:
    return (f"{answer.model}: {count(answer.params)} parameters, {count(answer.macs)} MACs, "
            f"{len(answer.layers)} layers at batch {answer.batch}")


_SHORT = {"Fit": _fit, "FitByArithmetic": _fit, "Place": _place, "Scale": _scale, "Weight": _weight}


def short(answer: Any) -> str:
    name = type(answer).__name__
    if name in _SHORT:
        return f"<{name} {_SHORT[name](answer)}>"
    shown = []
    for field, value in answer.to_dict().items():
        if field == "schema":
            continue
        shown.append(f"{field}: {len(value)}" if isinstance(value, (list, dict)) else f"{field}={value!r}")
    return f"<{name} {', '.join(shown[:6])}{', …' if len(shown) > 6 else ''}>"
