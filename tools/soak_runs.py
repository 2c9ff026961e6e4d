"""The trainings of the fault soak: small networks on made-up pictures, how they are started, and what must hold of a
run's folder and of its processes after a fault."""
import hashlib
import itertools
import json
import os
import pathlib
import signal
import struct
import subprocess
import time
import zlib

HANG_SECONDS = 90  # nothing may take longer to end
GONE_SECONDS = 10  # nor may a process stay longer than that after its launcher

# Each keeps something else from step to step: momentum, the best epoch and patience; Adam's moments and batch norms'
# statistics; dropout's random numbers; micro-batches.
SETTINGS = {
    "lenet5": "lenet5 --epochs 5 --optimizer momentum --schedule poly:2 --augment shift:2 --early-stop 2",
    "norms": "convergence_bn --input 1x16x16 --epochs 2 --optimizer adam --augment flip --validation 0",
    "dropout": "fmnist_cnn --input 1x12x12 --epochs 2 --optimizer nesterov --normalise standard --validation 0.1",
    "linear": "logistic --epochs 4 --optimizer lamb --warmup 1epochs --micro-batches 2 --validation 0",
}
EVERYWHERE = "--classes 4 --batch 2 --threads 1 --loaders 0 --seed 7 --save-every 3steps"


def write_data(folder, samples=96, size=28, classes=4):
    """A set in IDX files that a network can learn: each class is a bright row of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in (("train", samples), ("t10k", samples // 4)):
        images = bytes((i * 2654435761 + y * 40503 + x * 9973) % 100 + (150 if y == i % classes else 0)
                       for i in range(count) for y in range(size) for x in range(size))
        labels = bytes(i % classes for i in range(count))
        (folder / f"{part}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, count, size, size) + images)
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, count) + labels)


class Training:
    """One run in a folder of its own; started, ended by a fault and started again, as often as it takes."""

    def __init__(self, program, data, folder, setting, workers):
        self.program, self.data, self.folder = program, data, folder
        self.setting, self.workers = setting, workers

    def words(self, silence):
        """Those of the first start, or of one that goes on where there is something to go on with."""
        if (self.folder / "config.json").exists():
            flags = ["--resume"]
        else:
            flags = SETTINGS[self.setting].split() + EVERYWHERE.split() + ["--data", str(self.data)]
        several = ["-np", str(self.workers), "--silence", str(silence)] if self.workers > 1 else []
        return [str(self.program), "train", *flags, "--run-dir", str(self.folder), "--quiet", "--json", *several]

    def start(self, more=(), environment=(), before=(), silence=20):
        return Started([*before, *self.words(silence), *more], self.folder, dict(environment))

    def steps(self):
        """Lines of steps in the log, those taken twice counted twice."""
        try:
            return (self.folder / "log.jsonl").read_bytes().count(b'"event":"step"')
        except FileNotFoundError:
            return 0


class Started:
    """A start of a training: the program, and whoever it starts. All have a mark in their environment."""
    numbers = itertools.count()

    def __init__(self, words, folder, environment):
        self.mark = f"PLIM_SOAK_START={os.getpid()}-{next(Started.numbers)}"
        self.out, self.err = folder.with_suffix(".out"), folder.with_suffix(".err")
        name, value = self.mark.split("=")
        no_probe = str(folder.parent / "no-probe.json")  # nothing may depend on what was measured of this machine
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            env={**os.environ, "PLIMSOLL_PROBE": no_probe, name: value, **environment})

    def running(self):
        return self.process.poll() is None

    def wait(self, seconds=HANG_SECONDS):
        """Its exit code, negative when a signal ended it; None when it hangs."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def processes(self):
        """(process, first word, rank or None) of each that is there."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")
                word = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
            except OSError:  # it has just ended
                continue
            if self.mark.encode() in environment:
                ranks = [int(one[10:]) for one in environment if one.startswith(b"PMIX_RANK=") and one[10:].isdigit()]
                found.append((int(entry), os.path.basename(word), ranks[0] if ranks else None))
        return found

    def workers(self):
        """rank -> process"""
        return {rank: process for process, word, rank in self.processes() if rank is not None and word == "plimsoll"}

    def left(self):
        """Who is still there when everybody should have gone."""
        end = time.monotonic() + GONE_SECONDS
        while (there := self.processes()) and time.monotonic() < end:
            time.sleep(0.01)
        return there

    def end_all(self):
        for process, _, _ in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def said(self):
        return self.err.read_text(errors="replace").strip()[-600:]


def checkpoint(folder, kind):
    """(step, bytes of the tensors) of a whole checkpoint; None without one. What is broken about it raises."""
    path = folder / f"{kind}.json"
    if not path.exists():
        return None
    text = json.loads(path.read_text())
    tensors = (folder / text["tensors"]).read_bytes()
    if len(tensors) != text["bytes"] or zlib.crc32(tensors) != text["crc32"]:
        raise ValueError(f"{path.name} names {text['tensors']}, which is not what was saved")
    return text["state"]["step"], tensors


def leftovers(folder):
    """Files that are no part of a run."""
    named = {json.loads((folder / f"{kind}.json").read_text())["tensors"]
             for kind in ("last", "best") if (folder / f"{kind}.json").exists()}
    return {entry.name for entry in os.scandir(folder)
            if entry.name.endswith(".part") or (entry.name.endswith(".safetensors") and entry.name not in named)}


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items()
                if not name.endswith("seconds") and name != "images_per_second"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def fingerprint(folder, out):
    """All that a run came to, apart from times: a difference in one bit of a weight or a loss is another one."""
    state = without_times(json.loads((folder / "last.json").read_text())["state"])
    result = json.loads(out.read_text())
    told = {name: result.get(name) for name in ("ended", "steps", "test_loss", "test_accuracy", "best_epoch")}
    print_of = {"state": state, "told": told}
    for kind in ("last", "best"):
        saved = checkpoint(folder, kind)
        print_of[kind] = saved and [saved[0], hashlib.sha256(saved[1]).hexdigest()]
    return print_of
