#!/usr/bin/env python3
"""Trains a network on CIFAR-10 with direct and with Winograd convolutions, three seeds each, and prints where it ends.

usage: conv_accuracy.py PLIMSOLL [--threads N]

Finished runs are kept in docs/runs/conv_accuracy.json and not made again; one that was stopped goes on from its last
checkpoint in build/conv_accuracy. Two hours of one core from nothing.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(ROOT, "docs", "runs", "conv_accuracy.json")
RECIPE = ("resnet9_half --data cifar10 --validation 0 --epochs 4 --batch 128 --optimizer nesterov --lr 0.15 "
          "--schedule cosine --warmup 1epoch --weight-decay 5e-4 --label-smoothing 0.1 --normalise standard "
          "--augment flip,shift:4")
WAYS = ["direct", "winograd"]
SEEDS = [1, 2, 3]


def kept():
    if not os.path.exists(KEPT):
        return {}
    with open(KEPT, encoding="utf-8") as file:
        return json.load(file)["test_accuracy"]


def keep(accuracies):
    with open(KEPT + ".part", "w", encoding="utf-8") as file:
        json.dump({"command": "plimsoll train " + RECIPE, "test_accuracy": accuracies}, file, indent=1)
        file.write("\n")
    os.replace(KEPT + ".part", KEPT)


def test_accuracy(arguments, way, seed):
    folder = os.path.join(ROOT, "build", "conv_accuracy", f"{way}-{seed}")
    if os.path.exists(os.path.join(folder, "last.json")):
        words = ["--resume"]
    else:
        shutil.rmtree(folder, ignore_errors=True)
        words = [*RECIPE.split(), "--seed", str(seed), "--conv", way]
    command = [arguments.program, "train", *words, "--threads", str(arguments.threads), "--run-dir", folder, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{way}, seed {seed}: exit code {done.returncode}")
    shutil.rmtree(folder)
    return json.loads(done.stdout)["test_accuracy"]


def table(accuracies):
    yield f"`plimsoll train {RECIPE}`, test accuracy:\n"
    yield "| convolutions | " + " | ".join(f"seed {seed}" for seed in SEEDS) + " | mean |"
    yield "|---|" + "---:|" * (len(SEEDS) + 1)
    means = {}
    for way in WAYS:
        found = [accuracies[f"{way} {seed}"] for seed in SEEDS]
        means[way] = statistics.mean(found)
        yield f"| {way} | " + " | ".join(f"{one * 100:.2f} %" for one in [*found, means[way]]) + " |"
    yield f"\nWinograd ends {(means['winograd'] - means['direct']) * 100:+.2f} points from direct, in the mean."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    accuracies = kept()
    for seed in SEEDS:
        for way in WAYS:
            if f"{way} {seed}" not in accuracies:
                accuracies[f"{way} {seed}"] = test_accuracy(arguments, way, seed)
                keep(accuracies)
    print("\n".join(table(accuracies)))


if __name__ == "__main__":
    main()
