#!/usr/bin/env python3
"""Fits the numbers of src/plan/time/torch_parameters.inc to measured step times of PyTorch, and tells how far off they
leave networks and cards that took no part.

    fit_gpu_time.py            held-out errors, also to tests/accuracy/left_out_modern.csv
    fit_gpu_time.py --write    fits on everything and writes the table

The model is that of src/plan/time/torch_time.cpp and gemm_time.cpp, line by line, on the operator lists of
tests/data/facts/modern/timm_graphs.jsonl.gz. Needs numpy and scipy.
"""

import argparse
import collections
import csv
import gzip
import json
import pathlib
import re

import numpy as np
from scipy.optimize import least_squares

ROOT = pathlib.Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests/data/facts/modern"
TABLE = ROOT / "src/plan/time/torch_parameters.inc"
LEFT_OUT = ROOT / "tests/accuracy/left_out_modern.csv"

# multiprocessors, reachable GEMM rate, bandwidth, L2: as src/plan/time/reachable.cpp has them from the catalog
CARDS = {
    "rtx3090": (82, 1.03 * 71.16e12, 35.58e12, 936e9, 6 * 2**20),
    "rtx4090": (128, 1.03 * 165.2e12, 82.58e12, 1008e9, 72 * 2**20),
    "rtx-pro-6000-maxq": (188, 300 / 1.25 * 1e12, 109.7e12, 0.85 * 1792e9, 128 * 2**20),
}
TILES = [
    (256, 128, None), (128, 256, None), (128, 128, "tile_128x128"), (128, 64, "tile_128x64"), (64, 128, "tile_128x64"),
    (64, 64, "tile_64x64"), (64, 32, "tile_64x32"), (32, 64, "tile_64x32"), (32, 32, "tile_32x32"),
]  # fmt: skip
REARRANGED = {"cat", "stack", "constant_pad_nd", "reflection_pad2d", "index", "copy_", "repeat", "im2col", "clone",
              "upsample_nearest2d", "upsample_bilinear2d", "as_strided_"}  # fmt: skip
KEPT_AS_FITTED_ELSEWHERE = re.compile("tile_|cache_|kernel_seconds")


def read_table():
    """Value, lowest, highest and expectation of each number."""
    rows = re.findall(r"^PLIM_TORCH\((\w+), ([^,]+), ([^,]+), ([^,]+), ([^,]+), ", TABLE.read_text(), re.M)
    return {name: [float(value), float(low), float(high), float(guess)] for name, value, guess, low, high in rows}


def family(model):
    model = re.sub("^(tf_|ig_|swsl_|ssl_|gluon_|legacy_|ens_adv_|jx_)", "", model)
    return re.match("[a-z]+", model)[0]


class Kernel:
    """One kind of kernel of a graph. `grows`: bytes that grow with the batch; `axis`: what of a product does."""

    __slots__ = ("kind", "grows", "fixed", "m", "n", "k", "count", "axis", "taps", "channels", "flops")

    def __init__(self, kind, grows, fixed=0, m=0, n=0, k=0, count=1, axis="m", taps=1, channels=0, flops=0):
        self.kind, self.grows, self.fixed, self.m, self.n, self.k = kind, grows, fixed, m, n, k
        self.count, self.axis, self.taps, self.channels, self.flops = count, axis, taps, channels, flops

    def key(self):
        return tuple(getattr(self, name) for name in self.__slots__)


def conv_kind(op):
    if op["g"] == 1:
        return "conv_point" if np.prod(op["w"][2:]) == 1 else "conv_window"
    return "depthwise" if op["w"][1] == 1 else "conv_grouped"


def conv_kernels(op, trains, first):
    w, groups = op["w"], op["g"]
    kind, taps, channels, kernels = conv_kind(op), int(np.prod(w[2:])), w[1], w[0] // groups
    out = int(np.prod([op["os"][0]] + op["os"][2:]))
    into = int(np.prod([op["x"][0]] + op["x"][2:]))
    weights, data = int(np.prod(w)) * 2, op["ib"] + op["ob"]
    flops = 2 * out * kernels * channels * taps * groups
    yield Kernel(kind, data, weights, out, kernels, channels * taps, groups, "m", taps, channels, flops)
    if not trains:
        return
    if not first:
        depth = max(1, kernels * taps * out / into)
        yield Kernel(kind + ":d", data, weights, into, channels, depth, groups, "m", taps, channels, flops)
    yield Kernel(kind + ":w", data, weights, kernels, channels * taps, out, groups, "k", taps, channels, flops)
    if len(op["ss"]) > 2:
        yield Kernel("reduce", op["ob"])


