"""Answers in a notebook: sentences, bars, the load line, a table. Plain HTML and SVG, no scripts."""
from __future__ import annotations

from html import escape
from typing import Any, Callable, Dict, List, Sequence, Tuple

from plimsoll import bars, tables, wording

_MOST_ROWS, _MOST_BARS, _MOST_ALTERNATIVES = 20, 8, 6
_FONT = "font-family:system-ui,sans-serif;font-size:13px"
_BLUE, _RED, _GREY, _LINE = "#2b6cb0", "#c53030", "#e2e8f0", "currentColor"


def sentences(lines: Sequence[str]) -> str:
    return "".join(f"<p style='margin:2px 0'>{escape(line)}</p>" for line in lines)


def load_bar(answer: Any) -> str:
    """The memory as a bar, filled to what is needed, lighter to what is taken where there is room, with the load line
    across it."""
    width = 520.0
    needed = getattr(answer, "needed_bytes", answer.peak_bytes)
    full = max(answer.memory_bytes, answer.peak_bytes, 1)
    inside, filled, lighter, line = (width * part / full for part in (answer.memory_bytes, needed, answer.peak_bytes,
                                                                      answer.line_bytes))
    colour = _BLUE if answer.fits else _RED
    end = line > width - 130
    label = f"<text x='{line + (-4 if end else 4):.1f}' y='12' font-size='11' fill='{_LINE}'" \
            f"{' text-anchor=' + chr(39) + 'end' + chr(39) if end else ''}>" \
            f"line: {escape(wording.memory(answer.line_bytes))}</text>"
    more = f", {escape(wording.memory(answer.peak_bytes))} where there is room" if answer.peak_bytes > needed else ""
    return (f"<svg width='{width:.0f}' height='58' role='img' style='display:block;margin:6px 0'>"
            f"<rect x='0' y='18' width='{inside:.1f}' height='22' fill='{_GREY}'/>"
            f"<rect x='0' y='18' width='{lighter:.1f}' height='22' fill='{colour}' fill-opacity='0.35'/>"
            f"<rect x='0' y='18' width='{filled:.1f}' height='22' fill='{colour}'/>"
            f"<line x1='{line:.1f}' x2='{line:.1f}' y1='4' y2='44' stroke='{_LINE}' stroke-width='2'/>{label}"
            f"<text x='0' y='54' font-size='11' fill='{_LINE}'>{escape(wording.memory(needed))} of "
            f"{escape(wording.memory(answer.memory_bytes))} needed{more}</text></svg>")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: int) -> str:
    cell = "padding:2px 8px;border-bottom:1px solid #e2e8f0;text-align:"
    head = "".join(f"<th style='{cell}{'left' if i == 0 else 'right'}'>{escape(name)}</th>"
                   for i, name in enumerate(heads))
    body = "".join("<tr>" + "".join(f"<td style='{cell}{'left' if i == 0 else 'right'}'>{escape(one)}</td>"
                                    for i, one in enumerate(row)) + "</tr>" for row in rows)
    more = f"<p style='margin:2px 0;color:#718096'>and {total - len(rows)} more rows</p>" if total > len(rows) else ""
    return f"<table style='border-collapse:collapse;{_FONT}'><tr>{head}</tr>{body}</table>{more}"


def _with_power(row: Any) -> str:
    """The cost with electricity, where that is paid for by itself."""
    return "" if row.electricity is None else wording.money(row.cost + row.electricity)


Column = Tuple[str, Callable[[Any], str]]
_LAYER: List[Column] = [("layer", lambda r: r.name), ("op", lambda r: r.op),
                        ("parameters", lambda r: wording.count(r.params)), ("MACs", lambda r: wording.count(r.macs)),
                        ("activations", lambda r: wording.memory(r.activation_bytes))]
_WEIGHT: List[Column] = [("model", lambda r: r.model), ("parameters", lambda r: wording.count(r.params)),
                         ("MACs", lambda r: wording.count(r.macs)),
                         ("activations", lambda r: wording.memory(r.activation_bytes))]
