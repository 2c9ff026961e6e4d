#!/usr/bin/env python3
"""Steps on torch:cpu beside the same steps in PyTorch's eager mode: the kernels are the same ones, so the ratio is what
our calls, copies and memory plan cost or save.

usage: torch_eager.py PLIMSOLL [--python PYTHON] [--rounds 3] [--steps 20] [NETWORK:BATCH …]

PYTHON has torch and torchvision; Plimsoll opens the libtorch of the same environment. Both run on one thread, in turn,
and what counts is the time of the processor, not of the clock: other work on the machine changes it little. Each is run
for few and for many steps; the difference is that of the steps alone. The smallest of all rounds counts. The last line
is the largest ratio: above 1 Plimsoll takes longer.
"""
import argparse
import os
import shlex
import subprocess
import sys

from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["lenet5:128", "fmnist_cnn:64", "convergence:64", "alexnet:8", "googlenet_bn:2", "resnet18:2", "densenet121:1",
         "mobilenet_v2:2", "squeezenet1_1:4", "vgg11:1"]
FEW = 2


def processor_seconds(command, environment):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    problem = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({process.returncode}): {problem.decode().strip()[-400:]}")
    return usage.ru_utime + usage.ru_stime


def a_step(command_of, environment, steps):
    few, many = (processor_seconds(command_of(str(count)), environment) for count in (FEW, FEW + steps))
    return (many - few) / steps


def measure(arguments, case):
    """(ours, eager): seconds of the processor that a step takes."""
    network, batch = case.split(":")
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(arguments.python)))
    environment = dict(os.environ, OMP_NUM_THREADS="1", PLIMSOLL_TORCH=prefix)
    ours = a_step(lambda steps: [arguments.program, "bench", network, "--device", "torch:cpu", "--batch", batch,
                                 "--threads", "1", "--seconds", "0", "--steps", steps, "--json"],
                  environment, arguments.steps)
    eager = a_step(lambda steps: [arguments.python, "-B", os.path.join(HERE, "torch_step.py"), network, batch, "1",
                                  "train", "0", "contiguous", steps], environment, arguments.steps)
    return ours, eager


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_intermixed_args()
    largest = 0
    for case in checked_cases(parser, arguments.cases, CASES):
        rounds = [measure(arguments, case) for _ in range(arguments.rounds)]
        ours, eager = (min(times) for times in zip(*rounds))
        largest = max(largest, ours / eager)
        print(f"{case:20s} torch:cpu {ours * 1000:9.2f} ms, eager {eager * 1000:9.2f} ms, ratio {ours / eager:.3f}",
              flush=True)
    print(f"largest ratio: {largest:.3f}")


if __name__ == "__main__":
    main()
