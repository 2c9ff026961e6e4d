#!/usr/bin/env python3
"""Steps on torch:cpu beside the same steps in PyTorch's eager mode, in turn: the kernels are the same ones, so the
ratio is what our calls, copies and memory plan cost or save.

usage: torch_eager.py PLIMSOLL [--python PYTHON] [--threads 1] [--rounds 3] [--seconds 2] [NETWORK:BATCH …]

PYTHON has torch and torchvision; Plimsoll opens the libtorch of the same environment. The fastest step of all rounds
counts. The last line is the largest ratio: at 1.00 both take the same time, above it Plimsoll takes longer.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys

from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["lenet5:128", "fmnist_cnn:64", "convergence:64", "alexnet:8", "googlenet_bn:4", "resnet18:4", "densenet121:2",
         "mobilenet_v2:4", "squeezenet1_1:8", "vgg11:2"]


def fastest_step(command, environment, read):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return read(json.loads(done.stdout))["fastest_step_seconds"]


def measure(arguments, case):
    """(ours, eager): seconds of the fastest step of each."""
    network, batch = case.split(":")
    threads, seconds = str(arguments.threads), str(arguments.seconds)
    environment = dict(os.environ, OMP_NUM_THREADS=threads)
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(arguments.python)))
    ours = fastest_step([arguments.program, "bench", network, "--device", "torch:cpu", "--batch", batch, "--threads",
                         threads, "--seconds", seconds, "--json"], dict(environment, PLIMSOLL_TORCH=prefix),
                        lambda answer: answer["runs"][0])
    eager = fastest_step([arguments.python, "-B", os.path.join(HERE, "torch_step.py"), network, batch, threads, "train",
                          seconds, "contiguous"], environment, lambda answer: answer)
    return ours, eager


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_intermixed_args()
    cases = checked_cases(parser, arguments.cases, CASES)
    largest = 0
    for case in cases:
        rounds = [measure(arguments, case) for _ in range(arguments.rounds)]
        ours, eager = (min(times) for times in zip(*rounds))
        largest = max(largest, ours / eager)
        print(f"{case:20s} torch:cpu {ours * 1000:9.2f} ms, eager {eager * 1000:9.2f} ms, ratio {ours / eager:.3f}",
              flush=True)
    print(f"largest ratio: {largest:.3f}")


if __name__ == "__main__":
    main()
