#!/usr/bin/env python3
"""PyTorch on this CPU: predicted steps and memory beside measured ones, after `plimsoll probe`.

usage: pytorch_cpu.py PLIMSOLL PYTHON [--core 1] [--rounds 2] [--rows FILE] [--probe FILE]
                      [--write docs/pytorch_cpu.md] [CASE …]

PYTHON has torch, torchvision and transformers. A case is NETWORK:BATCH[:TOKENS]; without any, eleven networks of images
and text. Everything runs on one core with one thread: probe and steps in turn, round by round. Of a step counts the
least processor time (user and system) of all rounds, of the probe the best figure of each, since whatever else runs can
only make them slower. --rows and --probe keep what was measured and add to what is there already; with --rounds 0
nothing is measured.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = ["alexnet:32", "vgg16:4", "resnet18:16", "resnet50:8", "mobilenet_v2:16", "densenet121:8", "efficientnet_b0:8",
         "vit_b_16:8", "convnext_tiny:8", "bert-base:4:128", "gpt2:2:256"]
MODES = ["train", "inference"]
BEST = ("peak", "core_peak", "memory_bandwidth", "core_bandwidth", "fresh_bandwidth", "l1_bandwidth", "l2_bandwidth",
        "l3_bandwidth")


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
    return done.stdout


def pinned(core, command):
    return ["taskset", "-c", str(core), *command]


def better(one, other):
    """Of two probes the higher rates, figure by figure."""
    if not one:
        return other
    best = dict(other)
    for key in BEST:
        if key not in one or key not in other:
            continue
        if "value" in one[key]:
            best[key] = max(one[key], other[key], key=lambda figure: figure["value"])
        else:
            best[key] = {name: max(one[key].get(name, figure), figure, key=lambda f: f["value"])
                         for name, figure in other[key].items()}
    for key, by in (("conv_rates", ("direction", "method", "kernel")), ("sweep_rates", ("sweep",))):
        best[key] = better_points(one.get(key, []), other.get(key, []), by)
    return best


def better_points(one, other, by):
    """The same of points, each with its rate last; a point of sweep_rates has nearly the same place in both."""
    known = {tuple(group[name] for name in by): group["at"] for group in one}
    merged = []
    for group in other:
        points = known.get(tuple(group[name] for name in by), [])
        same = len(points) == len(group["at"])
        best = [max(a, b, key=lambda point: point[-1]) for a, b in zip(points, group["at"])] if same else group["at"]
        merged.append(dict(group, at=best))
    return merged


def probe(program, core, folder, best):
    path = folder / "probe.json"
    run(pinned(core, [program, "probe", "--quiet", "--out", str(path)]))
    return better(best, json.loads(path.read_text()))


def measure(python, core, case, mode):
    out = run(pinned(core, [python, str(HERE / "pytorch_cpu_step.py"), case, mode, "1", "2"]))
    return json.loads(out)


def predict(program, core, probe_path, case, mode):
    network, batch, *tokens = case.split(":")
    words = [network, "--framework", "pytorch", "--device", "this", "--batch", batch, "--mode", mode, "--json"]
    if tokens:
        words += ["--sequence", tokens[0]]
    environment = dict(os.environ, PLIMSOLL_PROBE=str(probe_path))
    answer = json.loads(run(pinned(core, [program, "place", *words]), env=environment))["ranking"][0]
    return answer["stages"]["compute_seconds"], answer["peak_bytes"]


def rows_in(path):
    if not path or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def least(rows):
    """{(case, mode): row}: the quickest of all rounds, with the largest memory."""
    best = {}
    for row in rows:
        key = row["case"], row["mode"]
        if key not in best or row["step_cpu_seconds"] < best[key]["step_cpu_seconds"]:
            best[key] = dict(row, rounds=0)
    for row in rows:
        best[row["case"], row["mode"]]["rounds"] += 1
    return best


def table(best, predictions):
    lines = ["| network:batch | step | measured | predicted | off | memory | predicted | off |",
             "|---|---|---|---|---|---|---|---|"]
    for (case, mode), row in sorted(best.items(), key=lambda item: (item[0][1], item[0][0])):
        seconds, peak = predictions[case, mode]
        lines.append(f"| {case} | {mode} | {row['step_cpu_seconds']:.3f} s | {seconds:.3f} s | "
                     f"{seconds / row['step_cpu_seconds'] - 1:+.0%} | {row['peak_resident'] / 2**20:.0f} MiB | "
                     f"{peak / 2**20:.0f} MiB | {peak / row['peak_resident'] - 1:+.0%} |")
    return lines


def summary(best, predictions):
    lines = []
    for mode in MODES:
        keys = [key for key in best if key[1] == mode]
        times = [abs(predictions[key][0] / best[key]["step_cpu_seconds"] - 1) for key in keys]
        memory = [abs(predictions[key][1] / best[key]["peak_resident"] - 1) for key in keys]
        lines.append(f"{mode}: time off by {statistics.median(times):.1%} in the median, {max(times):.0%} at most; "
                     f"memory {statistics.median(memory):.1%}, {max(memory):.0%} at most ({len(keys)} networks)")
    both = [abs(predictions[key][0] / best[key]["step_cpu_seconds"] - 1) for key in best]
    lines.append(f"both: time off by {statistics.median(both):.1%} in the median")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("python")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--probe", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path, help="put the table into this document, between its marks")
    asked = parser.parse_intermixed_args()
    cases = asked.cases or CASES
    rows = rows_in(asked.rows)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kept = asked.probe and asked.probe.exists()
        best_probe = json.loads(asked.probe.read_text()) if kept else None
        for _ in range(asked.rounds):
            best_probe = probe(asked.program, asked.core, folder, best_probe)
            for case in cases:
                for mode in MODES:
                    rows.append(measure(asked.python, asked.core, case, mode))
                    if asked.rows:
                        asked.rows.write_text("".join(json.dumps(row) + "\n" for row in rows))
        if asked.rounds or not best_probe:
            best_probe = probe(asked.program, asked.core, folder, best_probe)
        path = asked.probe or folder / "this.json"
        path.write_text(json.dumps(best_probe))
        best = {key: row for key, row in least(rows).items() if key[0] in cases}
        predictions = {key: predict(asked.program, asked.core, path, *key) for key in best}
    lines = table(best, predictions) + [""] + summary(best, predictions)
    print("\n".join(lines))
    if asked.write:
        text = asked.write.read_text()
        begin, end = text.index("<!-- table -->"), text.index("<!-- end -->")
        asked.write.write_text(text[:begin] + "<!-- table -->\n" + "\n".join(lines) + "\n" + text[end:])


if __name__ == "__main__":
    main()
