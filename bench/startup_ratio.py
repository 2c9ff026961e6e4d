#!/usr/bin/env python3
"""How long short questions take from start to end, and how much longer or shorter than with another build.

usage: startup_ratio.py PLIMSOLL [OTHER] [--rounds N]

Both builds answer in turn, round by round, so that a machine that slows down slows down for both. Time by the clock is
what a user waits; processor time is steadier on a machine that others use too. Exit code 1 where a question takes
longer than it may.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

# What is asked, and the milliseconds that it may take by the clock on an idle machine.
QUESTIONS = [(["weigh", "resnet152"], 20),
             (["fit", "resnet50", "--device", "nvidia-t4", "--json"], 60)]


def timed(command):
    """Milliseconds by the clock, and of the processor."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed ({process.returncode}): {error.decode(errors='replace').strip()}")
    return (time.monotonic() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plimsoll")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--rounds", type=int, default=21)
    asked = parser.parse_args()
    programs = [program for program in (asked.plimsoll, asked.other) if program]
    late = False
    for question, most in QUESTIONS:
        runs = {program: [] for program in programs}
        for _ in range(asked.rounds):
            for program in programs:
                runs[program].append(timed([program, *question]))
        print(f"plimsoll {' '.join(question)} (at most {most} ms)")
        medians = {}
        for program in programs:
            clock, processor = (sorted(column) for column in zip(*runs[program]))
            medians[program] = statistics.median(clock), statistics.median(processor)
            print(f"  {program}: {medians[program][0]:.1f} ms by the clock (least {clock[0]:.1f}), "
                  f"{medians[program][1]:.1f} ms of the processor")
            if program == asked.plimsoll:
                late = late or clock[0] > most
        if asked.other:
            ours, others = medians[asked.plimsoll], medians[asked.other]
            print(f"  ratio to {asked.other}: {ours[0] / others[0]:.2f} by the clock, "
                  f"{ours[1] / others[1]:.2f} of the processor")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
