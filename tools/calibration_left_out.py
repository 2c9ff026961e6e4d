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
import gpu_facts

OUT = fitting.ROOT / "tests/accuracy/left_out_calibrated.csv"
USUAL, DRAW = 0.1, 0.16  # as kUsual and kDraw of measured_runs.cpp


class Scaled:
    """The times of some rows of one card as functions of two factors: on the rate and on the bandwidth."""

    def __init__(self, rows, values, chosen):
        some = rows.only(chosen)
        factors = np.append(values, 1.0)[some.combinations].prod(axis=1)
        arithmetic, passes, copies = (some.seconds * factors[some.which]).T
        # Depthwise convolutions run on the general units, whose rate is not that of products.
        names = np.array(rows.table.names + [""])
        aside = np.char.startswith(names, "depthwise_")[some.combinations].any(axis=1)[some.which[:, 0]]
        self.products, self.others = np.where(aside, 0, arithmetic), np.where(aside, arithmetic, 0)
        self.passes, self.copies = passes, copies
        self.start, self.of = some.repeat * rows.table.start, some.row
        self.log_time = some.log_time

    def off(self, rate, bandwidth):
        """Logarithms of predicted over measured."""
        kernel = np.maximum(self.products / rate + self.others, self.passes / bandwidth) + self.copies / bandwidth
        return np.log(np.bincount(self.of, kernel + self.start, len(self.log_time))) - self.log_time


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


def looked_at(rows, strangers, card, given, draws, random):
    """|predicted / measured - 1| before and after, of every row of a family that took no part."""
    before, after, factors = [], [], []
    families = sorted(set(rows.family))
    of_card = (rows.device == card) & np.array([label.endswith("nchw eager") for label in rows.label])
    of_card &= rows.set == "timm_infer"
    for third in range(3):
        away = np.isin(rows.family, families[third::3])
        values = rows.fit(~away & (rows.device != card))
        test = Scaled(strangers, values, of_card & away)
        before.append(abs(np.exp(test.off(1, 1)) - 1))
        known = np.flatnonzero(of_card & ~away)
        for _ in range(draws):
            chosen = np.isin(np.arange(len(rows.runs)), random.choice(known, given, replace=False))
            found = calibrated(Scaled(strangers, values, chosen))
            factors.append(found)
            after.append(abs(np.exp(test.off(*found)) - 1))
    return np.concatenate(before), np.concatenate(after), np.median(factors, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--given", type=int, default=6, help="networks of the card that are measured")
    parser.add_argument("--draws", type=int, default=20, help="times that they are drawn, for each third")
    asked = parser.parse_args()
    table, cases = fitting.Table(), list(gpu_facts.timm())
    rows, strangers = fitting.read_rows(table, cases), fitting.read_rows(table, fitting.as_strangers(cases))
    random = np.random.default_rng(0)
    with OUT.open("w") as file:
        told = csv.writer(file, lineterminator="\n")
        told.writerow(["card", "given", "median_before", "median_after", "rate", "bandwidth"])
        for name, card in gpu_facts.TIMM_CARDS.items():
            before, after, (rate, bandwidth) = looked_at(rows, strangers, card, asked.given, asked.draws, random)
            print(f"{name}: {np.median(before):.1%} by the data sheet, {np.median(after):.1%} with {asked.given} "
                  f"networks measured (rate × {rate:.2f}, bandwidth × {bandwidth:.2f})", flush=True)
            told.writerow([name, asked.given, f"{np.median(before):.4f}", f"{np.median(after):.4f}", f"{rate:.3f}",
                           f"{bandwidth:.3f}"])


if __name__ == "__main__":
    main()
