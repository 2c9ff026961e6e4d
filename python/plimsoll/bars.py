"""Bars of an answer in a notebook, as SVG: how long or how dear the devices of a ranking are, what fills a memory."""
from __future__ import annotations

from html import escape
from typing import Any, Callable, List, Optional, Sequence, Tuple

from plimsoll import wording

_BLUE, _LIGHT = "#2b6cb0", "#90b4d8"
_NAMES, _BARS, _HEIGHT = 190, 330, 17  # pixels

Measure = Tuple[Callable[[Any], Optional[float]], Callable[[Any], str]]
_COST: Measure = (lambda row: row.cost, wording.money)
_TIME: Measure = (lambda row: row.total_seconds, wording.seconds)


def _measure(rows: Sequence[Any]) -> Measure:
    """What the rows are ranked by: money where each of them costs more than the one before."""
    costs = [row.cost for row in rows]
    cheapest_first = all(cost is not None for cost in costs) and costs == sorted(costs)
    return _COST if cheapest_first and len(set(costs)) > 1 else _TIME


def ranking(rows: Sequence[Any], choice: Optional[str], most: int) -> str:
    """A bar a device, the verdict's dark."""
    fitting = [row for row in rows if row.fits]
    number, show = _measure(fitting[:most])
    shown: List[Any] = [row for i, row in enumerate(fitting) if i < most or row.device == choice]
    longest = max((number(row) or 0.0 for row in shown), default=0.0)
    if len(shown) < 2 or not longest:
        return ""
    bars = []
    for i, row in enumerate(shown):
        value, top = number(row), _HEIGHT * i
        if value is None:
            continue
        width = max(1.0, _BARS * value / longest)
        chosen = row.device == choice
        weight = "bold" if chosen else "normal"
        bars.append(f"<text x='{_NAMES - 6}' y='{top + 12}' text-anchor='end' font-weight='{weight}'>"
                    f"{escape(row.device)}</text>"
                    f"<rect x='{_NAMES}' y='{top + 2}' width='{width:.1f}' height='{_HEIGHT - 5}' "
                    f"fill='{_BLUE if chosen else _LIGHT}'/>"
                    f"<text x='{_NAMES + width + 5:.1f}' y='{top + 12}'>{escape(show(value))}</text>")
    return (f"<svg width='{_NAMES + _BARS + 90}' height='{_HEIGHT * len(shown) + 4}' role='img' font-size='11' "
            f"fill='currentColor' style='display:block;margin:6px 0'>{''.join(bars)}</svg>")


def parts(breakdown: Any) -> str:
    """What the memory is filled with at the peak, the largest first."""
    filled = sorted(((size, name) for name, size in dict(breakdown or {}).items() if size), reverse=True)
    said = ", ".join(f"{escape(name)} {escape(wording.memory(size))}" for size, name in filled)
    return f"<p style='margin:2px 0;color:#718096'>at the peak: {said}</p>" if said else ""
