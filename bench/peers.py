#!/usr/bin/env python3
"""Training (or inference) steps of Plimsoll and of PyTorch, in turn, on the same networks, batches and threads.

usage: peers.py PLIMSOLL [--threads 2] [--mode train|inference] [--rounds 3] [NETWORK:BATCH …]

Each round runs both, one after the other, in processes of their own; what is printed is the ratio of the medians.
PyTorch runs in the memory format that is faster for it (NCHW or channels last). Absolute times are of this machine at
this hour; the ratio is what counts.
"""
import argparse
import json
import statistics
import subprocess
import sys

DEFAULT = ["alexnet:32", "resnet18:16", "resnet50:8", "googlenet_bn:16", "vgg16:4", "densenet121:8", "convergence:512"]


def plimsoll_step(program, network, batch, threads, mode, seconds):
    command = [program, "bench", network, "--batch", str(batch), "--threads", str(threads), "--mode", mode,
               "--seconds", str(seconds), "--steps", "3", "--json"]
    run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["runs"][0]
    return run["step_seconds"]


def torch_step(network, batch, threads, mode, seconds, layout):
    command = [sys.executable, __file__.replace("peers.py", "torch_step.py"), network, str(batch), str(threads), mode,
               str(seconds), layout]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["step_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*", default=DEFAULT)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mode", default="train", choices=["train", "inference"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    arguments = parser.parse_intermixed_args()
    print(f"{'network':16} {'batch':>5} {'plimsoll':>10} {'pytorch':>10} {'format':>14} {'ratio':>6}")
    ratios = []
    for case in arguments.cases or DEFAULT:
        network, batch = case.split(":")
        ours, theirs = [], {"contiguous": [], "channels_last": []}
        for _ in range(arguments.rounds):
            ours.append(plimsoll_step(arguments.program, network, int(batch), arguments.threads, arguments.mode,
                                      arguments.seconds))
            for layout, times in theirs.items():
                times.append(torch_step(network, int(batch), arguments.threads, arguments.mode, arguments.seconds,
                                        layout))
        layout = min(theirs, key=lambda name: statistics.median(theirs[name]))
        mine, other = statistics.median(ours), statistics.median(theirs[layout])
        ratios.append(other / mine)
        print(f"{network:16} {batch:>5} {mine * 1e3:8.1f}ms {other * 1e3:8.1f}ms {layout:>14} {other / mine:6.2f}",
              flush=True)
    print(f"geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
