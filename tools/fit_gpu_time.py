#!/usr/bin/env python3
"""Fits the numbers of src/plan/time/torch_parameters.inc to measured step times of PyTorch, and tells how far off they
leave networks and cards that took no part.

    fit_gpu_time.py            held-out errors, also to tests/accuracy and src/plan/time/step_accuracy.inc
    fit_gpu_time.py --write    fits on everything and writes the table

The model is not written again here: build/tests/gpu_time_rows lists the kernels of every row, each with what its shape
asks of the card and which numbers of the table that is multiplied by. Needs numpy and scipy.
"""

import argparse
import collections
import copy
import json
import pathlib
import re
import subprocess

import numpy as np
from scipy.optimize import least_squares

import gpu_facts
import gpu_kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/tests/gpu_time_rows"
TABLE = ROOT / "src/plan/time/torch_parameters.inc"
ACCURACY = ROOT / "src/plan/time/step_accuracy.inc"
TABLES = ROOT / "tests/accuracy"
KEPT_AS_FITTED_ELSEWHERE = re.compile("tile_|general_|rdna_|cache_|kernel_seconds|plane_seconds|[a-z_]+_full|product$")
TERMS, FACTORS = 3, 4  # of a kernel: arithmetic, bytes, copies; and numbers of the table for each
# What a card is taken for while its own rows are held out, where its generation's figures came from them.
STANDS_FOR = {"nvidia-rtx-pro-6000-max-q": "ada"}


class Table:
    def __init__(self):
        lines = subprocess.check_output([PROGRAM, "--parameters"], text=True).split()
        self.names = [line.split(",")[0] for line in lines]
        numbers = np.array([line.split(",")[1:] for line in lines], float)
        self.now, self.guess, self.low, self.high = numbers.T
        self.free = np.array([not KEPT_AS_FITTED_ELSEWHERE.match(name) for name in self.names])
        self.prior = np.where(self.free, self.guess, self.now)
        self.start = self.now[self.names.index("kernel_seconds")]

    def write(self, values):
        text = TABLE.read_text()
        for name, value in values.items():
            text = re.sub(rf"^(PLIM_TORCH\({name}, )[^,]+", rf"\g<1>{value:.4g}", text, flags=re.M)
        TABLE.write_text(text)


def kernels_of(lines):
    """Row and kernels of every run: repeat, and for each term its seconds and factors."""
    width = 1 + TERMS * (1 + FACTORS)
    parts = [np.array(line.split(), float).reshape(-1, width) for line in lines]
    return np.repeat(np.arange(len(parts)), [len(part) for part in parts]), np.concatenate(parts)


def listed_runs(cases):
    """Runs of operator lists, and a line of kernels for each."""
    cases = list(cases)
    lines = "\n".join(json.dumps(case) for case in cases)
    answers = subprocess.run([PROGRAM, "--kernels"], input=lines, text=True, check=True, stdout=subprocess.PIPE).stdout
    runs = [dict(run, model=case["model"], family=case["family"], set=case["set"])
            for case in cases for run in case["runs"]]  # fmt: skip
    return runs, answers.splitlines()


def zoo_runs(file, wanted):
    """The same of networks of the zoo, whose operators are our own."""
    lines = subprocess.check_output([PROGRAM, "--network-kernels", file], text=True).splitlines()
    runs, kernels = [], []
    for facts, line in zip(map(json.loads, lines[::2]), lines[1::2]):
        if wanted(facts):
            runs.append(dict(facts, family=gpu_facts.family(facts["model"])))
            kernels.append(line)
    return runs, kernels


