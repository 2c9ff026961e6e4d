#!/usr/bin/env python3
"""test_all.py JOBS [PART…]: everything that is checked by running it, part by part: what `make test-all` does.

A part that fails does not keep the others from running; one that cannot run here says why and counts as skipped. What
`make test` has passed in this very tree is not repeated.
At the end stands how long each part took, and CTest's closing line with the tests of all parts together.
"""
import dataclasses
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLOSING = re.compile(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)")
SKIPPED = 77  # a command's exit code where this machine cannot do it
PASSED = ROOT / "build" / "tests-passed"  # the state of the tree in which `make test` passed


@dataclasses.dataclass
class Part:
    name: str
    what: str
    commands: list
    fits: object = lambda: True  # whether there is anything to do


def tree_state():
    return subprocess.run([ROOT / "tools" / "tree_state.sh"], capture_output=True, text=True, check=True).stdout.strip()


def release_is_due():
    return not (PASSED.exists() and tree_state() and PASSED.read_text().strip() == tree_state())


def at_once(jobs):
    """As in `make test`: many tests wait, so two more than there are cores run at one time."""
    return str(int(jobs) + 2)


def built_and_tested(preset, target, jobs, *words):
    build = f"build-{preset}"
    return [["cmake", "--preset", preset], ["cmake", "--build", build, "--parallel", jobs, "--target", target],
            ["ctest", "--preset", preset, "--parallel", at_once(jobs), *words]]


def parts(jobs):
    release = ["ctest", "--preset", "release", "--no-tests=ignore", "--parallel", at_once(jobs)]
    return [
        Part("release", "make test", [["make", "test"]], release_is_due),
        Part("check", "format, layers, house rules, clang-tidy on what changed", [["make", "check"]]),
        Part("address", "address and undefined-behaviour sanitizers",
             built_and_tested("debug", "sanitized_tests", jobs, "-L", "^(sanitizer|unit|sweep|error|fault|fuzz)$")),
        Part("thread", "ThreadSanitizer", built_and_tested("tsan", "all", jobs)),
        Part("plan-only", "base, model and plan without kernels and MPI", built_and_tested("plan-only", "all", jobs)),
        Part("slurm", "workers under a real srun", [release + ["--tests-regex", "^dist/Srun"]]),
        Part("package", "the .deb in a bare Debian",
             [["tools/install_packages.sh", "mmdebstrap"], ["make", "package"],
              ["bash", "-c", "tools/package_check.sh build/plimsoll_*.deb"]]),
        Part("bare", "the wheel in the Python of a bare Debian of another release",
             [["tools/bare_debian_python.sh", "build"]]),
        Part("torch-2.13", "the same programs with an older PyTorch", [["tools/second_torch.sh", "build"]]),
        Part("long", "tests with the label long", [release + ["--label-regex", "^long$"]]),
    ]


def run(command, closings):
    """Runs it from the root and gives its exit code; what it prints goes on to the reader, and CTest's closing lines
    are kept."""
    print("+ " + " ".join(command), flush=True)
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if found := CLOSING.match(line):
                closings.append((int(found[1]), int(found[2])))
    return process.returncode


def outcome(part, closings):
    """passed, skipped or FAILED: the first command that does not end well decides."""
    for command in part.commands:
        code = run(command, closings)
        if code != 0:
            return "skipped" if code == SKIPPED else "FAILED"
    return "passed"


def main():
    jobs, wanted = sys.argv[1], sys.argv[2:]
    closings, table, passed = [], [], True
    for part in parts(jobs):
        if wanted and part.name not in wanted:
            continue
        if not part.fits():
            table.append(f"  {part.name:<10} passed before, in this very tree")
            continue
        print(f"\n== {part.name}: {part.what}", flush=True)
        start = time.monotonic()
        came_to = outcome(part, closings)
        passed = passed and came_to != "FAILED"
        table.append(f"  {part.name:<10} {came_to:<7} {(time.monotonic() - start) / 60:6.1f} min")
    failed, tests = (sum(column) for column in zip(*closings)) if closings else (0, 0)
    print("\n== all parts\n" + "\n".join(table))
    if tests:
        print(f"\n{100 * (tests - failed) // tests}% tests passed, {failed} tests failed out of {tests}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
