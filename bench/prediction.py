#!/usr/bin/env python3
"""Predicted steps beside measured ones, on this machine after `plimsoll probe`.

usage: prediction.py PLIMSOLL [--batches 4,16] [--mode train|inference] [--rounds 2] [--conv WAY] [--csv] [NETWORK …]

Without names: one or two networks of each family. Of every round the fastest step counts, since whatever else runs can
only make it slower; rounds go over the whole list, so that a busy minute spoils no network alone. The last line is the
mean of the absolute deviations.
"""
import argparse
import json
import subprocess
import sys

NETWORKS = ["lenet5", "alexnet", "vgg11", "vgg16", "googlenet_bn", "resnet18", "resnet50", "resnext50_32x4d",
            "densenet121", "mobilenet_v2", "mobilenet_v3_large", "squeezenet1_1", "shufflenet_v2_x1_0",
            "efficientnet_b0", "mnasnet1_0", "inception_v3", "regnet_y_400mf", "convnext_tiny", "vit_b_16",
            "fmnist_cnn", "convergence"]


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"{command} ended with {done.returncode}")
    return json.loads(done.stdout)


def measure(arguments, network, batch):
    command = [arguments.program, "bench", network, "--batch", str(batch), "--mode", arguments.mode, "--seconds",
               arguments.seconds, "--steps", "3", "--warm-up", "1", "--json"]
    if arguments.conv:
        command += ["--conv", arguments.conv]
    return answer(command)["runs"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--batches", default="4,16")
    parser.add_argument("--mode", default="train")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", default="0.5")
    parser.add_argument("--conv", default="")
    parser.add_argument("--csv", action="store_true", help="lines of network,batch,predicted,measured")
    arguments = parser.parse_intermixed_args()
    known = {model["name"] for model in answer([arguments.program, "models", "--json"])["models"]}
    networks = arguments.networks or [name for name in NETWORKS if name in known]
    cases = [(network, int(batch)) for network in networks for batch in arguments.batches.split(",")]
    best = {}
    for _ in range(arguments.rounds):
        for case in cases:
            run = measure(arguments, *case)
            if run["predicted_step_seconds"] is None:
                sys.exit("this machine was not measured yet: run 'plimsoll probe'")
            if case not in best or run["fastest_step_seconds"] < best[case]["fastest_step_seconds"]:
                best[case] = run
    print("network,batch,predicted,measured" if arguments.csv else
          f"{'network':20} {'batch':>5} {'predicted':>12} {'measured':>12} {'off':>8}")
    deviations = []
    for (network, batch), run in best.items():
        predicted, measured = run["predicted_step_seconds"], run["fastest_step_seconds"]
        deviations.append(abs(predicted / measured - 1))
        if arguments.csv:
            print(f"{network},{batch},{predicted:.6g},{measured:.6g}")
        else:
            print(f"{network:20} {batch:>5} {predicted * 1e3:9.1f} ms {measured * 1e3:9.1f} ms "
                  f"{(predicted / measured - 1) * 100:+7.1f} %")
    print(f"mean deviation {100 * sum(deviations) / len(deviations):.1f} % of {len(deviations)} steps",
          file=sys.stderr if arguments.csv else sys.stdout)


if __name__ == "__main__":
    main()
