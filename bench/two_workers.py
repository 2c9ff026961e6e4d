#!/usr/bin/env python3
"""What two workers reach on this machine, and what `scale` had said: each has half of the cores.

usage: two_workers.py PLIMSOLL [--rates 1,10,25] [--steps 12] [--rounds 3] [--probe FILE] [--keep FOLDER]
                      [NETWORK:BATCH …]

For each network, in turn and so often as there are rounds:
  beside   two trainings that know nothing of each other, at the same time, each on its own half of the cores
  memory   one training by two workers on one host (`train -np 2`)
  N gbe    one training by two workers on two hosts (tools/two_hosts.sh) with a cable of N Gbit/s between them
Printed are medians: a step, the share of the communication that was hidden, and the speed of both workers over that of
the two `beside`; each next to what `scale` says for this machine as probed. The machine should be idle.

--keep writes every median to FOLDER/two_workers.csv and what was probed of the machine to
FOLDER/two_workers_machine.json; `make accuracy` makes its tables of them. Needs what two_hosts.sh needs; without it
only `beside` and `memory` are measured.
"""
import argparse
import csv
import json
import os
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
TWO_HOSTS = os.path.join(HERE, "..", "tools", "two_hosts.sh")
HOSTS = "10.77.0.1:1,10.77.0.2:1"
CASES = ["alexnet:32", "alexnet:16", "alexnet:8", "resnet18:8"]
CLASSES = 10
COLUMNS = ["network", "batch", "threads", "link", "step_seconds", "communication_seconds", "exposed_seconds"]


def fail(command, code, words):
    sys.exit(f"{shlex.join(command)[:300]} failed ({code}): {words.strip()[-400:]}")


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(command, done.returncode, done.stderr)
    return json.loads(done.stdout)


def write_pictures(folder, samples, size=224):
    """An IDX set of noise in three colours."""
    with open(os.path.join(folder, "train-images-idx3-ubyte"), "wb") as images:
        images.write(struct.pack(">IIIII", 0x804, samples, 3, size, size))
        for _ in range(samples):
            images.write(os.urandom(3 * size * size))
    with open(os.path.join(folder, "train-labels-idx1-ubyte"), "wb") as labels:
        labels.write(struct.pack(">II", 0x801, samples) + bytes(i % CLASSES for i in range(samples)))


