#!/usr/bin/env python3
"""check_tidy.py BUILD_DIR JOBS [--changed] [--minutes M] [REGEX]: clang-tidy over our sources.

BUILD_DIR is configured with the preset tidy, in which every source has a compile command of its own; nothing needs to
be compiled there but the generated headers. REGEX: only sources whose path matches.

--changed: what this branch has changed (against PLIM_BASE, or where it left the main branch, or on that the commit
before), the working tree included, and for each changed header one source that reads it. All sources where git cannot
tell. --minutes: no source is begun after that; those left are counted. One source takes seconds, all of them many
minutes: what passed is looked at again only when it, a header that it reads or .clang-tidy has changed.
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = re.compile(r"(src|tests|bench|examples)/")
MAIN_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


def git(*words):
    """What git prints, or None when it has nothing to say."""
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def base_commit():
    """The commit that this change is held against; None where git cannot tell."""
    if os.environ.get("PLIM_BASE"):
        return git("rev-parse", "--verify", "--quiet", os.environ["PLIM_BASE"] + "^{commit}")
    head = git("rev-parse", "--verify", "--quiet", "HEAD")
    for branch in MAIN_BRANCHES:
        left = git("merge-base", "HEAD", branch)
        if left and left != head:
            return left
    return git("rev-parse", "--verify", "--quiet", "HEAD^1")


def changed_paths():
    """Paths that differ from the base, untracked ones included; None where git cannot tell."""
    base = base_commit()
    if not base:
        return None
    differing = git("diff", "--name-only", "--diff-filter=d", base)
    untracked = git("ls-files", "--others", "--exclude-standard")
    if differing is None or untracked is None:
        return None
    return set(differing.split("\n") + untracked.split("\n")) - {""}


@functools.lru_cache(maxsize=None)
def included(path):
    """The files of ours that a file includes itself."""
    if not (ROOT / path).is_file():
        return ()
    found = re.findall(r'^\s*#\s*include\s+"([^"]+)"', (ROOT / path).read_text(errors="replace"), re.MULTILINE)
    places = [(name, f"src/{name}", f"{path.rsplit('/', 1)[0]}/{name}") for name in found]
    return tuple(place for choice in places for place in choice if (ROOT / place).is_file())


@functools.lru_cache(maxsize=None)
def read_by(source):
    """The source and every file of ours that it reads."""
    seen, due = set(), [source]
    while due:
        path = due.pop()
        if path not in seen:
            seen.add(path)
            due.extend(included(path))
    return frozenset(seen)


def digest(source):
    """Another one when the source, a header that it reads or the settings change."""
    whole = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for path in sorted(read_by(source)):
        whole.update((ROOT / path).read_bytes())
    return whole.hexdigest()


def sources(build, pattern):
    """The path of every source of ours in the build, from the root of the repository."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.is_relative_to(ROOT) and not source.is_relative_to(build):
            path = source.relative_to(ROOT).as_posix()
            if OURS.match(path) and re.search(pattern, path):
                yield path


def touched_by(changed, everything):
    """The sources to look at: changed ones, and for each changed header the one that reads least besides it."""
    chosen = {path for path in everything if path in changed}
    for header in sorted(path for path in changed if path.endswith(".h") and OURS.match(path)):
        readers = [path for path in everything if header in read_by(path)]
        if readers and not chosen & set(readers):
            chosen.add(min(readers, key=lambda path: (len(read_by(path)), path)))
    return chosen


def stamp_of(build, source):
    return build / "tidy" / (source + ".passed")


def passed_before(build, source):
    stamp = stamp_of(build, source)
    return stamp.exists() and stamp.read_text() == digest(source)


def tidy(build, source, until):
    """The findings in one source, without repeats; leaves a stamp when there are none. None: time was up."""
    if time.monotonic() > until:
        return None
    done = subprocess.run(["clang-tidy", "--quiet", "-p", build, ROOT / source], capture_output=True, text=True,
                          check=False)
    if done.returncode == 0:
        stamp_of(build, source).parent.mkdir(parents=True, exist_ok=True)
        stamp_of(build, source).write_text(digest(source))
        return []
    return re.findall(r"^.*(?:warning|error): .*$", done.stdout + done.stderr, re.MULTILINE) or [f"{source}: failed"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("jobs", type=int)
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("pattern", nargs="?", default="")
    return parser.parse_args()


def main():
    asked = arguments()
    everything = sorted(set(sources(asked.build, asked.pattern)))
    changed = changed_paths() if asked.changed else None
    if asked.changed and changed is None:
        print("clang-tidy: git does not tell what has changed, so all sources are due")
    wanted = everything if changed is None else touched_by(changed, everything)
    due = sorted(path for path in wanted if not passed_before(asked.build, path))
    # Where the time does not suffice for all, another commit has others looked at.
    random.Random(git("rev-parse", "HEAD")).shuffle(due)
    start, findings, left = time.monotonic(), set(), 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for found in pool.map(lambda path: tidy(asked.build, path, start + 60 * asked.minutes), due):
            left += found is None
            for line in sorted(set(found or []) - findings):
                print(line.replace(f"{ROOT}/", ""), flush=True)
            findings.update(found or [])
    print(f"clang-tidy: {len(due)} of {len(everything)} sources were due, {len(findings)} findings, "
          f"{time.monotonic() - start:.0f} s" + (f"; time was up before {left} of them" if left else ""))
    return 1 if findings or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
