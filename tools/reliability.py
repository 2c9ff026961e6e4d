#!/usr/bin/env python3
"""reliability.py: writes docs/reliability.md from what was run: soaks (docs/runs/soak.json), fuzzers
(docs/runs/fuzz.csv) and the tests that are there. It runs nothing itself."""
import collections
import csv
import json
import pathlib
import re
import sys

from soak_faults import FAULTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOAKS, FUZZED = ROOT / "docs" / "runs" / "soak.json", ROOT / "docs" / "runs" / "fuzz.csv"
DOCUMENT = ROOT / "docs" / "reliability.md"
WORKERS = ("1", "2", "4")
ENGINES = ("libFuzzer", "seeded")
DOORS = {
    "onnx": "ONNX files", "safetensors": "safetensors files", "idx": "IDX files (MNIST)", "cifar": "CIFAR batches",
    "picture": "JPEG and PNG pictures", "device": "device files", "checkpoint": "checkpoints' JSON",
    "run_log": "run logs", "text": "labelled texts (CSV)", "gzip": "compressed files", "request": "HTTP requests",
    "question": "the page's questions", "words": "the command line", "numbers": "numbers and sizes as typed",
    "config": "config.json", "gguf": "headers of .gguf files", "tokenizer": "tokenizer.json",
    "c_interface": "the C interface's JSON",
}

TEXT = """# What was tried to break it

Written by `make reliability` from runs that are kept: nothing here is estimated, and nothing is claimed beyond what
was run. Each section ends with the command that makes its figures again.

## Trainings that are killed, stopped and starved

A soak trains small networks (momentum with early stopping, Adam with batch norm, dropout, LAMB in micro-batches),
each a fraction of a second to a few seconds long, saved every three steps, on 1, 2 and 4 workers. A seed decides
the network, the faults and their moments: {most} faults follow each other in one run at most. After each fault the
run is resumed with `train --resume`. These must hold, and a run that breaks one of them counts as broken:

- the checkpoint that was there before the fault, or a newer one, is there and whole: its checksum is computed anew,
  by another program;
- every process of the run is gone ten seconds after the one that the user started; nothing hangs for {hang}
  seconds;
- at the end the weights, the optimizer's state, the losses, the best epoch and the test's result are bit by bit
  those of a run that nobody disturbed;
- no unfinished file and no lock is left in the run's folder.

{soak}

What each fault is:

{faults}

```
make soak SOAK_KILLS=1000 SOAK_MINUTES=60
python3 tools/soak.py build --seed 17    # one seed again, telling what happens
```

`ctest -L long` runs 40 kills from fixed seeds. A kill that comes at a moment, and not at a call, comes at another
one on another machine: the same seed need not meet the same instruction twice.

What a soak does not show: power failures (the order in which a disk writes is not changed), disks that lie about
having written, machines of more than one kind in one run.

A worker that is killed in the first moments of a start is noticed at once from when it has spoken to the launcher,
before MPI begins; before that mpirun notices it. The soaks of 2026-11-17 ran before that was so.

Single faults have tests of their own: `tests/fault` ({fault} tests; every call of a save is killed or refused in
turn) and `tests/dist` ({dist} tests; workers lost, silent and slow, a cut cable, memory refused to one of them).

## Files and requests of strangers

Each door is fed by a fuzzer. *libFuzzer* is clang's, with address and undefined-behaviour sanitizers, and looks for
inputs that reach new code. *seeded* is a driver of the tests' own, which changes files of the corpus at random from
numbered seeds, in the release build and without sanitizers (container checks stay on). An input is a finding when
it crashes, is refused with more than one line, or breaks a promise of its door (what is accepted can be read; what is
written is read as the same); with libFuzzer also when it leaks, has undefined behaviour, or takes more than 25
seconds or 3 GB.

{fuzz}

{findings}

```
make fuzz FUZZ_SECONDS=60
tools/fuzz.sh build 60    # the seeded driver, after make test
```

`ctest -L fuzz` runs each harness on its files in `tests/fuzz/corpus` ({corpus} of them) and on some thousands of
mutants from fixed seeds, with any compiler.

Hostile files that people have thought of are tests of their own: {error} tests in `tests/error` hold that each gets
one line on stderr, an exit code from the documented table and leaves no file behind; `tests/sweep/tell` tries
hostile requests on every route of the page's server.

```
ctest --test-dir build -L "error|fault|dist|fuzz"
```

## Sanitizers

`make test-all` builds all of it with gcc's address and undefined-behaviour sanitizers and runs the tests of units,
lists, errors, faults and fuzzers there, and those of threads with ThreadSanitizer; `make fuzz` uses clang's. Open MPI's
and oneDNN's own code is not compiled with them.
"""