def product_kernels(op, trains):
    if "mnk" in op:
        m, n, k = op["mnk"]
        data, weights = 2 * (m * k + m * n), 2 * n * k
        yield Kernel("product", data, weights, m, n, k)
        if trains:
            yield Kernel("product:d", data, weights, m, k, n)
            yield Kernel("product:w", data, weights, n, k, m, 1, "k")
            if op["n"] == "addmm":
                yield Kernel("reduce", 2 * m * n)
        return
    b, m, n, k = op["bmnk"]
    data = 2 * b * (m * k + m * n + n * k)
    yield Kernel("batched_product", data, 0, m, n, k, b, "b")
    if trains:
        yield Kernel("batched_product:d", data, 0, m, k, n, b, "b")
        yield Kernel("batched_product:d", data, 0, k, n, m, b, "b")


def element_kernels(op, trains, after):
    name, data, own = op["n"], op["ib"] + op["ob"], op["pb"]
    if op["dt"] == "int64":
        return
    if name in REARRANGED:
        yield Kernel("rearrange", data, own)
        if trains and not (name == "clone" and after.endswith("_")):
            yield Kernel("rearrange", data, own)
        return
    if name == "_to_copy" and op["ib"] == 0:
        for _ in range(2 if trains else 1):
            yield Kernel("element", 0, own + op["ob"])
        return
    yield Kernel("element", data, own)
    if not trains:
        return
    if name == "_to_copy":
        yield Kernel("element", data, own)
    elif name in ("mul", "addcmul") and len(op["ss"]) > 1:
        yield Kernel("element", 2 * data, own)
    else:
        yield Kernel("element", 3 * op["ob"], own)


def pass_kernels(op, trains, after):
    name, i, o, own = op["n"], op["ib"], op["ob"], op["pb"]
    if "batch_norm" in name:
        yield Kernel("batch_norm_train" if trains else "batch_norm", i + o, own)
        if trains:
            yield Kernel("batch_norm_grad", 2 * i + o, own)
    elif name in ("native_layer_norm", "native_group_norm", "_softmax", "_log_softmax"):
        yield Kernel("row_norm", i + o, own)
        if trains:
            yield Kernel("row_norm_grad", i + 2 * o if "softmax" in name else 2 * i + o, own)
    elif "pool2d" in name:
        yield Kernel("pool", i + o)
        if trains:
            yield Kernel("pool_grad", i + 2 * o)
    elif name in ("mean", "sum", "var", "amax", "nll_loss_forward"):
        yield Kernel("reduce", i + o)
        if trains:
            yield Kernel("element", i + o)
    else:
        yield from element_kernels(op, trains, after)


def kernels_of(graph):
    trains, first = graph["mode"] == "train", True
    counted = collections.Counter()
    ops = graph["ops"]
    for at, op in enumerate(ops):
        if op["n"] == "convolution":
            made = conv_kernels(op, trains, first)
            first = False
        elif "mnk" in op or "bmnk" in op:
            made = product_kernels(op, trains)
        elif op["n"] == "sdpa":
            *stack, rows, width = op["os"]
            count = 2 * int(np.prod(stack))
            made = [Kernel("attention", op["ib"] + op["ob"], 0, rows, op["ss"][1][-2], width, count, "b")]
        else:
            made = pass_kernels(op, trains, ops[at + 1]["n"] if at + 1 < len(ops) else "")
        for kernel in made:
            counted[kernel.key()] += 1
    if trains:
        counted[Kernel("element", 0, graph["params"] * 4 * 5).key()] += 1  # momentum: three read, two written
    return [(Kernel(*key), times) for key, times in counted.items()]


def gemm_steps(m, n, count, units, table):
    best = None
    for rows, columns, name in TILES:
        share = table[name][0] if name else 1
        steps = np.ceil(np.ceil(m / rows) * np.ceil(n / columns) * count / units) * (2 * rows * columns / share)
        best = steps if best is None else np.minimum(best, steps)
    return best


def gemm_time(m, n, k, count, units, rate, bandwidth, table):
    start = table["tile_start"][0]
    best = gemm_steps(m, n, count, units, table) * (k + start) / (rate / units)
    for split in (2, 4, 8, 16, 32, 64, 128):
        able = k / split >= 256
        if not able.any():
            break
        sums = m * n * count * split * 4 / bandwidth
        seconds = gemm_steps(m, n, count * split, units, table) * (k / split + start) / (rate / units) + sums
        best = np.where(able & (seconds < best), seconds, best)
    return best


