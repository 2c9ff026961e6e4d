#!/usr/bin/env python3
"""Fits the parameters of the time model (src/plan/time/time_parameters.inc) to the measured steps of tests/data/facts.

The model itself is not written again here: build/tests/step_time_rows predicts every row for a line of parameter
values. The fit is least squares of log(predicted / measured), robust against outliers, with a pull towards the
expectation of each parameter, so that what the rows cannot tell stays where physics put it.

  tools/fit_step_time.py build/tests/step_time_rows   fits, prints errors, writes the table
  … --leave device|network   fits without each in turn, writes the errors of what was left out
"""

import argparse
import collections
import csv
import io
import pathlib
import re
import subprocess

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = ROOT / "tests/accuracy"
TABLE = ROOT / "src/plan/time/time_parameters.inc"

# What is fitted on which rows, one group after the other, each with the groups before it held.
STAGES = [
    ("f32", lambda r: r["dtype"] == "f32" and r["devices"] == 1 and r["target"],
     lambda n: not n.startswith(("matrix_", "stored16_", "f64_", "parallel_", "cpu_"))),
    ("f16", lambda r: r["dtype"] == "f16" and r["devices"] == 1, lambda n: n.startswith(("matrix_", "stored16_"))),
    ("f64", lambda r: r["dtype"] == "f64" and r["devices"] == 1, lambda n: n.startswith("f64_")),
    ("parallel", lambda r: r["devices"] > 1, lambda n: n.startswith("parallel_")),
    ("cpu", lambda r: r["device"].startswith("intel"), lambda n: n.startswith("cpu_")),
]

# How far a parameter may be drawn from its start, as a standard deviation of its logarithm; 0.5 where not named.
SIGMA = {
    "maxwell": 0.1, "volta": 0.15, "turing": 0.15, "conv_share": 0.15, "grad_data_share": 0.15,
    "grad_weights_share": 0.2, "product_share": 0.2, "winograd_conv": 0.25, "winograd_grad_data": 0.25,
    "winograd_grad_weights": 0.25, "element_bytes": 0.15, "conv_bytes": 0.2, "reduce_bytes": 0.2, "pool_bytes": 0.25,
    "pytorch_gradient": 0.3, "cudnn2_gain": 0.2, "matrix_intensity": 0.3, "cpu_product_share": 0.2,
    "cpu_grad_share": 0.2, "cpu_half_rows": 0.3, "cpu_operation": 0.2, "half_rows": 0.3, "half_depth": 0.4,
    "norm_bytes": 0.2, "norm_grad_bytes": 0.2, "pool_grad_bytes": 0.25, "stored16_norm": 0.2, "torch7_bytes": 0.3,
}
PULL = 0.25
LIMIT = np.log(2.45)  # a row further off than this weighs much more
BARRIER = 300