_PLACEMENT: List[Column] = [("device", lambda r: r.device), ("batch", lambda r: f"{r.batch:,}"),
                            ("peak", lambda r: wording.memory(r.peak_bytes)),
                            ("step", lambda r: wording.seconds(r.step_seconds)),
                            ("job", lambda r: wording.seconds(r.total_seconds)),
                            ("cost", lambda r: wording.money(r.cost)), ("with power", _with_power),
                            ("bound by", lambda r: r.bound_by)]
_RUN: List[Column] = [("workers", lambda r: f"{r.workers:,}"), ("batch of a step", lambda r: f"{r.global_batch:,}"),
                      ("step", lambda r: wording.seconds(r.step_seconds)),
                      ("samples/s", lambda r: wording.count(r.images_per_second)),
                      ("efficiency", lambda r: f"{100 * r.efficiency:.0f} %"),
                      ("job", lambda r: wording.seconds(r.total_seconds)), ("cost", lambda r: wording.money(r.cost))]
_MODEL: List[Column] = [("model", lambda r: r.name), ("input", lambda r: "x".join(map(str, r.input))),
                        ("parameters", lambda r: wording.count(r.params)), ("MACs", lambda r: wording.count(r.macs)),
                        ("what it is", lambda r: r.summary)]
_DEVICE: List[Column] = [("device", lambda r: r.name), ("title", lambda r: r.title), ("kind", lambda r: r.kind),
                         ("memory", lambda r: wording.memory(r.memory_bytes)),
                         ("rent per hour", lambda r: wording.money(r.price_per_hour.usd if r.price_per_hour else None))]
_COLUMNS: Dict[str, List[Column]] = {"Weight": _LAYER, "WeighComparison": _WEIGHT, "Place": _PLACEMENT, "Scale": _RUN,
                                     "Models": _MODEL, "Devices": _DEVICE}


def _words(answer: Any) -> List[str]:
    lines = [wording.short(answer)[1:-1].split(" ", 1)[-1]] if type(answer).__name__ == "Weight" else []
    verdict = getattr(answer, "verdict", None)
    lines += list(getattr(answer, "sentences", ())) + list(verdict.reasons if verdict else ())
    reason = getattr(answer, "lower_bound_reason", None)
    return lines + ([reason] if reason else []) + list(getattr(answer, "notes", ()))


def shown_rows(answer: Any) -> List[Any]:
    """The first rows of its table, and the verdict's wherever it stands."""
    all_rows = tables.rows(answer)
    choice = getattr(getattr(answer, "verdict", None), "choice", None)
    return [row for i, row in enumerate(all_rows)
            if i < _MOST_ROWS or choice is not None and getattr(row, "device", None) == choice]


def _alternatives(answer: Any) -> str:
    """What would carry more, and what it costs in time."""
    others = list(getattr(answer, "alternatives", None) or ())
    shown = [[one.change, f"{one.batch:,}", "" if one.slowdown is None else f"{one.slowdown:.2f} ×"]
             for one in others[:_MOST_ALTERNATIVES]]
    return table(["what would carry more", "batch", "time of a sample"], shown, len(others)) if shown else ""


def page(answer: Any) -> str:
    """The answer for a notebook."""
    name = type(answer).__name__
    pieces = [sentences(_words(answer))]
    if hasattr(answer, "line_bytes") and hasattr(answer, "peak_bytes"):
        pieces += [load_bar(answer), bars.parts(getattr(answer, "breakdown", None)), _alternatives(answer)]
    if name == "Place":
        pieces.append(bars.ranking(answer.ranking, answer.verdict.choice if answer.verdict else None, _MOST_BARS))
    if name in _COLUMNS:
        columns = _COLUMNS[name]
        shown = [[show(row) for _, show in columns] for row in shown_rows(answer)]
        pieces.append(table([head for head, _ in columns], shown, len(tables.rows(answer))))
    elif len(pieces) == 1:
        pieces.append(f"<pre>{escape(wording.short(answer))}</pre>")
    return f"<div style='{_FONT}'>{''.join(pieces)}</div>"
