#!/usr/bin/env python3
"""Peak memory of training steps, as the system counts it from outside, beside what `fit --device this` said before.

usage: memory.py PLIMSOLL [--batches 1,2,4] [--mode train|inference] [NETWORK …]

Without names: the whole zoo. The last line tells how many lie within 2 % or 16 MiB, whichever is larger.
"""
import argparse
import json
import subprocess


def answer(command):
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--batches", default="1,2,4")
    parser.add_argument("--mode", default="train")
    arguments = parser.parse_intermixed_args()
    networks = arguments.networks
    if not networks:
        networks = [model["name"] for model in answer([arguments.program, "models", "--json"])["models"]]
    within = count = 0
    print(f"{'network':20} {'batch':>5} {'fit':>12} {'measured':>12} {'difference':>12}")
    for network in networks:
        for batch in arguments.batches.split(","):
            same = [network, "--batch", batch, "--mode", arguments.mode, "--json"]
            fit = answer([arguments.program, "fit", "--device", "this", "--load-line", "1.0", *same])
            if not fit["fits"]:
                print(f"{network:20} {batch:>5} {fit['peak_bytes'] / 2**20:8.1f} MiB  does not fit here", flush=True)
                continue
            run = answer([arguments.program, "bench", "--warm-up", "0", "--steps", "1", "--seconds", "0",
                          *same])["runs"][0]
            off = run["peak_bytes"] - fit["peak_bytes"]
            good = abs(off) <= max(0.02 * fit["peak_bytes"], 16 * 2**20)
            within, count = within + good, count + 1
            print(f"{network:20} {batch:>5} {fit['peak_bytes'] / 2**20:8.1f} MiB {run['peak_bytes'] / 2**20:8.1f} MiB "
                  f"{off / 2**20:+8.1f} MiB{'' if good else '  too far'}", flush=True)
    print(f"{within} of {count} within 2 % or 16 MiB")


if __name__ == "__main__":
    main()
