#!/usr/bin/env python3
"""Time of a step against batch and against image size, beside the operation count.

usage: growth.py PLIMSOLL [--batches 1,2,4,8,16,32] [--sizes 64,96,128,160,192,224] [--size-batch 8]
                 [--mode train|inference] [--conv auto] [--threads N] [--rounds 3] [--plot FILE.svg] [NETWORK …]

If time grows as the operation count does, every step takes the same time for one operation. The last column is that
time beside the one of the largest step: above 1, this step is slower than the count says. Rounds go through all sizes
in turn; the median of each counts.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from html import escape

NETWORKS = ["alexnet", "resnet18", "vgg11"]


def measured(arguments, network, batch, size):
    command = [arguments.program, "bench", network, "--batch", str(batch), "--threads", str(arguments.threads),
               "--mode", arguments.mode, "--conv", arguments.conv, "--seconds", str(arguments.seconds), "--steps", "3",
               "--json"]
    if size:
        command += ["--input", f"3x{size}x{size}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}): {done.stderr.strip()[-300:]}")
    run = json.loads(done.stdout)["runs"][0]
    return run["step_seconds"], run["flops"]


def sweep(arguments, network, cases):
    """[{x, seconds, flops, excess}] for cases of (x, batch, size)."""
    times, flops = {case: [] for case in cases}, {}
    for _ in range(arguments.rounds):
        for case in cases:
            seconds, flops[case] = measured(arguments, network, case[1], case[2])
            times[case].append(seconds)
    points = [{"x": case[0], "seconds": statistics.median(times[case]), "flops": flops[case]} for case in cases]
    largest = max(points, key=lambda point: point["flops"])
    for point in points:
        point["excess"] = point["seconds"] / point["flops"] / (largest["seconds"] / largest["flops"])
    return points


def print_table(network, what, points):
    print(f"\n{network}, against {what}\n{what:>12} {'GFLOP':>10} {'step':>11} {'GFLOP/s':>9} {'per operation':>14}")
    for point in points:
        print(f"{point['x']:>12} {point['flops'] / 1e9:>10.2f} {point['seconds'] * 1e3:>8.1f} ms "
              f"{point['flops'] / point['seconds'] / 1e9:>9.1f} {point['excess']:>14.2f}", flush=True)


def print_markdown(network, what, points):
    print(f"\n| {network}: {what} | GFLOP | step | GFLOP/s | per operation |\n|---:|---:|---:|---:|---:|")
    for point in points:
        print(f"| {point['x']} | {point['flops'] / 1e9:.2f} | {point['seconds'] * 1e3:.1f} ms | "
              f"{point['flops'] / point['seconds'] / 1e9:.1f} | {point['excess']:.2f} |")


STYLE = """
text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: #24292f } .title { font-weight: 600; font-size: 13px }
.ground { fill: #fff } .grid { stroke: #e1e5ea } .axis { stroke: #57606a }
.line { fill: none; stroke-width: 1.8 } .count { fill: none; stroke-width: 1.2; stroke-dasharray: 1.5 4 }
.s0 { stroke: #1f5fa8; color: #1f5fa8 } .s1 { stroke: #b8511f; color: #b8511f } .s2 { stroke: #2d7a46; color: #2d7a46 }
.mark { fill: currentColor; stroke: none }
@media (prefers-color-scheme: dark) { text { fill: #d6dde5 } .ground { fill: #161b22 } .grid { stroke: #30363d }
.axis { stroke: #8b949e } .s0 { stroke: #79c0ff; color: #79c0ff } .s1 { stroke: #ffa657; color: #ffa657 }
.s2 { stroke: #7ee787; color: #7ee787 } }
"""
MARKS = ["M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", "M-3 -3h6v6h-6z", "M0 -4l4 7h-8z"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 300, 70, 16, 56, 44


def round_numbers(low, high):
    """1, 2, 5 times powers of ten that cover [low, high]."""
    ticks = [factor * 10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
             for factor in (1, 2, 5)]
    while len(ticks) > 2 and ticks[1] <= low:
        ticks.pop(0)
    while len(ticks) > 2 and ticks[-2] >= high:
        ticks.pop()
    return ticks


def panel(title, what, curves, top):
    """One plot, both axes logarithmic: measured lines with marks, the operation count dotted."""
    xs = sorted({point["x"] for points in curves.values() for point in points})
    counts = {name: counted(points) for name, points in curves.items()}
    ys = [p["seconds"] * 1e3 for points in curves.values() for p in points] + [y for c in counts.values() for y in c]
    ticks = round_numbers(min(ys), max(ys))

    def x_of(x):
        return LEFT + math.log(x / xs[0]) / math.log(xs[-1] / xs[0]) * (WIDTH - LEFT - RIGHT - 10) + 5

    def y_of(y):
        share = math.log(y / ticks[0]) / math.log(ticks[-1] / ticks[0])
        return top + HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    yield f'<text class="title" x="{LEFT}" y="{top + 18}">{escape(title)}</text>'
    for tick in ticks:
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y_of(tick):.1f}" y2="{y_of(tick):.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{y_of(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
    for x in xs:
        yield f'<text x="{x_of(x):.1f}" y="{top + HEIGHT - BOTTOM + 17}" text-anchor="middle">{x}</text>'
    yield f'<text x="{WIDTH / 2:.0f}" y="{top + HEIGHT - 8}" text-anchor="middle">{escape(what)}</text>'
    middle = top + (TOP + HEIGHT - BOTTOM) / 2
    yield f'<text transform="translate(14 {middle:.0f}) rotate(-90)" text-anchor="middle">ms a step</text>'
    legend = LEFT
    for i, (name, points) in enumerate(curves.items()):
        line = "L".join(f"{x_of(p['x']):.1f} {y_of(p['seconds'] * 1e3):.1f}" for p in points)
        count = "L".join(f"{x_of(p['x']):.1f} {y_of(y):.1f}" for p, y in zip(points, counts[name]))
        yield f'<path class="line s{i % 3}" d="M{line}"/><path class="count s{i % 3}" d="M{count}"/>'
        for p in points:
            yield (f'<path class="mark s{i % 3}" d="{MARKS[i % 3]}" '
                   f'transform="translate({x_of(p["x"]):.1f} {y_of(p["seconds"] * 1e3):.1f})"/>')
        yield (f'<path class="mark s{i % 3}" d="{MARKS[i % 3]}" transform="translate({legend + 6} {top + 34})"/>'
               f'<text x="{legend + 14}" y="{top + 38}">{escape(name)}</text>')
        legend += 30 + 7 * len(name)
    yield f'<text x="{legend}" y="{top + 38}">dotted: as the operation count grows</text>'


def counted(points):
    """Milliseconds, if every operation took as long as in the largest step."""
    largest = max(points, key=lambda point: point["flops"])
    return [largest["seconds"] * 1e3 * point["flops"] / largest["flops"] for point in points]


def picture(by_batch, by_size, mode, size_batch):
    by_size_title = f"Time of a step ({mode}, batch {size_batch}) against image size"
    parts = [*panel(f"Time of a step ({mode}) against batch", "images a step", by_batch, 0),
             *panel(by_size_title, "pixels a side", by_size, HEIGHT)]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {2 * HEIGHT}" width="{WIDTH}" '
                      f'height="{2 * HEIGHT}" role="img" aria-label="time against batch and image size">',
                      f"<style>{STYLE}</style>", f'<rect class="ground" width="{WIDTH}" height="{2 * HEIGHT}"/>',
                      *parts, "</svg>", ""])


def numbers(text):
    return [int(part) for part in text.split(",")]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    parser.add_argument("--batches", type=numbers, default=[1, 2, 4, 8, 16, 32])
    parser.add_argument("--sizes", type=numbers, default=[64, 96, 128, 160, 192, 224])
    parser.add_argument("--size-batch", type=int, default=8)
    parser.add_argument("--mode", default="train", choices=["train", "inference"])
    parser.add_argument("--conv", default="auto")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--plot", metavar="FILE.svg", help="for example docs/pictures/growth.svg")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_intermixed_args()
    if len(arguments.batches) < 2 or len(arguments.sizes) < 2 or min(arguments.batches + arguments.sizes) < 1:
        parser.error("--batches and --sizes need two numbers or more, all above 0")
    arguments.networks = arguments.networks or NETWORKS
    return arguments


def main():
    arguments = parsed()
    show = print_markdown if arguments.markdown else print_table
    by_batch, by_size = {}, {}
    for network in arguments.networks:
        by_batch[network] = sweep(arguments, network, [(n, n, 0) for n in sorted(arguments.batches)])
        show(network, "batch", by_batch[network])
        by_size[network] = sweep(arguments, network, [(n, arguments.size_batch, n) for n in sorted(arguments.sizes)])
        show(network, "image size", by_size[network])
    if arguments.plot:
        with open(arguments.plot + ".part", "w", encoding="utf-8") as file:
            file.write(picture(by_batch, by_size, arguments.mode, arguments.size_batch))
        os.replace(arguments.plot + ".part", arguments.plot)


if __name__ == "__main__":
    main()