def halves():
    """The cores of the first and of the second worker, as taskset takes them."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("two workers need two cores, found one")
    half = len(cores) // 2
    return [",".join(map(str, part)) for part in (cores[:half], cores[half:2 * half])]


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.halves = halves()
        self.threads = len(self.halves[0].split(","))
        self.runs = 0
        write_pictures(folder, max(int(case.partition(":")[2]) for case in arguments.cases) * 4)

    def words(self, network, batch, workers):
        self.runs += 1
        shutil.rmtree(os.path.join(self.folder, f"run{self.runs - 2}"), ignore_errors=True)
        run = os.path.join(self.folder, f"run{self.runs}")
        return [self.arguments.program, "train", network, "--classes", str(CLASSES), "--data", self.folder, "--batch",
                str(batch), "--max-steps", str(self.arguments.steps), "--epochs", "1000", "--validation", "0",
                "--threads", str(self.threads), "--lr", "1e-4", "--run-dir", run, "--quiet", "--json", "-np",
                str(workers)]

    def measured(self, runs):
        """Of one or several trainings at once: a step, and what it exchanged."""
        steps = [run["steps"] for run in runs]
        mean = lambda key: statistics.mean(run[key] / n for run, n in zip(runs, steps))
        return {"step_seconds": statistics.mean(run["step_seconds"] for run in runs),
                "communication_seconds": mean("communication_seconds"),
                "exposed_seconds": mean("exposed_communication_seconds")}

    def beside(self, network, batch):
        commands = [["taskset", "--cpu-list", cores, *self.words(network, batch, 1)] for cores in self.halves]
        started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for command in commands]
        said = [process.communicate() for process in started]
        for command, process, (_, words) in zip(commands, started, said):
            if process.returncode != 0:
                fail(command, process.returncode, words)
        return self.measured([json.loads(out) for out, _ in said])

    def on_one_host(self, network, batch):
        return self.measured([answer(self.words(network, batch, 2))])

    def on_two_hosts(self, network, batch, rate):
        return self.measured([answer([TWO_HOSTS, "--rate", f"{rate}gbit", "--cores", ":".join(self.halves),
                                      *self.words(network, batch, 2), "--hosts", HOSTS])])

    def links(self):
        all_links = {"beside": self.beside, "memory": self.on_one_host}
        tried = subprocess.run([TWO_HOSTS, "true"], capture_output=True, text=True)
        if tried.returncode != 0:
            print(f"left out, links: {tried.stderr.strip()}", file=sys.stderr)
            return all_links
        for rate in self.arguments.rates.split(","):
            all_links[f"{rate}gbe"] = lambda network, batch, rate=rate: self.on_two_hosts(network, batch, rate)
        return all_links

    def measure(self, network, batch):
        """A row for each link: medians over the rounds."""
        rounds = {name: [] for name in self.links()}
        for _ in range(self.arguments.rounds):
            for name, how in self.links().items():
                rounds[name].append(how(network, batch))
        return [{"network": network, "batch": batch, "threads": self.threads, "link": name,
                 **{key: statistics.median(one[key] for one in each) for key in each[0]}}
                for name, each in rounds.items()]

    def forecast(self, row):
        """What `scale` says of the same."""
        command = [self.arguments.program, "scale", row["network"], "--classes", str(CLASSES), "--device",
                   self.arguments.probe, "--threads", str(row["threads"]), "--batch", str(row["batch"]), "--json",
                   "--workers", "1" if row["link"] == "beside" else "2"]
        command += {"beside": [], "memory": ["--per-node", "2"]}.get(row["link"], ["--link", row["link"]])
        return answer(command)["runs"][-1]


def hidden(row):
    return 1 - min(1, row["exposed_seconds"] / row["communication_seconds"]) if row["communication_seconds"] else None


def share(number):
    return "-" if number is None else f"{100 * number:.1f} %"


def in_ms(seconds):
    return f"{1e3 * seconds:.1f} ms"


def aligned(cells):
    widths = [10, 5, 7, 11, 11, 10, 9, 9, 9, 9, 9]
    return " ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                    for i, (cell, width) in enumerate(zip(cells, widths)))


def lines_of(bench, rows):
    reference = rows[0]["step_seconds"]
    for row in rows:
        said, alone = bench.forecast(row), row["link"] == "beside"
        yield aligned([row["network"], str(row["batch"]), row["link"], in_ms(row["step_seconds"]),
                       in_ms(said["step_seconds"]), in_ms(row["communication_seconds"]),
                       in_ms(said["communication_seconds"]), share(hidden(row)),
                       share(None if alone else said["hidden"]), share(reference / row["step_seconds"]),
                       share(said["efficiency"])])


def keep(folder, rows, probe):
    with open(os.path.join(folder, "two_workers.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: f"{cell:.6g}" if isinstance(cell, float) else cell for key, cell in row.items()}
                         for row in rows)
    with open(probe, encoding="utf-8") as source, \
            open(os.path.join(folder, "two_workers_machine.json"), "w", encoding="utf-8") as file:
        file.write(source.read())


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--rates", default="1,10,25", help="Gbit/s of the cable, each way")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--probe", metavar="FILE", help="written by 'plimsoll probe --out FILE'; else measured now")
    parser.add_argument("--keep", metavar="FOLDER", help="write rows and probe there")
    arguments = parser.parse_intermixed_args()
    arguments.cases = checked_cases(parser, arguments.cases, CASES)
    return arguments


def main():
    arguments = parsed()
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.probe:
            arguments.probe = os.path.join(folder, "machine.json")
            answer([arguments.program, "probe", "--out", arguments.probe, "--quiet", "--json"])
        os.environ["PLIMSOLL_PROBE"] = os.path.abspath(arguments.probe)  # kernels are chosen by it too
        bench = Bench(arguments, folder)
        print(aligned(["network", "batch", "link", "step", "scale", "travelled", "scale", "hidden", "scale", "speed",
                       "scale"]), flush=True)
        rows = []
        for case in arguments.cases:
            network, _, batch = case.partition(":")
            measured = bench.measure(network, int(batch))
            rows += measured
            print("\n".join(lines_of(bench, measured)), flush=True)
        if arguments.keep:
            keep(arguments.keep, rows, arguments.probe)


if __name__ == "__main__":
    main()
