#!/usr/bin/env python3
"""What the two numbers of `devices calibrate` bring on a card that took no part: for each card the table of
src/plan/time/torch_parameters.inc is fitted without it and without a third of the families (as fit_gpu_time.py does);
then its product rate and bandwidth are fitted to a few networks of the card, of other families than those that are
looked at, by the rule of src/plan/verdict/measured_runs.cpp.

    calibration_left_out.py [--given 6] [--draws 20]     also to tests/accuracy/left_out_calibrated.csv

Needs numpy and scipy.
"""

import argparse
import csv

import numpy as np

import fit_gpu_time as fitting

OUT = fitting.ROOT / "tests/accuracy/left_out_calibrated.csv"
USUAL, DRAW = 0.1, 0.16  # as kUsual and kDraw of measured_runs.cpp


class Scaled:
    """The times of some rows of one card as functions of two factors: on the rate and on the bandwidth."""

    def __init__(self, rows, values, chosen):
        pick = np.flatnonzero(np.isin(rows.columns["row"], chosen))
        c = {name: column[pick] for name, column in rows.columns.items()}
        get = lambda which, none: np.where(c[which] >= 0, values[c[which]], none)
        self.arithmetic = c["gemm"] * get("arithmetic", 0) * get("grad", 1)
        self.passes = c["passes"] * get("by_bytes", 1) * get("factor", 1)
        self.layout = c["passes"] * get("layout", 0)
        self.start = rows.table["kernel_seconds"][0]
        self.times, self.of = c["times"], np.searchsorted(chosen, c["row"])
        self.log_time = rows.log_time[chosen]

    def off(self, rate, bandwidth):
        """Logarithms of predicted over measured."""
        kernel = np.maximum(self.arithmetic / rate, self.passes / bandwidth) + self.layout / bandwidth
        seconds = np.bincount(self.of, weights=(kernel + self.start) * self.times, minlength=len(self.log_time))
        return np.log(seconds) - self.log_time


def calibrated(given):
    """Both factors, by softened least squares of the logarithms, drawn towards 1."""
    best = None
    for rate in np.linspace(-0.45, 0.45, 31):
        for bandwidth in np.linspace(-0.45, 0.45, 31):
            off = given.off(np.exp(rate), np.exp(bandwidth))
            cost = np.sum(2 * USUAL**2 * (np.sqrt(1 + (off / USUAL) ** 2) - 1)) + DRAW * (rate**2 + bandwidth**2)
            if best is None or cost < best[0]:
                best = cost, np.exp(rate), np.exp(bandwidth)
    return best[1:]


def looked_at(rows, gpu, given, draws, prior, random):
    """|predicted / measured - 1| before and after, of every row of a family that took no part."""
    before, after, factors = [], [], []
    families = sorted(set(rows.family))
    plain = np.array([label[2] == "nchw" and label[3] == "eager" for label in rows.label]) & ~rows.trains
    card = (rows.gpu == gpu) & plain
    for third in range(3):
        away = np.isin(rows.family, families[third::3])
        values = rows.fit(plain & ~away & (rows.gpu != gpu), prior)
        test = Scaled(rows, values, np.flatnonzero(card & away))
        before.append(abs(np.exp(test.off(1, 1)) - 1))
        known = np.flatnonzero(card & ~away)
        for _ in range(draws):
            chosen = np.sort(random.choice(known, given, replace=False))
            found = calibrated(Scaled(rows, values, chosen))
            factors.append(found)
            after.append(abs(np.exp(test.off(*found)) - 1))
    return np.concatenate(before), np.concatenate(after), np.median(factors, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--given", type=int, default=6, help="networks of the card that are measured")
    parser.add_argument("--draws", type=int, default=20, help="times that they are drawn, for each third")
    asked = parser.parse_args()
    table = fitting.read_table()
    rows = fitting.Rows(table)
    held = fitting.KEPT_AS_FITTED_ELSEWHERE
    prior = np.array([table[name][0 if held.match(name) else 3] for name in table])
    random = np.random.default_rng(0)
    with OUT.open("w") as file:
        told = csv.writer(file, lineterminator="\n")
        told.writerow(["card", "given", "median_before", "median_after", "rate", "bandwidth"])
        for gpu in fitting.CARDS:
            before, after, (rate, bandwidth) = looked_at(rows, gpu, asked.given, asked.draws, prior, random)
            print(f"{gpu}: {np.median(before):.1%} by the data sheet, {np.median(after):.1%} with {asked.given} "
                  f"networks measured (rate × {rate:.2f}, bandwidth × {bandwidth:.2f})", flush=True)
            told.writerow([gpu, asked.given, f"{np.median(before):.4f}", f"{np.median(after):.4f}", f"{rate:.3f}",
                           f"{bandwidth:.3f}"])


if __name__ == "__main__":
    main()