def table(rows):
    head, *rest = rows
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rest])


def number(value):
    return f"{value:,}"


def soak_table(soaks, notes):
    counts, commits = collections.Counter(), []
    for soak in soaks:
        for name, by_workers in soak["faults"].items():
            counts.update({(name, workers): times for workers, times in by_workers.items()})
        minutes = round(soak["seconds"] / 60)
        commits.append(f"commit `{soak['commit']}`, {soak['date']}, {soak['processor']}: {number(soak['runs'])} runs "
                       f"of {minutes} min together, {soak['broken']} broken")
    rows = [["fault", "1 worker", "2 workers", "4 workers", "all"]]
    for name in FAULTS:
        row = [counts[name, workers] for workers in WORKERS]
        rows.append([name, *map(number, row), number(sum(row))])
    kills = sum(times for (name, _), times in counts.items() if FAULTS[name][3])
    broken = sum(soak["broken"] for soak in soaks)
    rows.append(["**all**", *(number(sum(counts[name, workers] for name in FAULTS)) for workers in WORKERS),
                 number(sum(counts.values()))])
    said = (f"**{number(kills)} kills and {number(sum(counts.values()) - kills)} other faults in "
            f"{number(sum(soak['runs'] for soak in soaks))} runs; {number(broken)} runs broke a promise.**")
    return "\n\n".join([said, table(rows), "\n".join(f"- {one}" for one in commits + notes)])


def fuzz_table(lines):
    executions, last = collections.Counter(), {}
    for line in lines:
        executions[line["harness"], line["engine"]] += int(line["executions"])
        last[line["harness"]] = line["date"]
    rows = [["door", "harness", *ENGINES, "last run"]]
    for name, door in DOORS.items():
        rows.append([door, f"`{name}`", *(number(executions[name, engine]) for engine in ENGINES),
                     last.get(name, "not yet")])
    sums = [sum(executions[name, engine] for name in DOORS) for engine in ENGINES]
    rows.append(["**all**", "", *(f"**{number(one)}**" for one in sums), ""])
    return table(rows) + f"\n\nIn all {number(sum(sums))} inputs."


def findings_text(lines):
    found = [line for line in lines if int(line["findings"])]
    if not found:
        return "No run that is counted here ended with a finding."
    latest = max(found, key=lambda line: line["date"])
    names = ", ".join(sorted({f"`{line['harness']}`" for line in found}))
    return (f"{len(found)} of these runs ended with a finding ({names}), the last on {latest['date']}. Each was mended "
            f"and is now a file of the corpus, or the harness asked for too much and was corrected.")


def tests_in(folder):
    return sum(len(re.findall(r"^TEST(?:_F|_P)?\(", path.read_text(), re.M))
               for path in (ROOT / "tests" / folder).rglob("*.cpp"))


def main():
    harnesses = {path.name.removesuffix("_fuzz.cpp") for path in (ROOT / "tests" / "fuzz").glob("*_fuzz.cpp")}
    if nameless := harnesses - DOORS.keys():
        sys.exit(f"reliability: DOORS does not say what these harnesses feed: {', '.join(sorted(nameless))}")
    kept = json.loads(SOAKS.read_text()) if SOAKS.exists() else {"soaks": []}
    lines = list(csv.DictReader(FUZZED.open())) if FUZZED.exists() else []
    faults = "\n".join(f"- *{name}*: {' '.join(one[0].__doc__.split())}" for name, one in FAULTS.items())
    DOCUMENT.write_text(TEXT.format(
        most=9, hang=90, soak=soak_table(kept["soaks"], kept.get("notes", [])), faults=faults,
        fuzz=fuzz_table(lines), findings=findings_text(lines),
        corpus=len(list((ROOT / "tests" / "fuzz" / "corpus").iterdir())),
        **{folder: tests_in(folder) for folder in ("fault", "dist", "error")}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
