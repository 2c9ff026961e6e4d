#!/usr/bin/env python3
"""Fits PyTorch's memory profile to the published measurements and writes src/plan/memory/framework_fitted.h.

Only the context is fitted: for each measured GPU the constant that leaves the smallest sum of relative errors, from
these the stacks of a multiprocessor and the kernel code of GPUs without and with tensor cores. The replay of the
allocator has no constants to fit, but its choices were made with these rows in view: SGD with momentum, gradients that
stay, and which generation takes scratch memory. So the figures are of rows that were fitted to, and the errors that are
printed with one network or one GPU left out refit the context alone.

    tools/fit_memory_profile.py build/tests/numeric_tests
"""
import collections
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MIB = 1 << 20
ROOM = pathlib.Path(__file__).resolve().parent.parent / "src/plan/memory"
TARGET = ROOM / "framework_fitted.h"
SAFE = 1.01
SPREAD = float(re.search(r"kSpread = ([\d.]+);", (ROOM / "framework_peak.cpp").read_text(encoding="utf-8"))[1])
TEMPLATE = """// Written by tools/fit_memory_profile.py; a test holds it to the measurements. Do not edit.
#pragma once

#include <string_view>

#include "base/units.h"

namespace plimsoll {{

// PyTorch's context: code of a GPU without and with tensor cores, and stacks of each multiprocessor.
inline constexpr Bytes kPlainCode({plain});
inline constexpr Bytes kTensorCode({tensor});
inline constexpr Bytes kUnitStacks({unit});

inline constexpr int64_t kFittedRows = {rows};
inline constexpr double kFittedMedianError = {median:.9f};
inline constexpr double kFittedLargestError = {largest:.9f};
inline constexpr double kFittedOutside = {outside:.9f};
inline constexpr std::string_view kFittedSource = "SchedTune, PyTorch f32 training on {gpus} GPUs";

}}  // namespace plimsoll
"""


def read_rows(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        subprocess.run([program, "--gtest_filter=MemoryProfile.PyTorch*"],
                       env={**os.environ, "PLIM_PROFILE_ROWS": path}, stdout=subprocess.DEVNULL, check=False)
        with open(path, encoding="utf-8") as file:
            return [{k: v if k in ("model", "device", "generation") else int(v) for k, v in row.items()}
                    for row in csv.DictReader(file)]


def median(numbers):
    numbers = sorted(numbers)
    return (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2


def constant_of(rows):
    """The context c with the smallest sum of |held + c - measured| / measured: a weighted median. Measured a little
    higher than it was: what is said too low ends a run."""
    pairs = sorted((row["measured"] * SAFE - row["held"], 1 / row["measured"]) for row in rows)
    half, passed = sum(weight for _, weight in pairs) / 2, 0
    for value, weight in pairs:
        passed += weight
        if passed >= half:
            return value
    raise ValueError("no rows")


def fit(rows):
    """(plain code, tensor code, unit stacks); a part that the rows cannot tell is None."""
    gpus = collections.defaultdict(list)
    for row in rows:
        gpus[row["generation"], row["units"]].append(row)
    constants = {gpu: constant_of(some) for gpu, some in gpus.items()}
    tensor = sorted((units, value) for (generation, units), value in constants.items() if generation != "kepler")
    plain = [(units, value) for (generation, units), value in constants.items() if generation == "kepler"]
    unit = (tensor[-1][1] - tensor[0][1]) / (tensor[-1][0] - tensor[0][0]) if len(tensor) > 1 else None
    stacks = unit if unit is not None else 0
    tensor_code = median(value - stacks * units for units, value in tensor) if tensor else None
    plain_code = median(value - stacks * units for units, value in plain) if plain else None
    return plain_code, tensor_code, unit


def context(row, fitted):
    plain, tensor, unit = fitted
    code = plain if row["generation"] == "kepler" else tensor
    if code is None:
        code = plain if tensor is None else tensor
    return round(code) + round(unit or 0) * row["units"]


def errors(rows, fitted):
    return [(row["held"] + context(row, fitted)) / row["measured"] - 1 for row in rows]


def summary(found):
    sizes = [abs(error) for error in found]
    outside = sum(not 1 / SPREAD <= 1 / (1 + error) <= SPREAD for error in found) / len(found)
    return median(sizes), max(sizes), outside


def left_out(rows, key):
    for value in sorted({row[key] for row in rows}):
        fitted = fit([row for row in rows if row[key] != value])
        some = [row for row in rows if row[key] == value]
        figures = summary(errors(some, fitted))
        print("without {:24} median {:6.2%}  largest {:6.2%}  outside {:6.2%}".format(value, *figures))


def main():
    rows = read_rows(sys.argv[1])
    fitted = fit(rows)
    plain, tensor, unit = (round(part) for part in fitted)
    for name, part in (("plain code", plain), ("tensor code", tensor), ("a unit's stacks", unit)):
        print(f"{name:16} {part / MIB:8.1f} MiB")
    print("all: median {:.2%}, largest {:.2%}, outside {:.2%}".format(*summary(errors(rows, fitted))))
    left_out(rows, "model")
    left_out(rows, "device")
    if "--worst" in sys.argv:
        for row, error in sorted(zip(rows, errors(rows, fitted)), key=lambda pair: -abs(pair[1]))[:15]:
            print(f'{row["model"]:12} {row["batch"]:3} {row["device"]:22} {error:+.1%}')
    middle, largest, outside = summary(errors(rows, fitted))
    TARGET.write_text(TEMPLATE.format(plain=plain, tensor=tensor, unit=unit, rows=len(rows), median=middle,
                                      largest=largest, outside=outside, gpus=len({row["device"] for row in rows})),
                      encoding="utf-8")


if __name__ == "__main__":
    main()
