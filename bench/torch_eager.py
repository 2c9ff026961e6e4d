#!/usr/bin/env python3
"""Steps on torch:cpu beside the same steps in PyTorch: eager, where the kernels are the same ones, so that the ratio is
what our calls, copies and memory plan cost or save; and compiled, where PyTorch makes kernels of its own.

usage: torch_eager.py PLIMSOLL [--python PYTHON] [--rounds 5] [--seconds 2] [--ways contiguous,compiled] [--markdown]
                      [NETWORK:BATCH …]

PYTHON has torch, torchvision and, for networks of tokens, transformers; Plimsoll opens the libtorch of the same
environment. All run on one thread, in turn, and what counts is the time of the processor, not of the clock: other work
on the machine changes it little. Each process tells the median of its steps; what is printed are the medians of the
rounds, and the median of the ratios of each round: above 1 Plimsoll takes longer. It ends with 1 where it takes more
than 5 % longer than eager.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys

from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["lenet5:128", "fmnist_cnn:64", "convergence:64", "alexnet:8", "googlenet_bn:2", "resnet18:2", "densenet121:1",
         "mobilenet_v2:2", "convnext_tiny:1", "vit_b_16:1"]
WAYS = {"contiguous": "eager", "compiled": "compiled"}
ALLOWED = 1.05


def processor_seconds(command, environment, read):
    """Of a step, as the command tells it."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return read(json.loads(done.stdout))["processor_seconds"]


class Round:
    """All that is run once for a case, one after the other."""

    def __init__(self, arguments, case):
        self.arguments = arguments
        self.network, self.batch = case.split(":")
        prefix = os.path.dirname(os.path.dirname(os.path.abspath(arguments.python)))
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", PLIMSOLL_TORCH=prefix)

    def ours(self):
        return processor_seconds([self.arguments.program, "bench", self.network, "--device", "torch:cpu", "--batch",
                                  self.batch, "--threads", "1", "--seconds", str(self.arguments.seconds), "--steps",
                                  "5", "--warm-up", "3", "--json"], self.environment, lambda told: told["runs"][0])

    def theirs(self, way):
        return processor_seconds([self.arguments.python, "-B", os.path.join(HERE, "torch_step.py"), self.network,
                                  self.batch, "1", "train", str(self.arguments.seconds), way, "5"], self.environment,
                                 lambda told: told)

    def times(self):
        return {"ours": self.ours(), **{way: self.theirs(way) for way in self.arguments.ways}}


def measured(arguments, case):
    """{who: (seconds, our seconds in relation to them)}"""
    rounds = [Round(arguments, case).times() for _ in range(arguments.rounds)]
    return {who: (statistics.median(each[who] for each in rounds),
                  statistics.median(each["ours"] / each[who] for each in rounds)) for who in rounds[0]}


def cells_of(case, row):
    cells = [case, f"{row['ours'][0] * 1e3:.2f} ms"]
    for way in WAYS:
        if way in row:
            cells += [f"{row[way][0] * 1e3:.2f} ms", f"{row[way][1]:.3f}"]
    return cells


def line_of(cells, markdown):
    if markdown:
        return "| " + " | ".join(cells) + " |"
    return cells[0].ljust(20) + "".join(cell.rjust(14) for cell in cells[1:])


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="measure each at least for so long")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"of PyTorch: {', '.join(WAYS)}")
    parser.add_argument("--markdown", action="store_true", help="rows of a table for documents")
    arguments = parser.parse_intermixed_args()
    arguments.ways = arguments.ways.split(",")
    unknown = [way for way in arguments.ways if way not in WAYS]
    if unknown:
        parser.error(f"--ways {unknown[0]!r}: expected some of {', '.join(WAYS)}")
    arguments.cases = checked_cases(parser, arguments.cases, CASES)
    return arguments


def main():
    arguments = parsed()
    titles = ["Network:batch", "torch:cpu"]
    for way in arguments.ways:
        titles += [WAYS[way], "ratio"]
    print(line_of(titles, arguments.markdown), flush=True)
    if arguments.markdown:
        print("|---|" + "---:|" * (len(titles) - 1), flush=True)
    largest = {}
    for case in arguments.cases:
        row = measured(arguments, case)
        print(line_of(cells_of(case, row), arguments.markdown), flush=True)
        for way in arguments.ways:
            largest[way] = max(largest.get(way, (0, "")), (row[way][1], case))
    for way, (ratio, case) in largest.items():
        print(f"Largest ratio to {WAYS[way]}: {ratio:.3f} ({case}).")
    sys.exit(largest.get("contiguous", (0, ""))[0] > ALLOWED)


if __name__ == "__main__":
    main()
