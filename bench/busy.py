#!/usr/bin/env python3
"""How much longer a training step takes when other programs have the processors too.

usage: busy.py PLIMSOLL [--baseline PLIMSOLL] [--torch] [--busy 0,1,2] [--rounds 3] [--seconds 3] [--workers 2]
               [NETWORK:BATCH …]

For each network, in turn and so often as there are rounds: a step beside 0, 1 and 2 processes that compute without end,
each in a session of its own as another program is. With --baseline the same of another build, with --torch of PyTorch
(Debian's), and with --workers a training by so many workers on this host. Printed are medians over the rounds, and how
many times as long as beside none. At most 1.5 is possible beside one on two cores, if nobody ever waits; 2 is what one
core of two is worth. The machine should be idle otherwise: what others had meanwhile is printed too.
"""
import argparse
import contextlib
import json
import os
import resource
import shlex
import statistics
import struct
import subprocess
import sys
import tempfile

from cases import add_cases, checked_cases

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["fmnist_cnn:128", "resnet18:16", "lenet5:128"]
WORKERS_CASE = ("fmnist_cnn", 128)
SYSTEM_PYTHON = "/usr/bin/python3"  # has Debian's PyTorch


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)[:300]} failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


@contextlib.contextmanager
def busy_processes(count):
    started = [subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def processors():
    """Seconds that all processors were busy, and those that our children had."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = children.ru_utime + children.ru_stime
    hertz = os.sysconf("SC_CLK_TCK")
    return sum(ticks) / hertz, (sum(ticks) - ticks[3] - ticks[4]) / hertz, spent


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.runs = arguments, folder, 0
        if arguments.workers:
            self.write_pictures(WORKERS_CASE[1] * 40)

    def write_pictures(self, samples, size=28):
        with open(os.path.join(self.folder, "train-images-idx3-ubyte"), "wb") as images:
            images.write(struct.pack(">IIII", 0x803, samples, size, size) + os.urandom(samples * size * size))
        with open(os.path.join(self.folder, "train-labels-idx1-ubyte"), "wb") as labels:
            labels.write(struct.pack(">II", 0x801, samples) + bytes(i % 10 for i in range(samples)))

    def step(self, program, network, batch):
        run = answer([program, "bench", network, "--batch", str(batch), "--seconds", str(self.arguments.seconds),
                      "--quiet", "--json"])
        return run["runs"][0]["step_seconds"]

    def torch_step(self, network, batch):
        return answer([SYSTEM_PYTHON, os.path.join(HERE, "torch_step.py"), network, str(batch), str(os.cpu_count()),
                       "train", str(self.arguments.seconds), "contiguous"])["step_seconds"]

    def workers_step(self, program):
        self.runs += 1
        network, batch = WORKERS_CASE
        run = answer([program, "train", network, "--data", self.folder, "--batch", str(batch), "--epochs", "1000",
                      "--max-steps", str(int(40 * self.arguments.seconds)), "--validation", "0", "--run-dir",
                      os.path.join(self.folder, f"run{self.runs}"), "--quiet", "--json", "-np",
                      str(self.arguments.workers)])
        return run["step_seconds"]

    def ways(self, case):
        network, _, batch = case.partition(":")
        programs = {"plimsoll": self.arguments.program}
        if self.arguments.baseline:
            programs["baseline"] = self.arguments.baseline
        if case == "workers":
            return {name: lambda program=program: self.workers_step(program) for name, program in programs.items()}
        all_ways = {name: lambda program=program: self.step(program, network, int(batch))
                    for name, program in programs.items()}
        if self.arguments.torch:
            all_ways["PyTorch"] = lambda: self.torch_step(network, int(batch))
        return all_ways

    def measure(self, case):
        """Seconds by way and number of busy processes: medians; and which share others had."""
        times, before = {}, processors()
        for _ in range(self.arguments.rounds):
            for count in self.arguments.busy:
                for name, step in self.ways(case).items():
                    with busy_processes(count):
                        times.setdefault((name, count), []).append(step())
        all_time, busy, own = (after - start for after, start in zip(processors(), before))
        return {key: statistics.median(each) for key, each in times.items()}, max(0, busy - own) / max(all_time, 1e-9)


def lines_of(case, times, busy, others):
    for name in dict.fromkeys(name for name, _ in times):
        quiet = times[name, busy[0]]
        cells = "".join(f"{1e3 * times[name, count]:12.1f} ms {times[name, count] / quiet:6.2f}" for count in busy)
        beside = f"{times['plimsoll', busy[0]] / quiet:10.3f}" if name != "plimsoll" else " " * 10
        yield f"{case:16s} {name:10s}{cells}{beside}   others {100 * others:.0f} %"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    add_cases(parser)
    parser.add_argument("--baseline", metavar="PLIMSOLL", help="another build, measured in turn with this one")
    parser.add_argument("--torch", action="store_true", help="PyTorch too")
    parser.add_argument("--busy", default="0,1,2", help="numbers of busy processes; the first is the reference")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement")
    parser.add_argument("--workers", type=int, help="also a training by so many workers")
    arguments = parser.parse_intermixed_args()
    arguments.cases = checked_cases(parser, arguments.cases, CASES)
    arguments.busy = [int(count) for count in arguments.busy.split(",")]
    return arguments


def main():
    arguments = parsed()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        heads = "".join(f"{f'beside {count}':>15s} {'times':>6s}" for count in arguments.busy)
        print(f"{'network:batch':16s} {'':10s}{heads}{'ours / it':>10s}", flush=True)
        for case in arguments.cases + (["workers"] if arguments.workers else []):
            times, others = bench.measure(case)
            name = f"{WORKERS_CASE[0]} -np {arguments.workers}" if case == "workers" else case
            print("\n".join(lines_of(name, times, arguments.busy, others)), flush=True)


if __name__ == "__main__":
    main()
