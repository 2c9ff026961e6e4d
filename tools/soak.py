#!/usr/bin/env python3
"""soak.py BUILD_DIR [--kills N] [--minutes N] [--jobs N] [--seed N]: trainings that are killed, stopped, cut off and
refused the disk at moments that chance chooses, and resumed until they end. Each must end as if nothing had happened.

A seed decides all of a run: its network, 1, 2 or 4 workers, its faults and their moments. After each fault the last
checkpoint is whole and no older than before, nobody of the run is left after ten seconds and nothing hangs; at the end
the weights, the losses and the state are bit by bit those of an undisturbed run, and no unfinished file is left.

What was run is kept in BUILD_DIR/soak/runs.jsonl and added to docs/runs/soak.json; the next soak goes on with the next
seed. --seed N runs that one again, and neither counts nor removes it.
"""
import argparse
import collections
import concurrent.futures
import datetime
import fcntl
import json
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

from soak_faults import FAULTS, Usual, choose_fault, two_hosts_are_there
from soak_runs import HANG_SECONDS, SETTINGS, Training, checkpoint, fingerprint, leftovers, write_data

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "runs" / "soak.json"
WORKERS = {1: 50, 2: 27, 4: 23}  # how often each is taken


class Broken(Exception):
    """A promise that did not hold."""


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()


def commit():
    """With a mark when what was built, or this program, is not what was committed."""
    changed = git("status", "--porcelain", "--", "src", "tools/soak*.py")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("-dirty" if changed else "")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


class Soak:
    def __init__(self, build, work):
        self.program, self.faulty = build / "plimsoll", build / "tests" / "libfailing_calls.so"
        self.work, self.data = work, work / "data"
        work.mkdir(parents=True, exist_ok=True)
        self.lock = (work / "lock").open("w")  # two would do the same seeds in the same folders
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        write_data(self.data)
        self.left_out = () if two_hosts_are_there() else ("cable is cut",)
        self.undisturbed = {}  # (setting, workers) -> (fingerprint, Usual)
        self.locks = collections.defaultdict(threading.Lock)

    def reference(self, setting, workers):
        key = setting, workers
        with self.locks[key]:
            return self.undisturbed.get(key) or self.run_undisturbed(key)

    def run_undisturbed(self, key):
        setting, workers = key
        folder = self.fresh(f"undisturbed-{setting}-{workers}")
        training = Training(self.program, self.data, folder, setting, workers)
        begin = time.monotonic()
        started = training.start()
        if started.wait() != 0:
            raise Broken(f"an undisturbed run fails: {started.said()}")
        usual = Usual(time.monotonic() - begin, training.steps())
        self.undisturbed[key] = fingerprint(folder, started.out), usual
        return self.undisturbed[key]

    def fresh(self, name):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def run(self, seed, keep=False, tell=lambda _: None):
        """One training with its faults, to its end: what is written about it."""
        chance = random.Random(seed)
        workers = chance.choices(list(WORKERS), list(WORKERS.values()))[0]
        setting = chance.choice(sorted(SETTINGS))
        told = {"seed": seed, "workers": workers, "setting": setting, "faults": [], "broken": None}
        begin = time.monotonic()
        folder = self.fresh(f"seed-{seed}")
        tell(f"{setting} on {workers}, in {folder}")
        try:
            expected, usual = self.reference(setting, workers)
            self.train(Training(self.program, self.data, folder, setting, workers), chance, usual, expected, told, tell)
            if not keep:
                for path in (folder.with_suffix(".out"), folder.with_suffix(".err")):
                    path.unlink()
                shutil.rmtree(folder)
        except Broken as broken:
            told["broken"] = str(broken)
        told["seconds"] = round(time.monotonic() - begin, 2)
        return told

    def train(self, training, chance, usual, expected, told, tell):
        for _ in range(chance.randint(3, 9)):
            name = choose_fault(chance, training.workers, self.left_out)
            had = steps_saved(training.folder)
            came = FAULTS[name][0](training, chance, usual, self.faulty)
            tell(f"{name}: {'hit' if came.hit else 'missed'}, exit code {came.code}")
            if came.hit:
                told["faults"].append(name)
            check_end(came.started, came.code, came.may | {0}, name)
            check_checkpoints(training.folder, had, name)
            if came.code == 0:
                break
        if came.code != 0:
            came.started = training.start()
            check_end(came.started, came.started.wait(), {0}, "the last start")
        check_result(training.folder, came.started, expected)


def check_end(started, code, may, after):
    try:
        if code is None:
            raise Broken(f"{after}: hangs for more than {HANG_SECONDS} s: {started.processes()}")
        if code not in may:
            raise Broken(f"{after}: exit code {code}, expected one of {sorted(may)}: {started.said()}")
        if left := started.left():
            raise Broken(f"{after}: still there: {left}")
    finally:
        started.end_all()


def steps_saved(folder):
    return {kind: saved[0] for kind in ("last", "best") if (saved := checkpoint(folder, kind))}


def check_checkpoints(folder, had, after):
    try:
        there = steps_saved(folder)
    except (OSError, ValueError, KeyError) as error:
        raise Broken(f"{after}: a checkpoint is broken: {error}") from error
    for kind, step in had.items():
        if there.get(kind, -1) < step:
            raise Broken(f"{after}: the checkpoint of step {step} is lost, there is {there.get(kind)}")


