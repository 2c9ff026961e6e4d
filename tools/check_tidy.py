#!/usr/bin/env python3
"""check_tidy.py BUILD_DIR JOBS [REGEX]: clang-tidy over our sources, or over those whose path matches REGEX.

One source takes seconds, all of them many minutes, so a source that passed is looked at again only when
its object was compiled anew since (it or a header of it changed) or .clang-tidy changed. Build first.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = re.compile(r"(src|tests|bench)/")


def sources(build, pattern):
    """(source, object, stamp) of every source of ours in the build."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(ROOT) or source.is_relative_to(build):
            continue
        path = source.relative_to(ROOT).as_posix()
        if OURS.match(path) and re.search(pattern, path):
            made = re.search(r" -o (\S+)", entry["command"])[1]
            yield source, pathlib.Path(entry["directory"]) / made, build / "tidy" / (path + ".passed")


def passed_before(made, stamp):
    """Whether the stamp is newer than the object and the settings."""
    if not stamp.exists() or not made.exists():
        return False
    return stamp.stat().st_mtime > max(made.stat().st_mtime, (ROOT / ".clang-tidy").stat().st_mtime)


def tidy(build, source, stamp):
    """The findings in one source, without repeats; leaves a stamp when there are none."""
    done = subprocess.run(["clang-tidy", "--quiet", "-p", build, source], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        return []
    return re.findall(r"^.*(?:warning|error): .*$", done.stdout + done.stderr, re.MULTILINE) or [f"{source}: failed"]


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    everything = list(sources(build, sys.argv[3] if len(sys.argv) > 3 else ""))
    due = [(source, stamp) for source, made, stamp in everything if not passed_before(made, stamp)]
    start, findings = time.monotonic(), set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda one: tidy(build, *one), due):
            for line in sorted(set(found) - findings):
                print(line.replace(f"{ROOT}/", ""), flush=True)
            findings.update(found)
    print(f"clang-tidy: {len(due)} of {len(everything)} sources were due, {len(findings)} findings, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if findings or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
