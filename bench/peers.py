#!/usr/bin/env python3
"""Steps of Plimsoll, of PyTorch and, for inference, of onnxruntime and OpenVINO, in turn: the same networks, batches
and threads.

usage: peers.py PLIMSOLL [--mode train|inference] [--threads 2] [--rounds 3] [--processor] [--busy N] [--markdown]
                [--json FILE] [--pytorch PYTHON] [--onnxruntime PYTHON] [--openvino PYTHON]
                [--ways contiguous,channels_last,compiled,compiled_channels_last] [NETWORK:BATCH …]

Each round runs all, one after the other, in processes of their own; what is printed is the ratio of the medians: above
1, Plimsoll is faster; least and most are those of single rounds. PyTorch runs in the way that is fastest for it: NCHW,
channels last and, with a PyTorch that has torch.compile, compiled in both; a network of tokens has no channels. It is
Debian's, or that of the Python that --pytorch names. onnxruntime and OpenVINO run the file that `plimsoll export`
writes; they are looked for in the environment that tools/install_python_tools.sh makes (build/venv), or where they are
said to be, and left out, visibly, where they are missing. Absolute times are of this machine at this hour; the ratio
is what counts.

On a machine that others use, --processor compares the time of the processor instead of the clock's, on one thread
unless --threads says otherwise: on several, waiting counts as work. --busy N runs N processes beside that compute
without end, as busy.py does.
"""
import argparse
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile

from busy import busy_processes
from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
TRAINING = ["alexnet:32", "vgg16:4", "googlenet_bn:16", "resnet18:16", "resnet50:8", "densenet121:8",
            "mobilenet_v2:16", "convergence:512", "fmnist_cnn:128", "lenet5:128"]
# Measured too with --pytorch: Debian's has them not, or not all.
NEWER = ["convnext_tiny:8", "vit_b_16:4", "swin_t:8", "efficientnet_b0:16", "bert_base:2", "gpt2:1"]
TOKENS = ("bert_base", "gpt2")
INFERENCE = [f"{case.split(':')[0]}:{batch}" for case in TRAINING for batch in (1, 16)]
ON_FILES = {"onnxruntime": "onnxruntime", "openvino": "OpenVINO"}  # module, and as it is called
SYSTEM_PYTHON = "/usr/bin/python3"  # has Debian's PyTorch
LAYOUTS = {"contiguous": "NCHW", "channels_last": "channels last", "compiled": "compiled",
           "compiled_channels_last": "compiled, channels last"}


def answer(command):
    """The JSON document that a command prints; ends the benchmark, with its last words, when it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


class Peers:
    """Who is measured, each as a function of a case that returns seconds a step: by the clock, or of the processor."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.versions = {}
        self.time = "processor_seconds" if arguments.processor else "step_seconds"
        self.pythons = {}  # of those that run exported files
        for module in ON_FILES if arguments.mode == "inference" else []:
            self.find(module, getattr(arguments, module))

    def find(self, module, python):
        there = os.path.exists(python)
        if there and subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
            self.pythons[module] = python
        else:
            print(f"{ON_FILES[module]} is left out: {python} does not have it (pip install {module})", file=sys.stderr)

    def plimsoll(self, network, batch):
        run = answer([self.arguments.program, "bench", network, "--batch", str(batch), "--threads",
                      str(self.arguments.threads), "--mode", self.arguments.mode, "--seconds",
                      str(self.arguments.seconds), "--steps", "3", "--warm-up", "3", "--conv", self.arguments.conv,
                      "--json"])["runs"][0]
        return run[self.time]

    def torch(self, network, batch, layout):
        step = answer([self.arguments.pytorch, os.path.join(HERE, "torch_step.py"), network, str(batch),
                       str(self.arguments.threads), self.arguments.mode, str(self.arguments.seconds), layout])
        self.versions["PyTorch"] = step["version"]
        return step[self.time]

    def on_file(self, module, network, batch):
        path = os.path.join(self.folder, network + ".onnx")
        if not os.path.exists(path):
            answer([self.arguments.program, "export", network, "--output", path, "--json"])
        step = answer([self.pythons[module], os.path.join(HERE, module + "_step.py"), path, str(batch),
                       str(self.arguments.threads), str(self.arguments.seconds)])
        self.versions[ON_FILES[module]] = step["version"]
        return step[self.time]

    def measure(self, network, batch):
        """One row: medians over the rounds."""
        layouts = [way for way in self.arguments.ways if network not in TOKENS or not way.endswith("channels_last")]
        times = {"plimsoll": [], **{layout: [] for layout in layouts}, **{module: [] for module in self.pythons}}
        for _ in range(self.arguments.rounds):
            with busy_processes(self.arguments.busy):
                times["plimsoll"].append(self.plimsoll(network, batch))
                for layout in layouts:
                    times[layout].append(self.torch(network, batch, layout))
                for module in self.pythons:
                    times[module].append(self.on_file(module, network, batch))
        medians = {name: statistics.median(each) for name, each in times.items() if each}
        layout = min(layouts, key=medians.get)
        each = [theirs / ours for theirs, ours in zip(times[layout], times["plimsoll"])]
        row = {"network": network, "batch": batch, "plimsoll": medians["plimsoll"], "pytorch": medians[layout],
               "format": LAYOUTS[layout], "against_pytorch": medians[layout] / medians["plimsoll"],
               "least": min(each), "most": max(each), "rounds": times}
        for module in self.pythons:
            row[module] = medians[module]
            row["against_" + module] = medians[module] / medians["plimsoll"]
        return row