def check_result(folder, started, expected):
    if left := leftovers(folder):
        raise Broken(f"left behind: {sorted(left)}")
    if (folder / "lock").exists():
        raise Broken("the lock is left behind")
    got = fingerprint(folder, started.out)
    for part, value in expected.items():
        if got[part] != value:
            raise Broken(f"{part} differs from the undisturbed run's: {got[part]}, expected {value}")


class Kept:
    """What was run, of all soaks: sums for each commit and processor in docs/runs/soak.json."""

    def __init__(self, runs):
        self.runs = runs
        self.all = json.loads(KEPT.read_text()) if KEPT.exists() else {"next_seed": 0, "soaks": []}
        self.commit, self.processor = commit(), processor()
        if runs.exists():  # what a soak that was killed could not add
            for line in runs.read_text().splitlines():
                told = json.loads(line)
                if told["seed"] >= self.all["next_seed"]:
                    self.add(told)

    def append(self, told):
        told.update(commit=self.commit, processor=self.processor,
                    date=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
        with self.runs.open("a") as file:
            file.write(json.dumps(told) + "\n")
        self.add(told)

    def add(self, told):
        key = {name: told[name] for name in ("commit", "processor")}
        soak = next((one for one in self.all["soaks"] if key.items() <= one.items()), None)
        if soak is None:
            soak = {**key, "runs": 0, "broken": 0, "seconds": 0, "faults": {}}
            self.all["soaks"].append(soak)
        soak["date"] = told["date"]
        soak["runs"] += 1
        soak["broken"] += told["broken"] is not None
        soak["seconds"] = round(soak["seconds"] + told["seconds"], 2)
        for name in told["faults"]:
            counts = soak["faults"].setdefault(name, {})
            counts[str(told["workers"])] = counts.get(str(told["workers"]), 0) + 1
        self.all["next_seed"] = told["seed"] + 1

    def write(self):
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        beside = KEPT.with_suffix(".json.part")
        beside.write_text(json.dumps(self.all, indent=1) + "\n")
        beside.replace(KEPT)


def show(counts):
    """counts: (fault, workers) -> times"""
    print(f"{'':20}{'1 worker':>10}{'2':>8}{'4':>8}")
    for name in FAULTS:
        row = [counts[name, workers] for workers in WORKERS]
        print(f"{name:20}{row[0]:>10}{row[1]:>8}{row[2]:>8}")


def repeat(build, seed):
    return f"python3 tools/soak.py {build} --seed {seed}"


def each_run(soak, first, jobs):
    """What came of one seed after the other; so many run beside each other, as most of a run is waiting."""
    ahead = 1 if jobs == 1 else 10 * jobs  # so that nobody waits for a long one
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        begun = collections.deque(pool.submit(soak.run, first + i) for i in range(ahead))
        next_seed = first + ahead
        try:
            while True:
                yield begun.popleft().result()
                begun.append(pool.submit(soak.run, next_seed))
                next_seed += 1
        finally:
            for run in begun:
                run.cancel()


def soak_on(soak, kept, first, options):
    """Until the kills or the minutes are over: the number of runs that broke a promise."""
    counts, broken, kills, runs = collections.Counter(), 0, 0, 0
    begin = shown = time.monotonic()
    for told in each_run(soak, first, options.jobs):
        runs += 1
        counts.update((name, told["workers"]) for name in told["faults"])
        kills += sum(FAULTS[name][3] for name in told["faults"])
        if told["broken"]:
            broken += 1
            print(f"seed {told['seed']}: {told['broken']}\n  again: {repeat(options.build, told['seed'])}", flush=True)
        if kept:
            kept.append(told)
        if time.monotonic() - shown > 5:
            shown = time.monotonic()
            print(f"{kills} kills, {sum(counts.values())} faults, {runs} runs, {broken} broken, {shown - begin:.0f} s",
                  flush=True)
        if kills >= options.kills or time.monotonic() - begin > options.minutes * 60:
            break
    show(counts)
    print(f"{kills} kills and {sum(counts.values()) - kills} other faults in {runs} runs on commit {commit()}: "
          f"{broken} runs broke a promise")
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=sys.maxsize, help="end after so many")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--jobs", type=int, default=1, help="runs beside each other (1)")
    parser.add_argument("--seed", type=int, help="this one alone, telling what happens")
    parser.add_argument("--first", type=int, help="begin with this seed, and keep nothing of it: for tests")
    options = parser.parse_args()
    build = options.build.resolve()
    work = build / "soak" if options.first is None else build / "soak-test"
    try:
        soak = Soak(build, work)
    except BlockingIOError:
        sys.exit(f"soak.py: another soak is running in {work}")
    if options.seed is not None:
        told = soak.run(options.seed, keep=True, tell=print)
        print(told["broken"] or "as undisturbed")
        return 1 if told["broken"] else 0
    if options.first is not None:
        return 1 if soak_on(soak, None, options.first, options) else 0
    kept = Kept(work / "runs.jsonl")
    try:
        return 1 if soak_on(soak, kept, kept.all["next_seed"], options) else 0
    finally:
        kept.write()


if __name__ == "__main__":
    sys.exit(main())