class Rows:
    """Measured rows, and every kernel of each: what it costs without any fitted number, and whose numbers it takes."""

    def __init__(self, table):
        self.table, self.names = table, list(table)
        graphs = {}
        with gzip.open(FACTS / "timm_graphs.jsonl.gz", "rt") as lines:
            for graph in map(json.loads, lines):
                graphs[graph["model"], graph["img"], graph["mode"]] = graph
        self.kernels = {}
        self.measured = []
        columns = collections.defaultdict(list)
        for row in self.read():
            key = row["model"], int(row["img"]), row["mode"]
            if key not in graphs:
                continue
            if key not in self.kernels:
                self.kernels[key] = kernels_of(graphs[key])
            self.add(row, graphs[key]["B"], self.kernels[key], columns)
        self.columns = {name: np.array(values) for name, values in columns.items()}
        self.prepare()

    @staticmethod
    def read():
        with gzip.open(FACTS / "timm_infer.csv.gz", "rt") as lines:
            for row in csv.DictReader(lines):
                new = tuple(map(int, row["torch"].split(".")[:2])) >= (2, 4)
                if row["precision"] == "amp" and new:
                    yield dict(row, mode="infer")
        with gzip.open(FACTS / "timm_train_rtx3090.csv.gz", "rt") as lines:
            for row in csv.DictReader(lines):
                yield dict(row, mode="train")

    def add(self, row, graph_batch, kernels, columns):
        number, scale = len(self.measured), int(row["batch"]) / graph_batch
        self.measured.append(row)
        units, rate, f32, bandwidth, cache = CARDS[row["gpu"]]
        nhwc = row["layout"] == "nhwc" or row["compiled"] == "1"
        for kernel, times in kernels:
            parts = self.parts(kernel, row["mode"] == "train", nhwc, row["compiled"] == "1")
            grow = {axis: scale if kernel.axis == axis else 1 for axis in "mkb"}
            values = dict(row=number, times=times, bytes=kernel.grows * scale + kernel.fixed, m=kernel.m * grow["m"],
                          n=kernel.n, k=kernel.k * grow["k"], count=kernel.count * grow["b"], units=units, rate=rate,
                          f32=f32, bandwidth=bandwidth, cache=cache, flops=kernel.flops * scale,
                          depthwise=kernel.kind.startswith("depthwise"), **parts)  # fmt: skip
            for name, value in values.items():
                columns[name].append(value)

    def parts(self, kernel, trains, nhwc, compiled):
        """Which numbers of the table a kernel's time is made of; -1: none. As torch_time.cpp."""
        kind, _, direction = kernel.kind.partition(":")
        index = lambda name: self.names.index(name) if name else -1
        last = "_nhwc" if nhwc else ""
        arithmetic = layout = factor = None
        grad = {"d": "grad_data", "w": "grad_weights"}.get(direction)
        if kind == "depthwise":
            bytes_, grad = "depthwise" + ("_" + grad if grad else "") + last, None
            arithmetic = "depthwise_flops" + last
        elif kind.startswith("conv_"):
            arithmetic = kind + ("_train" if kind == "conv_grouped" and trains else "") + last
            bytes_ = kind + "_bytes"
            if kind != "conv_grouped" and not nhwc:
                layout = kind.replace("conv", "layout") + ("_train" if trains else "")
        elif kind in ("product", "batched_product", "attention"):
            arithmetic, bytes_ = kind, "product_bytes"
        else:
            bytes_ = kind + (last if kind in ("batch_norm_train", "batch_norm_grad") else "")
            if compiled:
                factor = {"element": "compiled_element", "rearrange": "compiled_rearrange",
                          "batch_norm": "compiled_norm", "row_norm": "compiled_row_norm",
                          "pool": "compiled_norm"}.get(kind)  # fmt: skip
        return dict(arithmetic=index(arithmetic), grad=index(grad), by_bytes=index(bytes_), layout=index(layout),
                    factor=index(factor))  # fmt: skip

    def prepare(self):
        c = self.columns
        product = (c["m"] > 0) & ~c["depthwise"]
        c["gemm"] = np.zeros(len(c["row"]))
        shapes = [c[name][product] for name in ("m", "n", "k", "count", "units", "rate", "bandwidth")]
        c["gemm"][product] = gemm_time(*shapes, self.table)
        c["gemm"][c["depthwise"]] = (c["flops"] / c["f32"])[c["depthwise"]]
        cached = np.minimum(c["bytes"], c["cache"] * self.table["cache_share"][0])
        c["passes"] = (c["bytes"] - cached * (1 - 1 / self.table["cache_gain"][0])) / c["bandwidth"]
        self.log_time = np.log([float(row["step_ms"]) * 1e-3 for row in self.measured])
        self.family = np.array([family(row["model"]) for row in self.measured])
        self.gpu = np.array([row["gpu"] for row in self.measured])
        self.trains = np.array([row["mode"] == "train" for row in self.measured])
        way = {"0": "eager", "1": "compiled"}
        self.label = [(row["mode"], row["gpu"], row["layout"], way[row["compiled"]]) for row in self.measured]

    def log_predicted(self, values, pick=None):
        c = self.columns if pick is None else {name: column[pick] for name, column in self.columns.items()}
        get = lambda which, none: np.where(c[which] >= 0, values[c[which]], none)
        arithmetic = c["gemm"] * get("arithmetic", 0) * get("grad", 1)
        passes = c["passes"] * get("by_bytes", 1) * get("factor", 1)
        kernel = np.maximum(arithmetic, passes) + c["passes"] * get("layout", 0)
        seconds = (kernel + self.table["kernel_seconds"][0]) * c["times"]
        return np.log(np.maximum(np.bincount(c["row"], weights=seconds, minlength=len(self.measured)), 1e-12))

    def fit(self, train, prior):
        """Drawn towards the prior, so that what the rows cannot tell stays; soft, so that outliers do not decide."""
        used = np.isin(self.columns["row"], np.flatnonzero(train))
        pick = np.flatnonzero(used)
        free = np.array([not KEPT_AS_FITTED_ELSEWHERE.match(name) for name in self.names])
        low = np.log([max(self.table[name][1], 1e-3) for name in self.names])[free]
        high = np.log([self.table[name][2] for name in self.names])[free]
        weight = np.sqrt(200 / max(train.sum(), 200))

        def values_of(logs):
            values = prior.copy()
            values[free] = np.exp(logs)
            return values

        def residuals(logs):
            off = (self.log_predicted(values_of(logs), pick) - self.log_time)[train]
            soft = np.sign(off) * np.sqrt(0.02 * (np.sqrt(1 + off * off / 0.01) - 1))
            return np.concatenate([weight * soft, 0.12 * (logs - np.log(prior[free]))])

        start = np.clip(np.log(prior[free]), low + 1e-6, high - 1e-6)
        return values_of(least_squares(residuals, start, bounds=(low, high), max_nfev=8).x)


