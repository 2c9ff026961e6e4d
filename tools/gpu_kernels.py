"""Kernels of PyTorch that were measured alone, one call at a time, and the fit of the numbers that f32 products take:
the rates of their tiles. What passes of 32 bits cost (`…_full`) was set by hand with these in view; everything else
that such kernels take was fitted to whole networks (fit_gpu_time.py)."""

import collections
import json
import subprocess

import numpy as np
from scipy.optimize import least_squares

import gpu_facts

TILES = ["128x128", "128x64", "64x64", "128x32", "64x32", "32x32", "start", "bytes"]
BESIDE = 0.75  # of the host's quickest call: what lies between the events around a kernel besides the kernel itself
KINDS = {"bmm": "batched products", "addmm": "products", "mm": "products"}


def chip(device):
    """Cards of one chip are left out together."""
    return "a100" if "a100" in device else device


def maker(chip):
    return "amd" if chip.startswith("amd") else "nvidia"


class Kernels:
    """Cases, and how long each took."""

    def __init__(self, cases):
        self.cases = list(cases)
        self.lines = "\n".join(map(json.dumps, self.cases))
        self.runs = [case["runs"][0] for case in self.cases]
        self.chip = np.array([chip(run["device"]) for run in self.runs])
        self.name = np.array([case["ops"][0]["n"] for case in self.cases])
        self.log_time = np.log([run["seconds"] for run in self.runs])

    def only(self, chosen):
        return Kernels(case for case, take in zip(self.cases, chosen) if take)

    def predicted(self, program, floors, numbers=None):
        """log(seconds): a kernel and what surrounds it, at least what the host takes for the call."""
        given = ",".join(f"{name}={value}" for name, value in (numbers or {}).items())
        answers = subprocess.run([program, "--set", given], input=self.lines, text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.split()  # fmt: skip
        seconds = np.array(answers, float)
        if floors is None:  # times of the kernels alone
            self.waits = np.zeros(len(seconds), bool)
            return np.log(seconds)
        least = np.array([floors(name, card) for name, card in zip(self.name, self.chip)])
        beside = BESIDE * np.array([floors("element", card) for card in self.chip])
        self.waits = least > seconds + beside
        return np.log(np.maximum(seconds + beside, least))


class Floors:
    """What the host takes for a call, whatever its size: the quickest of the kind on the hosts of the maker's other
    cards."""

    def __init__(self, kernels):
        self.least = collections.defaultdict(lambda: np.inf)
        for name, card, log in zip(kernels.name, kernels.chip, kernels.log_time):
            key = self.kind(name), card
            self.least[key] = min(self.least[key], np.exp(log))

    @staticmethod
    def kind(name):
        return name if name in ("addmm", "bmm", "native_layer_norm", "_softmax") else "element"

    def __call__(self, name, card):
        others = [least for (kind, other), least in self.least.items()
                  if kind == self.kind(name) and other != card and maker(other) == maker(card)]  # fmt: skip
        return np.median(others) if others else self.least[self.kind(name), card]


def fit(program, products, floors):
    """The tiles' numbers; soft, so that outliers do not decide."""
    names = ["general_" + tile for tile in TILES]
    guess = np.log([1, 0.95, 0.85, 0.6, 0.6, 0.5, 15, 1.5])
    each = collections.Counter(products.chip)
    weight = np.array([1 / np.sqrt(each[card]) for card in products.chip])

    def residuals(logs):
        off = products.predicted(program, floors, dict(zip(names, np.exp(logs)))) - products.log_time
        soft = np.sign(off) * np.sqrt(0.02 * (np.sqrt(1 + off * off / 0.01) - 1))
        return np.concatenate([weight * soft, 0.02 * (logs - guess)])

    return dict(zip(names, np.exp(least_squares(residuals, guess, diff_step=0.02, max_nfev=15).x)))


def read():
    single = Kernels(gpu_facts.neusight())
    # Pascal's kernels and AMD's matrix units are others.
    general = np.isin(single.name, ["addmm", "bmm"]) & np.isin(
        single.chip, ["a100", "nvidia-v100-pcie-16gb", "nvidia-t4"])  # fmt: skip
    return single, single.only(general), Floors(single)


def fitted(program):
    _, products, floors = read()
    return fit(program, products, floors)


def held_out(program):
    """Labels and log(predicted / measured): every card by numbers that were fitted without it."""
    single, products, floors = read()
    without = {card: fit(program, products.only(products.chip != card), floors) for card in {*products.chip, ""}}
    labels, off = [], []
    sets = (Kernels(gpu_facts.vidur()), None), (single, floors), (Kernels(gpu_facts.transformers()), floors)
    for kernels, least in sets:
        for card in sorted(set(kernels.chip)):
            rows = kernels.only(kernels.chip == card)
            off.extend(rows.predicted(program, least, without.get(card, without[""])) - rows.log_time)
            labels.extend(f"{case['set']} {run['device']} " + ("host" if waits else KINDS.get(name, "passes"))
                          for case, run, name, waits in zip(rows.cases, rows.runs, rows.name, rows.waits))
    return labels, off
