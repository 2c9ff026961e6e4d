#!/usr/bin/env python3
"""Steps with threads that the system may move, beside steps with threads pinned to cores (OMP_PROC_BIND), in turn.

usage: pinned.py PLIMSOLL [--threads N] [--rounds 3] [NETWORK:BATCH …]

Every round measures each case both ways, one behind the other; the fastest step of all rounds counts. The last line is
the geometric mean of the ratios: above 1 the pinned threads are faster.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

from cases import add_cases, checked_cases

CASES = ["lenet5:128", "alexnet:8", "resnet18:8", "mobilenet_v2:8", "densenet121:8"]
MODES = ["train", "inference"]


def step_seconds(program, threads, case, mode, pinned):
    network, batch = case.split(":")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    if pinned:
        environment["OMP_PROC_BIND"] = "true"
    done = subprocess.run([program, "bench", network, "--batch", batch, "--mode", mode, "--threads", str(threads),
                           "--seconds", "1", "--json"], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)["runs"][0]["fastest_step_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_intermixed_args()
    arguments.cases = checked_cases(parser, arguments.cases, CASES)
    fastest = {}
    for _ in range(arguments.rounds):
        for case in arguments.cases:
            for mode in MODES:
                for pinned in (False, True):
                    seconds = step_seconds(arguments.program, arguments.threads, case, mode, pinned)
                    key = (case, mode, pinned)
                    fastest[key] = min(seconds, fastest.get(key, seconds))
    print(f"{'network:batch':16} {'mode':10} {'free':>10} {'pinned':>10} {'free / pinned':>14}")
    ratios = []
    for case in arguments.cases:
        for mode in MODES:
            free, pinned = fastest[case, mode, False], fastest[case, mode, True]
            ratios.append(free / pinned)
            print(f"{case:16} {mode:10} {free * 1e3:7.2f} ms {pinned * 1e3:7.2f} ms {ratios[-1]:14.2f}")
    print(f"geometric mean {statistics.geometric_mean(ratios):.3f}")


if __name__ == "__main__":
    main()