class Rows:
    """Measured rows, and every kernel of each."""

    def __init__(self, runs, lines, table):
        kinds, kernels = zip(*(line.split(":") for line in lines))
        self.table, self.runs = table, [dict(run, kind=kind) for run, kind in zip(runs, kinds)]
        self.row, numbers = kernels_of(kernels)
        self.repeat = numbers[:, 0]
        terms = numbers[:, 1:].reshape(-1, TERMS, 1 + FACTORS)
        self.seconds = terms[:, :, 0] * self.repeat[:, None]
        # Each combination of numbers of the table is worked out once.
        combinations, which = np.unique(terms[:, :, 1:].reshape(-1, FACTORS).astype(int), axis=0, return_inverse=True)
        self.combinations, self.which = combinations, which.reshape(-1, TERMS)
        self.takes = np.zeros((len(combinations), len(table.names) + 1))
        for factor in range(FACTORS):
            np.add.at(self.takes, (np.arange(len(combinations)), combinations[:, factor]), 1)
        self.log_time = np.log([run["seconds"] for run in self.runs])
        self.family = np.array([run["family"] for run in self.runs])
        self.device = np.array([run["device"] for run in self.runs])
        self.set = np.array([run["set"] for run in self.runs])
        self.weight = np.where(self.set == "gpu_benchmark", 2.0, 1.0)  # few, of four generations
        self.label = [label_of(run) for run in self.runs]

    def predicted(self, values, jacobian=False):
        """log(seconds) of each row, and its derivative by the logarithm of each number."""
        factors = np.append(values, 1.0)[self.combinations].prod(axis=1)
        terms = self.seconds * factors[self.which]
        arithmetic = terms[:, 0] > terms[:, 1]
        terms[:, 0] *= arithmetic
        terms[:, 1] *= ~arithmetic
        total = np.bincount(self.row, terms.sum(axis=1) + self.repeat * self.table.start, len(self.runs))
        if not jacobian:
            return np.log(total)
        size = len(self.combinations)
        by = np.bincount((self.row[:, None] * size + self.which).ravel(), terms.ravel(), len(self.runs) * size)
        return np.log(total), (by.reshape(-1, size) @ self.takes / total[:, None])[:, :-1]

    def only(self, chosen):
        """The same, of some rows."""
        some = copy.copy(self)
        kernels = chosen[self.row]
        some.row = (np.cumsum(chosen) - 1)[self.row[kernels]]
        some.repeat, some.seconds, some.which = self.repeat[kernels], self.seconds[kernels], self.which[kernels]
        some.log_time, some.weight = self.log_time[chosen], self.weight[chosen]
        some.runs = [run for run, take in zip(self.runs, chosen) if take]
        return some

    def fit(self, chosen, weight=0.12):
        """Drawn towards the guesses, so that what the rows cannot tell stays; soft, so that outliers do not decide."""
        rows = self.only(chosen)
        table, free = self.table, self.table.free
        low, high = np.log(np.maximum(table.low, 1e-3))[free], np.log(table.high)[free]
        guess = np.log(table.prior)
        scale = np.sqrt(200 / max(chosen.sum(), 200))

        def values_of(logs):
            values = table.prior.copy()
            values[free] = np.exp(logs)
            return values

        def residuals(logs):
            off = rows.predicted(values_of(logs)) - rows.log_time
            soft = np.sign(off) * np.sqrt(0.02 * (np.sqrt(1 + off * off / 0.01) - 1))
            return np.concatenate([scale * rows.weight * soft, weight * (logs - guess[free])])

        def jacobian(logs):
            log, by = rows.predicted(values_of(logs), jacobian=True)
            off = log - rows.log_time
            root = np.sqrt(1 + off * off / 0.01)
            soft = np.sqrt(0.02 * (root - 1))
            slope = np.where(soft > 1e-9, abs(off) / (np.maximum(soft, 1e-9) * root), 1)
            return np.concatenate([(scale * rows.weight * slope)[:, None] * by[:, free], weight * np.eye(free.sum())])

        start = np.clip(guess[free], low + 1e-6, high - 1e-6)
        return values_of(least_squares(residuals, start, jacobian, bounds=(low, high), max_nfev=12).x)


def label_of(run):
    way = "compiled" if run.get("compiled") else "eager"
    return " ".join([run["set"], run["device"], run["dtype"], run.get("layout", ""), way])


def errors(labels, off):
    """Rows, median of predicted / measured, median error and the error that nine of ten stay below, by set."""
    groups = collections.defaultdict(list)
    for label, value in zip(labels, off):
        if not np.isnan(value):
            groups[label].append(value)
    for label, values in sorted(groups.items()):
        ratio = np.exp(np.array(values))
        yield label, len(ratio), np.median(ratio), np.median(abs(ratio - 1)), np.quantile(abs(ratio - 1), 0.9)


def write_errors(name, labels, off):
    with (TABLES / f"{name}.csv").open("w") as file:
        file.write("set,rows,bias,median,p90\n")
        for label, count, bias, median, p90 in errors(labels, off):
            file.write(f"{label},{count},{bias:.3f},{median:.4f},{p90:.4f}\n")


def tell(labels, off, title):
    print(title)
    for label, count, bias, median, p90 in errors(labels, off):
        print(f"  {label:56} {count:5} rows  predicted/measured {bias:.3f}  median error {median:.3f}  90 % {p90:.3f}")


def as_strangers(cases):
    """The same rows with cards described by what was known without them."""
    for case in cases:
        runs = [dict(run, generation=STANDS_FOR.get(run["device"], "")) for run in case["runs"]]
        yield dict(case, runs=runs)


def held_out(rows, strangers):
    """Inference: a card and a third of the families at once. Training lists are of one card: families. Networks of the
    other cards: the card."""
    off = np.full(len(rows.runs), np.nan)
    families = sorted(set(rows.family))
    inference, training, others = (rows.set == name for name in ("timm_infer", "timm_train", "gpu_benchmark"))

    def leave_out(away, test, described=rows):
        if test.any():
            off[test] = (described.predicted(rows.fit(~away)) - rows.log_time)[test]

    for third in range(3):
        away = np.isin(rows.family, families[third::3])
        for device in sorted(set(rows.device[inference])):
            card = rows.device == device
            leave_out(away | (card & ~training), away & card & inference, strangers)
        leave_out(away, away & training)
    for device in sorted(set(rows.device[others])):
        leave_out(rows.device == device, (rows.device == device) & others)
    return off