def in_ms(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds * 1e3:.0f} ms"


def cells_of(row):
    cells = [row["network"], str(row["batch"]), in_ms(row["plimsoll"]), in_ms(row["pytorch"]), row["format"],
             f"{row['against_pytorch']:.2f}", f"{row['least']:.2f} to {row['most']:.2f}"]
    for module in ON_FILES:
        if module in row:
            cells += [in_ms(row[module]), f"{row['against_' + module]:.2f}"]
    return cells


def titles(peers):
    first = ["Network", "Batch", "Plimsoll", "PyTorch", "its format", "times as fast", "of the rounds"]
    return first + [cell for module in peers.pythons for cell in (ON_FILES[module], "times as fast")]


def summary(rows):
    lines = []
    for peer, key in (("PyTorch", "against_pytorch"), *((name, "against_" + key) for key, name in ON_FILES.items())):
        ratios = {f"{row['network']}:{row['batch']}": row[key] for row in rows if key in row}
        if ratios:
            least = min(ratios, key=ratios.get)
            lines.append(f"Against {peer}: geometric mean {statistics.geometric_mean(ratios.values()):.2f}, "
                         f"least {ratios[least]:.2f} ({least}).")
    return lines


def print_markdown(rows, peers, command):
    head = titles(peers)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(peers.versions.items()))
    kind = ", time of the processor" if peers.arguments.processor else ""
    print(f"`{command}`\n\n{versions}; {peers.arguments.threads} threads of {processor()}{kind}; medians of "
          f"{peers.arguments.rounds} rounds.\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if i in (0, 4) else "---:" for i in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(cells_of(row)) + " |")
    print("\n" + "\n".join(summary(rows)))


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return names[0] if names else platform.machine()


def aligned(cells):
    widths = [16, 5, 10, 10, 24, 14, 14, 12, 14, 12, 14]
    return " ".join(cell.ljust(width) if i in (0, 4) else cell.rjust(width)
                    for i, (cell, width) in enumerate(zip(cells, widths)))


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--threads", type=int, help="as many as there are processors; 1 with --processor")
    parser.add_argument("--processor", action="store_true", help="compare the time of the processor, not the clock's")
    parser.add_argument("--busy", type=int, default=0, help="processes beside that compute without end")
    parser.add_argument("--mode", default="train", choices=["train", "inference"])
    parser.add_argument("--conv", default="auto", help="Plimsoll's way of computing convolutions")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="measure each at least for so long")
    for module, name in ON_FILES.items():
        parser.add_argument("--" + module, default=os.path.join(HERE, "..", "build", "venv", "bin", "python"),
                            metavar="PYTHON", help=f"a Python that has {name}")
    parser.add_argument("--pytorch", default=SYSTEM_PYTHON, help="a Python that has PyTorch, torchvision and, for "
                        "networks of tokens, transformers")
    parser.add_argument("--ways", default="contiguous,channels_last", help=f"of PyTorch: {', '.join(LAYOUTS)}")
    parser.add_argument("--markdown", action="store_true", help="a table for documents, with the command that made it")
    parser.add_argument("--json", metavar="FILE", help="keep every measurement in this file")
    arguments = parser.parse_intermixed_args()
    if arguments.threads is None:
        arguments.threads = 1 if arguments.processor else len(os.sched_getaffinity(0))
    arguments.ways = arguments.ways.split(",")
    unknown = [way for way in arguments.ways if way not in LAYOUTS]
    if unknown:
        parser.error(f"--ways {unknown[0]!r}: expected some of {', '.join(LAYOUTS)}")
    training = TRAINING if arguments.pytorch == SYSTEM_PYTHON else TRAINING + NEWER
    usual = training if arguments.mode == "train" else INFERENCE
    arguments.cases = checked_cases(parser, arguments.cases, usual)
    return arguments


def main():
    arguments = parsed()
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(arguments, folder)
        progress = sys.stderr if arguments.markdown else sys.stdout
        print(aligned(titles(peers)), file=progress, flush=True)
        rows = []
        for case in arguments.cases:
            network, _, batch = case.partition(":")
            rows.append(peers.measure(network, int(batch)))
            print(aligned(cells_of(rows[-1])), file=progress, flush=True)
    print("\n".join(summary(rows)), file=progress)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"mode": arguments.mode, "threads": arguments.threads, "versions": peers.versions, "rows": rows},
                      file, indent=1)
    if arguments.markdown:
        print_markdown(rows, peers, shlex.join(["bench/peers.py", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
