"""Runs a command and tells how long it took, the largest memory it held, and what it printed."""
import os
import statistics
import subprocess
import sys
import time


def run(command):
    """(seconds, peak MiB, stdout) of one run; ends the benchmark when the command fails."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - start
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)[:200]} failed ({process.returncode}): {err.strip()[-300:]}")
    return seconds, usage.ru_maxrss / 1024, out


def alternate(commands, times):
    """Each command `times` times in turn, so that a noisy machine is noisy for all: medians."""
    runs = {name: [] for name in commands}
    for _ in range(times):
        for name, command in commands.items():
            runs[name].append(run(command))
    return {name: (statistics.median(r[0] for r in all_runs), max(r[1] for r in all_runs), all_runs[-1][2])
            for name, all_runs in runs.items()}


def table(results, ours):
    """One line a command, with its time and memory relative to ours."""
    for name, (seconds, mib, _) in results.items():
        ratio = seconds / results[ours][0]
        print(f"  {name:34s} {seconds * 1000:10.1f} ms  ×{ratio:<8.1f} {mib:9.1f} MiB  ×{mib / results[ours][1]:.1f}")