def read_rows(table, cases):
    runs, lines = listed_runs(cases)
    covered = lambda run: run["set"] == "gpu_benchmark" and "gtx" not in run["device"]
    more, kernels = zoo_runs("network_steps.csv", covered)
    return Rows(runs + more, lines + kernels, table)


GENERATIONS = {"rtx-20": "turing", "t4": "turing", "v100": "volta", "rtx-30": "ampere", "rtx-40": "ada",
               "pro-6000": "blackwell"}  # fmt: skip


def host_bound():
    """Predicted over measured where the device waits for the host; nothing is fitted to these rows."""
    waits = lambda run: run["set"] == "batch12" and run["dtype"] != "f64" and run["launch"] > 0.3 * run["predicted"]
    runs, _ = zoo_runs("network_steps.csv", waits)
    for run in runs:
        yield run["mode"], run["predicted"] / run["seconds"]


def against_3090():
    """Labels and log(predicted / measured) of scores whose unit is not told, against those of an RTX 3090."""
    runs, _ = zoo_runs("gpu_insights.csv", lambda run: True)
    ratios = collections.defaultdict(list)
    for run in runs:
        ratios[run["device"], run["set"], run["dtype"]].append(np.log(run["predicted"] / run["seconds"]))
    for (device, version, dtype), logs in ratios.items():
        if device != "nvidia-rtx-3090":
            reference = np.median(ratios["nvidia-rtx-3090", version, dtype])
            for log in logs:
                yield f"{device} {dtype}", log - reference


def write_accuracy(rows, off, kinds):
    """How far off held-out predictions were, for src/plan/time/step_accuracy.h."""
    groups = collections.defaultdict(list)
    for mode, ratio in host_bound():
        groups["any", "any", mode, "steps that wait for the host"].append(ratio)
    for run, value, kind in zip(rows.runs, off, kinds):
        if np.isnan(value):
            continue
        generation = next(name for part, name in GENERATIONS.items() if part in run["device"])
        format_ = "f32" if run["dtype"] == "f32" else "f16"
        mode = "inference" if run["set"] == "timm_infer" else "training"
        for where in ("any", generation):
            for form in ("any", format_):
                for what in ("any", kind):
                    groups[where, form, mode, what].append(np.exp(value))
    lines = []
    for key, ratios in sorted(groups.items()):
        if len(ratios) < 20:
            continue
        error = np.median(abs(np.array(ratios) - 1))
        high, low = 1 / np.quantile(ratios, [0.1, 0.9])
        names = ", ".join(f'"{name}"' for name in key)
        lines.append(f"PLIM_HELD_OUT({names}, {len(ratios)}, {error:.3f}, {low:.3f}, {high:.3f})")
    header = ACCURACY.read_text().splitlines()[0]
    ACCURACY.write_text("\n".join([header, *lines]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    table = Table()
    cases = list(gpu_facts.timm())
    rows = read_rows(table, cases)
    print(f"{len(rows.runs)} rows, {len(rows.row)} kernels, {len(table.names)} numbers")
    tell(rows.label, rows.predicted(table.now) - rows.log_time, "with the table as it is")
    if arguments.write:
        values = rows.fit(np.ones(len(rows.runs), bool))
        tell(rows.label, rows.predicted(values) - rows.log_time, "fitted on all of them")
        table.write(dict(zip(table.names, values)) | gpu_kernels.fitted(PROGRAM))
        return
    off = held_out(rows, read_rows(table, as_strangers(cases)))
    tell(rows.label, off, "held out: a card and a third of the families, families (training), cards (other networks)")
    mode = ["inference" if run["set"] == "timm_infer" else "training" for run in rows.runs]
    write_errors("left_out_modern", rows.label, off)
    write_errors("left_out_cards", [f"{run['device']} {how}" for run, how in zip(rows.runs, mode)], off)
    write_errors("left_out_families", [f"{run['family']} {how}" for run, how in zip(rows.runs, mode)], off)
    labels, alone = gpu_kernels.held_out(PROGRAM)
    tell(labels, alone, "kernels alone; those of f32 products with the card left out")
    write_errors("single_kernels", labels, alone)
    write_errors("against_rtx_3090", *zip(*against_3090()))
    write_errors("fitted_modern", rows.label, rows.predicted(table.now) - rows.log_time)
    write_accuracy(rows, off, [run["kind"] for run in rows.runs])


if __name__ == "__main__":
    main()
