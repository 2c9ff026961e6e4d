#!/usr/bin/env python3
"""plot_error_over_cost.py PLIMSOLL COUNTS.csv > picture.svg: DenseNet against ResNet.

ImageNet error over parameters and over MACs. Counts come from `plimsoll weigh NAME --json`,
accuracies from torchvision's published table: top-1 of the weights IMAGENET1K_V1.
"""
import csv
import json
import math
import subprocess
import sys
from html import escape

# name, networks, marker; colours are in the style sheet
FAMILIES = [("ResNet", ["resnet18", "resnet34", "resnet50", "resnet101", "resnet152"], "square"),
            ("DenseNet", ["densenet121", "densenet169", "densenet201", "densenet161"], "circle")]
PANELS = [("parameters (million)", "params", 1e6), ("MACs of one 224×224 image (billion)", "macs", 1e9)]
WEIGHTS = "IMAGENET1K_V1"

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 900, 440, 64, 76, 60, 44
PANEL_WIDTH = (WIDTH - LEFT - 24 - GAP) / 2
PANEL_HEIGHT = HEIGHT - TOP - BOTTOM

STYLE = """
text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #24292f } .small { font-size: 11.5px }
.title { font-size: 16px; font-weight: 600 } .quiet { fill: #57606a }
.ground { fill: #ffffff } .grid { stroke: #e4e8ec } .axis { stroke: #8c959f }
.line { fill: none; stroke-width: 2; opacity: .55 } .mark { stroke: #ffffff; stroke-width: 1.5 }
.s0 { stroke: #b54708 } .m0 { fill: #b54708 } .s1 { stroke: #1f5fbf } .m1 { fill: #1f5fbf }
@media (prefers-color-scheme: dark) {
text { fill: #d6dde5 } .quiet { fill: #9aa4af } .ground { fill: #161b22 } .grid { stroke: #2a3138 }
.axis { stroke: #6e7781 } .mark { stroke: #161b22 }
.s0 { stroke: #f0a35e } .m0 { fill: #f0a35e } .s1 { stroke: #79b0ff } .m1 { fill: #79b0ff } }
"""


def read_errors(path):
    """Model -> top-1 error in percent."""
    with open(path, newline="", encoding="utf-8") as file:
        return {row["model"]: 100 - float(row["acc1"]) for row in csv.DictReader(file)
                if row["weights"] == WEIGHTS and row["acc1"]}


def weigh(plimsoll, model):
    done = subprocess.run([plimsoll, "weigh", model, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


def ticks(low, high, about=5):
    """Round steps that cover low … high."""
    step = 10 ** math.floor(math.log10((high - low) / about))
    step = next(step * f for f in (1, 2, 5, 10) if (high - low) / (step * f) <= about)
    return [step * i for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def number(value):
    return f"{value:.10g}"


class Panel:
    def __init__(self, x0, x_ticks, y_ticks):
        self.x0, self.x_ticks, self.y_ticks = x0, x_ticks, y_ticks

    def x(self, value):
        low, high = self.x_ticks[0], self.x_ticks[-1]
        return self.x0 + (value - low) / (high - low) * PANEL_WIDTH

    def y(self, value):
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return TOP + PANEL_HEIGHT - (value - low) / (high - low) * PANEL_HEIGHT

    def frame(self, label):
        bottom = TOP + PANEL_HEIGHT
        for tick in self.y_ticks:
            y = self.y(tick)
            yield f'<line class="grid" x1="{self.x0}" y1="{y:.1f}" x2="{self.x0 + PANEL_WIDTH:.1f}" y2="{y:.1f}"/>'
            yield f'<text class="small quiet" x="{self.x0 - 8}" y="{y + 4:.1f}" text-anchor="end">{number(tick)}</text>'
        for tick in self.x_ticks:
            x = self.x(tick)
            yield f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}"/>'
            yield f'<text class="small quiet" x="{x:.1f}" y="{bottom + 19}" text-anchor="middle">{number(tick)}</text>'
        yield f'<line class="axis" x1="{self.x0}" y1="{bottom}" x2="{self.x0 + PANEL_WIDTH:.1f}" y2="{bottom}"/>'
        yield (f'<text x="{self.x0 + PANEL_WIDTH / 2:.1f}" y="{bottom + 42}" text-anchor="middle">'
               f'{escape(label)}</text>')

    def series(self, which, marker, points):
        """points: [(depth, x, error)], joined in the order of x; each labelled with its depth."""
        points = sorted(points, key=lambda point: point[1])
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for _, x, y in points)
        yield f'<polyline class="line s{which}" points="{path}"/>'
        for depth, x, y in points:
            yield mark(which, marker, self.x(x), self.y(y))
            # ResNet's labels go above its line, DenseNet's below: the lower curve is DenseNet's.
            dx, dy, anchor = (7, -8, "start") if which == 0 else (-7, 17, "end")
            yield (f'<text class="small" x="{self.x(x) + dx:.1f}" y="{self.y(y) + dy:.1f}" '
                   f'text-anchor="{anchor}">{depth}</text>')


def mark(which, marker, x, y):
    if marker == "circle":
        return f'<circle class="mark m{which}" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>'
    return f'<rect class="mark m{which}" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>'


def legend():
    x = WIDTH - 24 - 190
    for which, (name, _, marker) in enumerate(FAMILIES):
        yield mark(which, marker, x, 46)
        yield f'<text x="{x + 11}" y="50">{name}</text>'
        x += 110


def picture(rows):
    """rows: {model: (error, {"params": …, "macs": …})}"""
    errors = [error for error, _ in rows.values()]
    y_ticks = ticks(min(errors) - 0.5, max(errors) + 0.5)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
             f' role="img" aria-label="ImageNet error of ResNet and DenseNet over parameters and over MACs">',
             f"<style>{STYLE}</style>", f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
             f'<text class="title" x="{LEFT - 40}" y="28">Deeper need not mean heavier: DenseNet against ResNet</text>',
             f'<text class="quiet" x="{LEFT - 40}" y="50">the number at a point is its depth in layers</text>',
             f'<text transform="translate(20 {TOP + PANEL_HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
             "ImageNet top-1 error (%)</text>",
             *legend()]
    for i, (label, key, unit) in enumerate(PANELS):
        most = max(weight[key] for _, weight in rows.values()) / unit
        panel = Panel(LEFT + i * (PANEL_WIDTH + GAP), ticks(0, most * 1.05), y_ticks)
        parts += panel.frame(label)
        for which, (name, models, marker) in enumerate(FAMILIES):
            points = [(model[len(name):], rows[model][1][key] / unit, rows[model][0]) for model in models]
            parts += panel.series(which, marker, points)
    return "\n".join(parts + ["</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot_error_over_cost.py PLIMSOLL COUNTS.csv > picture.svg")
    errors = read_errors(sys.argv[2])
    models = [model for _, models, _ in FAMILIES for model in models]
    missing = [model for model in models if model not in errors]
    if missing:
        sys.exit(f"{sys.argv[2]} has no {WEIGHTS} accuracy for {', '.join(missing)}")
    print(picture({model: (errors[model], weigh(sys.argv[1], model)) for model in models}), end="")


if __name__ == "__main__":
    main()
