#!/usr/bin/env python3
"""plot_descent.py < descent_paths.json > picture.svg: paths of descent by one sample, by mini-batches and by all.

Left the paths over the loss, in the plane that shows most of them; right the loss of each pass over the data.
"""
import json
import math
import sys
from html import escape

WIDTH, HEIGHT, TOP, BOTTOM, LEFT = 900, 430, 70, 56, 56
PANEL = 390
STYLE = """
text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #24292f } .title { font-size: 16px; font-weight: 600 }
.ground { fill: #ffffff } .axis { stroke: #8c959f; fill: none } .grid { stroke: #e4e8ec }
.path { fill: none; stroke-width: 1.8; stroke-linejoin: round }
.s0 { stroke: #b54708 } .s1 { stroke: #1f5fbf } .s2 { stroke: #1a7f37 }
.m0 { fill: #b54708 } .m1 { fill: #1f5fbf } .m2 { fill: #1a7f37 }
"""


def shade(share):
    """Low losses light, high ones dark."""
    level = int(252 - 70 * share)
    return f"rgb({level},{level},{min(255, level + 3)})"


def surface(plane, x_of, y_of):
    rows = plane["loss"]
    count = len(rows)
    logs = [[math.log(loss) for loss in row] for row in rows]
    low, high = min(map(min, logs)), max(map(max, logs))
    bands = 9
    width = (x_of(plane["right"]) - x_of(plane["left"])) / count
    height = (y_of(plane["bottom"]) - y_of(plane["top"])) / count
    for row in range(count):
        shares = [math.floor((loss - low) / (high - low + 1e-9) * bands) / (bands - 1) for loss in logs[row]]
        first = 0
        for column in range(1, count + 1):  # neighbours of one shade are one rectangle
            if column < count and shares[column] == shares[first]:
                continue
            yield (f'<rect x="{x_of(plane["left"]) + first * width:.1f}" '
                   f'y="{y_of(plane["bottom"]) - (row + 1) * height:.1f}" width="{(column - first) * width + .6:.1f}" '
                   f'height="{height + .6:.1f}" fill="{shade(shares[first])}"/>')
            first = column


def left_panel(data):
    plane = data["plane"]

    def x_of(x):
        return LEFT + (x - plane["left"]) / (plane["right"] - plane["left"]) * PANEL

    def y_of(y):
        return HEIGHT - BOTTOM - (y - plane["bottom"]) / (plane["top"] - plane["bottom"]) * (HEIGHT - TOP - BOTTOM)

    yield from surface(plane, x_of, y_of)
    for i, path in enumerate(data["paths"]):
        points = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in path["points"])
        yield f'<polyline class="path s{i}" points="{points}"/>'
        x, y = path["points"][-1]
        yield f'<circle class="m{i}" cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="4.5"/>'
    yield f'<circle cx="{x_of(0):.1f}" cy="{y_of(0):.1f}" r="4.5" fill="#24292f"/>'
    yield f'<text x="{x_of(0) + 8:.1f}" y="{y_of(0) - 8:.1f}">start</text>'
    yield f'<text x="{LEFT}" y="{HEIGHT - 22}">two directions of the 7,850 parameters; darker: higher loss</text>'


def right_panel(data):
    left, width = LEFT + PANEL + 70, WIDTH - LEFT - PANEL - 70 - 20
    losses = [loss for path in data["paths"] for loss in path["losses"]]
    high = max(losses) * 1.05

    def x_of(number):
        return left + number / data["passes"] * width

    def y_of(loss):
        return HEIGHT - BOTTOM - loss / high * (HEIGHT - TOP - BOTTOM)

    step = 0.5 if high < 4 else 1.0
    for k in range(int(high / step) + 1):
        y = y_of(k * step)
        yield f'<line class="grid" x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{k * step:g}</text>'
    for i, path in enumerate(data["paths"]):
        points = " ".join(f"{x_of(k + 1):.1f},{y_of(loss):.1f}" for k, loss in enumerate(path["losses"]))
        yield f'<polyline class="path s{i}" points="{points}"/>'
    below = f'loss of each of {data["passes"]} passes over {data["samples"]:,} digits'
    yield f'<text x="{left}" y="{HEIGHT - 22}">{below}</text>'


def legend(data):
    x = LEFT
    for i, path in enumerate(data["paths"]):
        text = f'{path["name"]}, rate {path["learning_rate"]:.3g}'
        yield f'<rect class="m{i}" x="{x}" y="42" width="12" height="12"/>'
        yield f'<text x="{x + 18}" y="53">{escape(text)}</text>'
        x += 60 + 7 * len(text)


def main():
    data = json.load(sys.stdin)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">')
    print(f"<style>{STYLE}</style>")
    print(f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>')
    print(f'<text class="title" x="{LEFT}" y="28">The path of descent: one sample, a mini-batch, all samples</text>')
    for part in (legend(data), left_panel(data), right_panel(data)):
        print("\n".join(part))
    print("</svg>")


if __name__ == "__main__":
    main()
