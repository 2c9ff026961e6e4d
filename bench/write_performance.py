#!/usr/bin/env python3
"""Measures what docs/performance.md shows and writes it there: the parts between <!-- NAME --> and <!-- end NAME -->.

usage: write_performance.py PLIMSOLL [--threads N] [--rounds N] [PART …]

Parts: training inference profile prediction conv_ways conv_accuracy threads growth. Without names: all, which takes
about an hour. Let the machine be idle meanwhile, and probe it before.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
DOCUMENT = os.path.join(ROOT, "docs", "performance.md")
PROFILED = ["alexnet:32", "vgg16:4", "googlenet_bn:16", "resnet18:16", "resnet50:8", "densenet121:8",
            "mobilenet_v2:16", "convergence:512", "fmnist_cnn:128", "lenet5:128"]

# Two generations of Xeons and three GPUs: the machines of published figures of that kind.
OF_THE_FIGURE = ["intel-xeon-e5-2620-v4", "intel-xeon-platinum-8180", "nvidia-tesla-k40", "nvidia-quadro-p6000",
                 "nvidia-v100-32gb"]


def output(command):
    """What the command prints, run from the project's folder; its messages are passed on."""
    print("$ " + shlex.join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode})")
    return done.stdout.strip()


def peers(arguments, mode):
    return output(["bench/peers.py", arguments.program, "--mode", mode, "--threads", str(arguments.threads), "--rounds",
                   str(arguments.rounds), "--markdown"])


def training(arguments):
    return peers(arguments, "train")


def inference(arguments):
    return peers(arguments, "inference")


def prediction(arguments):
    command = ["bench/prediction.py", arguments.program, "--batches", "8"]
    return f"```\n$ {shlex.join(command)}\n{output(command)}\n```"


def rate(count, seconds):
    return f"{count / seconds / 1e9:.1f}" if count and seconds else "-"


def in_ms(seconds):
    return "-" if seconds is None else f"{seconds * 1e3:.2f}"


def profile_table(command, network, batch, run):
    found = run["profile"]
    share = f", {run['peak_share'] * 100:.0f} % of the peak" if run["peak_share"] else ""
    lines = [f"**{network}, batch {batch}**: {run['step_seconds'] * 1e3:.1f} ms a step{share}. `{command}`\n",
             "| kind | operations | ms | predicted | share | GFLOP/s | GB/s |", "|---|---:|---:|---:|---:|---:|---:|"]
    for kind in found["kinds"]:
        if kind["share"] >= 0.005:
            lines.append(f"| {kind['kind']} | {kind['operations']} | {kind['seconds'] * 1e3:.2f} | "
                         f"{in_ms(kind['predicted_seconds'])} | {kind['share'] * 100:.1f} % | "
                         f"{rate(kind['flops'], kind['seconds'])} | {rate(kind['moved_bytes'], kind['seconds'])} |")
    rest = found["outside_seconds"] + sum(kind["seconds"] for kind in found["kinds"] if kind["share"] < 0.005)
    lines.append(f"| all else | | {rest * 1e3:.2f} | | {rest / found['step_seconds'] * 100:.1f} % | | |")
    return "\n".join(lines)


def profile(arguments):
    tables = []
    for case in PROFILED:
        network, batch = case.split(":")
        command = [arguments.program, "bench", network, "--batch", batch, "--threads", str(arguments.threads),
                   "--profile", "--seconds", "5"]
        run = json.loads(output([*command, "--json"]))["runs"][0]
        tables.append(profile_table(shlex.join(["plimsoll", *command[1:]]), network, batch, run))
    return "\n\n".join(tables)


def conv_ways(arguments):
    build = os.path.dirname(arguments.program)
    output(["cmake", "--build", build, "--target", "conv_ways"])
    command = [os.path.join(build, "bench", "conv_ways"), "--only", "AlexNet", "--threads", str(arguments.threads),
               "--markdown"]
    return f"`{shlex.join(command)}`\n\n" + output(command)


def conv_accuracy(arguments):
    return output(["bench/conv_accuracy.py", arguments.program, "--threads", str(arguments.threads)])


def threads(arguments):
    counts = ",".join(str(n) for n in range(1, arguments.threads + 1))
    command = [arguments.program, "bench", "alexnet", "--batch", "32", "--threads", counts, "--seconds", "5",
               "--conv", "direct,auto", "--beside", ",".join(OF_THE_FIGURE), "--plot",
               "docs/pictures/alexnet_threads.svg", "--quiet"]
    text = output(command)
    return (f"```\n$ {shlex.join(['plimsoll', *command[1:]])}\n{text}\n```\n\n"
            "![AlexNet: time per epoch and speed-up against threads](pictures/alexnet_threads.svg)")


def pinned(arguments):
    command = ["bench/pinned.py", arguments.program, "--threads", str(arguments.threads)]
    return f"```\n$ {shlex.join(command)}\n{output(command)}\n```"


def growth(arguments):
    command = ["bench/growth.py", arguments.program, "--threads", str(arguments.threads), "--markdown", "--plot",
               "docs/pictures/growth.svg"]
    return (f"`{shlex.join(command)}`\n\n![time of a step against batch and image size](pictures/growth.svg)\n\n"
            + output(command))


PARTS = {part.__name__: part for part in (training, inference, profile, prediction, conv_ways, conv_accuracy, threads,
                                             pinned, growth)}


def put(name, text):
    """Written part by part, so that what was measured is kept when a later part fails."""
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    begin, end = f"<!-- {name} -->\n", f"<!-- end {name} -->"
    if document.count(begin) != 1 or document.count(end) != 1:
        sys.exit(f"{DOCUMENT} has no part {name}")
    before, rest = document.split(begin)
    after = rest.split(end)[1]
    with open(DOCUMENT + ".part", "w", encoding="utf-8") as file:
        file.write(f"{before}{begin}{text}\n{end}{after}")
    os.replace(DOCUMENT + ".part", DOCUMENT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_intermixed_args()
    for name in arguments.parts:
        if name not in PARTS:
            parser.error(f"{name!r} is no part, expected one of {' '.join(PARTS)}")
    arguments.program = os.path.relpath(arguments.program, ROOT)
    arguments.program = os.path.join(".", arguments.program) if os.sep not in arguments.program else arguments.program
    for name in arguments.parts or PARTS:
        put(name, PARTS[name](arguments))


if __name__ == "__main__":
    main()
