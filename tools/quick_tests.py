#!/usr/bin/env python3
"""quick_tests.py BUILD_DIR JOBS: the unit and error tests that are fast, each program once for all of its tests.

Which are fast was measured: CTest keeps how long each test takes in BUILD_DIR, `make test` renews it. Before a first
`make test`, the kinds of tests that start whole trainings or servers are taken to be slow.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

SLOW_SECONDS = 0.4
SLOW_UNMEASURED = ("*Verb.*", "*Upload.*", "*Trainer*", "*Bench*", "*Measure*", "*Probe*", "*Serve*", "*Surface*")
PROGRAMS = ("unit", "error")


def slow_tests(build, label):
    """Patterns of tests that are left out; None when nothing was measured yet."""
    measured = build / "Testing" / "Temporary" / "CTestCostData.txt"
    if not measured.exists():
        return None
    rows = re.findall(rf"^{label}/(\S+) \d+ ([\d.e+-]+)$", measured.read_text(), re.MULTILINE)
    return [name for name, seconds in rows if float(seconds) > SLOW_SECONDS] if rows else None


def run(build, label, shard, shards):
    """One program, with a share of its tests. What it prints is shown when it fails."""
    slow = slow_tests(build, label)
    left_out = ":".join(SLOW_UNMEASURED if slow is None else slow)
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard),
                       PLIMSOLL_PROBE=str(build / "no-probe.json"))
    done = subprocess.run([build / "tests" / f"{label}_tests", "--gtest_brief=1", f"--gtest_filter=-{left_out}"],
                          cwd=build / "tests", env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", check=False)
    ran = re.search(r"\[={10}\] (\d+) tests? from", done.stdout)
    if done.returncode != 0:
        print(done.stdout + done.stderr, flush=True)
    return done.returncode == 0, int(ran[1]) if ran else 0


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    work = [(build, label, shard, jobs) for label in PROGRAMS for shard in range(jobs)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        came = list(pool.map(lambda one: run(*one), work))
    print(f"quick: {sum(count for _, count in came)} tests ran, "
          f"{sum(not well for well, _ in came)} of {len(came)} programs failed")
    return 0 if all(well for well, _ in came) else 1


if __name__ == "__main__":
    sys.exit(main())