def errors(rows, off):
    """Rows, median of predicted / measured, median error and the error that nine of ten stay below, by set."""
    groups = collections.defaultdict(list)
    for label, value in zip(rows.label, off):
        if not np.isnan(value):
            groups[label].append(value)
    for label, values in sorted(groups.items()):
        ratio = np.exp(np.array(values))
        yield " ".join(label), len(ratio), np.median(ratio), np.median(abs(ratio - 1)), np.quantile(abs(ratio - 1), 0.9)


def tell(rows, off, title):
    print(title)
    for label, count, bias, median, p90 in errors(rows, off):
        print(f"  {label:44} {count:5} rows  predicted/measured {bias:.3f}  median error {median:.3f}  90 % {p90:.3f}")


def held_out(rows, prior):
    """Inference: a card and a third of the families at once. Training rows are of one card: families."""
    off = np.full(len(rows.measured), np.nan)
    families = sorted(set(rows.family))
    for third in range(3):
        away = np.isin(rows.family, families[third::3])
        values = rows.fit(~away, prior)
        test = away & rows.trains
        off[test] = (rows.log_predicted(values) - rows.log_time)[test]
        for gpu in CARDS:
            card = (rows.gpu == gpu) & ~rows.trains
            values = rows.fit(~away & ~card, prior)
            test = away & card
            off[test] = (rows.log_predicted(values) - rows.log_time)[test]
    return off


def write(names, values):
    text = TABLE.read_text()
    for name, value in zip(names, values):
        text = re.sub(rf"^(PLIM_TORCH\({name}, )[^,]+", rf"\g<1>{value:.4g}", text, flags=re.M)
    TABLE.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    table = read_table()
    rows = Rows(table)
    now = np.array([table[name][0] for name in table])
    prior = np.array([table[name][0 if KEPT_AS_FITTED_ELSEWHERE.match(name) else 3] for name in table])
    print(f"{len(rows.measured)} rows, {len(rows.columns['row'])} kernels, {len(table)} numbers")
    tell(rows, rows.log_predicted(now) - rows.log_time, "with the table as it is")
    if arguments.write:
        values = rows.fit(np.ones(len(rows.measured), bool), prior)
        tell(rows, rows.log_predicted(values) - rows.log_time, "fitted on all of them")
        write(rows.names, values)
    else:
        off = held_out(rows, prior)
        tell(rows, off, "held out: a card and a third of the families (inference), families (training)")
        with LEFT_OUT.open("w") as file:
            file.write("set,rows,bias,median,p90\n")
            for label, count, bias, median, p90 in errors(rows, off):
                file.write(f"{label},{count},{bias:.3f},{median:.4f},{p90:.4f}\n")


if __name__ == "__main__":
    main()