class Predictor:
    def __init__(self, program):
        rows = list(csv.DictReader(io.StringIO(subprocess.check_output([program], text=True))))
        self.rows = [dict(r, devices=int(r["devices"]), target=r["target"] == "1", total=float(r["total"]),
                          forward=float(r["forward"])) for r in rows]
        listed = subprocess.check_output([program, "--parameters"], text=True).splitlines()
        listed = [line.split(",") for line in listed]
        self.names = [line[0] for line in listed]
        numbers = np.array([[float(x) for x in line[2:]] for line in listed])
        self.start, self.low, self.high = np.log(numbers).T
        self.process = subprocess.Popen([program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, logs):
        self.process.stdin.write(" ".join(f"{v:.8g}" for v in np.exp(logs)) + "\n")
        self.process.stdin.flush()
        return np.array([float(x) for x in self.process.stdout.readline().split()]).reshape(-1, 2)


def residuals(model, logs, chosen):
    predicted = model(logs)
    total = np.array([np.log(predicted[i, 1] / model.rows[i]["total"]) for i in chosen])
    forward = np.array([0.7 * np.log(predicted[i, 0] / model.rows[i]["forward"])
                        for i in chosen if model.rows[i]["forward"] > 0])
    return np.concatenate([total, forward])


def fit_stage(model, logs, chosen, wanted, evaluations):
    free = [i for i, name in enumerate(model.names) if wanted(name)]
    sigma = np.array([SIGMA.get(model.names[i], 0.5) for i in free])
    low, high = model.low[free], model.high[free]

    def function(shifted):
        z = shifted + low - 1
        whole = logs.copy()
        whole[free] = z
        error = residuals(model, whole, chosen)
        beyond = BARRIER * np.maximum(0, np.abs(error) - LIMIT)
        return np.concatenate([error, beyond, PULL * (z - model.start[free]) / sigma])

    start = np.clip(logs[free], low + 1e-4, high - 1e-4)
    # Shifted to start at 1, because steps are taken relative to the size of a number.
    found = least_squares(function, start - low + 1, bounds=(np.ones(len(free)), high - low + 1), loss="soft_l1",
                          f_scale=0.12, max_nfev=evaluations, diff_step=1e-3)
    result = logs.copy()
    result[free] = found.x + low - 1
    return result


def fit(model, keep, evaluations=12):
    logs = model.start.copy()
    for name, rows, wanted in STAGES:
        chosen = [i for i, r in enumerate(model.rows) if rows(r) and keep(r)]
        if chosen:
            logs = fit_stage(model, logs, chosen, wanted, evaluations * (3 if name == "parallel" else 1))
    return logs


def report(model, logs, keep, by):
    predicted = model(logs)[:, 1]
    groups = collections.defaultdict(list)
    for r, p in zip(model.rows, predicted):
        if keep(r):
            groups[" ".join(str(r[k]) for k in by)].append((np.log(p / r["total"]), r["network"]))
            if r["target"]:
                groups["all targets"].append(groups[" ".join(str(r[k]) for k in by)][-1])
    for key, errors in sorted(groups.items()):
        values = np.array([e for e, _ in errors])
        off = np.abs(np.exp(values) - 1)
        worst = int(np.argmax(np.abs(values)))
        bias = np.expm1(np.median(values))
        beyond = int(np.sum(np.abs(values) > np.log(2.5)))
        print(f"{key:55} {len(values):5d} median {100 * np.median(off):5.1f} %  bias {100 * bias:+6.1f} %"
              f"  within 30 % {100 * np.mean(off < 0.3):4.0f} %  beyond 2.5x {beyond}"
              f"  worst x{np.exp(values[worst]):.2f} {errors[worst][1]}")


def write(model, logs):
    text = TABLE.read_text()
    for name, value in zip(model.names, np.exp(logs)):
        text = re.sub(rf"(PLIM_TIME\({name}, *)[^,]+,", lambda m: f"{m.group(1)}{value:.4g},", text)
    TABLE.write_text(text)


def left_out_line(model, logs, left, keep):
    predicted = model(logs)[:, 1]
    ratios = np.array([p / r["total"] for r, p in zip(model.rows, predicted) if keep(r)])
    worst = np.exp(np.max(np.abs(np.log(ratios))))
    off = np.abs(ratios - 1)
    return f"{left},{len(ratios)},{np.median(off):.4f},{worst:.3f},{np.mean(off <= 0.3):.4f}"


def family(network):
    return re.match(r"[a-z]+", network).group(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--leave", choices=["device", "network"])
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--evaluations", type=int, default=12)
    parser.add_argument("--by", default="source")
    options = parser.parse_args()
    model = Predictor(options.program)
    if options.leave:
        key = (lambda r: r["device"]) if options.leave == "device" else (lambda r: family(r["network"]))
        lines = ["left_out,rows,median_error,worst_factor,within_30"]
        for left in sorted({key(r) for r in model.rows if r["target"]}):
            logs = fit(model, lambda r: key(r) != left, options.evaluations)
            lines.append(left_out_line(model, logs, left, lambda r: r["target"] and key(r) == left))
            print(lines[-1], flush=True)
        (LEFT_OUT / f"left_out_{options.leave}.csv").write_text("\n".join(lines) + "\n")
        return
    logs = fit(model, lambda r: True, options.evaluations)
    report(model, logs, lambda r: True, options.by.split(","))
    for name, value in zip(model.names, np.exp(logs)):
        print(f"{name} {value:.4g}", end="; ")
    print()
    if not options.dry:
        write(model, logs)


if __name__ == "__main__":
    main()
