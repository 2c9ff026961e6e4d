#!/usr/bin/env python3
"""flaky.py BUILD_DIR JOBS RUNS [CTEST_ARGUMENT…]: runs the tests RUNS times beside a process that never rests.

Names the tests that failed, with how often: what fails sometimes leans on time or on another test, and is mended, not
run again. What each failing test printed stays in BUILD_DIR/flaky. Exit code 1 if any failed.
"""
import collections
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree


def failures(report):
    """(name, what it printed) for each test of a JUnit file that failed."""
    for test in xml.etree.ElementTree.parse(report).iter("testcase"):
        if test.find("failure") is not None or test.get("status") == "fail":
            yield test.get("name"), test.findtext("system-out") or ""


def run_once(build, jobs, number, more):
    """The names of the tests that failed in one run."""
    report = build / "flaky" / f"run-{number}.xml"
    report.unlink(missing_ok=True)
    subprocess.run(["ctest", "--test-dir", build, "--parallel", jobs, "--label-exclude", "^long$", "--quiet",
                    "--output-junit", report, *more], stdin=subprocess.DEVNULL, check=False)
    if not report.exists():
        sys.exit(f"flaky: ctest ran nothing in {build}; build the tests first (make test)")
    names = []
    for name, text in failures(report):
        names.append(name)
        (build / "flaky" / f"{name.replace('/', '-')}-{number}.txt").write_text(text)
    return names


def main():
    build, jobs, runs, more = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    (build / "flaky").mkdir(parents=True, exist_ok=True)
    count = collections.Counter()
    with subprocess.Popen([sys.executable, "-c", f"import os\nwhile os.getppid() == {os.getpid()}: pass"]) as spinning:
        try:
            for number in range(1, runs + 1):
                names = run_once(build, jobs, number, more)
                count.update(names)
                print(f"run {number} of {runs}: " + (", ".join(names) if names else "all passed"), flush=True)
        finally:
            spinning.kill()
    for name, failed in count.most_common():
        print(f"{name}: failed {failed} of {runs} times")
    if not count:
        print(f"flaky: no test failed in {runs} runs")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
