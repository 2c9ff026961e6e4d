"""The faults of the soak: each starts a training, does something to it at a moment that chance chose, and waits for its
end. What it may end with is part of the fault."""
import dataclasses
import errno
import os
import pathlib
import signal
import subprocess
import time

TOOLS = pathlib.Path(__file__).resolve().parent
HOSTS = "10.77.0.1:1,10.77.0.2:1"
LOST, TOLD, INTERRUPTED = 4, 75, 130  # plimsoll's exit codes
SILENCE = 3


@dataclasses.dataclass
class Came:
    """What came of a start with a fault. `hit`: the fault came before the end."""
    code: int | None
    hit: bool
    may: set
    started: object


@dataclasses.dataclass
class Usual:
    """What an undisturbed run of the same settings takes: when a fault may come."""
    seconds: float
    steps: int


class Moment:
    """A moment of a run: so long after its start, or a few milliseconds after one of its steps."""

    def __init__(self, chance, usual):
        self.after = chance.uniform(0, usual.seconds) if chance.random() < 0.4 else None
        self.step = chance.randint(0, usual.steps // 2)
        self.more = chance.choice([0, chance.uniform(0, 0.02)])

    def wait(self, training, started, before):
        if self.after is not None:
            return started.wait(self.after)
        while started.running() and training.steps() < before + self.step:
            time.sleep(0.0005)
        return started.wait(self.more)


def started_until(moment, training, **how):
    before = training.steps()
    started = training.start(**how)
    moment.wait(training, started, before)
    return started


def send(process, number):
    try:
        os.kill(process, number)
        return True
    except ProcessLookupError:
        return False


def kill_program(training, chance, usual, _):
    """SIGKILL to the process that the user started: the run itself, or the launcher of its workers."""
    started = started_until(Moment(chance, usual), training)
    started.process.send_signal(signal.SIGKILL)
    code = started.wait()
    return Came(code, code == -signal.SIGKILL, {-signal.SIGKILL}, started)


def some_worker(started, chance):
    workers = started.workers()
    return workers[chance.choice(sorted(workers))] if workers else None


def signal_worker(training, chance, usual, number):
    started = started_until(Moment(chance, usual), training)
    worker = some_worker(started, chance)
    hit = worker is not None and send(worker, number)
    code = started.wait()
    return Came(code, hit and code != 0, {LOST}, started)


def kill_worker(training, chance, usual, _):
    """SIGKILL to one of several workers."""
    return signal_worker(training, chance, usual, signal.SIGKILL)


def kill_mpirun(training, chance, usual, _):
    """SIGKILL to mpirun, between the launcher and its workers."""
    started = started_until(Moment(chance, usual), training)
    starters = [process for process, word, _ in started.processes() if word == "mpirun"]
    hit = bool(starters) and send(starters[0], signal.SIGKILL)
    code = started.wait()
    return Came(code, hit and code != 0, {LOST}, started)


def crash(training, chance, usual, _):
    """SIGSEGV or SIGABRT, as a bug would send it, to a worker or to the only process."""
    number = chance.choice([signal.SIGSEGV, signal.SIGABRT])
    if training.workers > 1:
        return signal_worker(training, chance, usual, number)
    started = started_until(Moment(chance, usual), training)
    started.process.send_signal(number)
    code = started.wait()
    return Came(code, code == -number, {-number}, started)


def failing(faulty, folder, calls, how, at, always=False):
    return {"LD_PRELOAD": str(faulty), "PLIM_FAULT_UNDER": str(folder), "PLIM_FAULT_CALLS": calls,
            "PLIM_FAULT_HOW": str(how), "PLIM_FAULT_AT": str(at), "PLIM_FAULT_ON": "always" if always else "once"}


def some_call(chance, usual):
    """Of those that write to the run's folder: two for each step, some fifteen for each checkpoint."""
    return chance.randint(1, chance.choice([30, 8 * usual.steps]))


def kill_at_call(training, chance, usual, faulty):
    """SIGKILL just before one of the calls that write to the run's folder."""
    fault = failing(faulty, training.folder, "open,write,fsync,rename,unlink", "kill", some_call(chance, usual))
    started = training.start(environment=fault)
    code = started.wait()
    return Came(code, code != 0, {LOST if training.workers > 1 else -signal.SIGKILL}, started)


def disk_fails(training, chance, usual, faulty):
    """A call that writes fails: the disk is full or broken, once or from then on. Training goes on where it can."""
    how = chance.choice([errno.ENOSPC, errno.EIO, errno.EDQUOT])
    fault = failing(faulty, training.folder, "open,write,fsync,rename", how, some_call(chance, usual),
                    always=chance.random() < 0.5)
    started = training.start(environment=fault)
    code = started.wait()
    return Came(code, code != 0 or bool(started.said()), {LOST}, started)


def write_is_cut(training, chance, usual, faulty):
    """A write takes half of its bytes, or is interrupted (EINTR), every time: nothing may be missing."""
    fault = failing(faulty, training.folder, "write", chance.choice(["short", errno.EINTR]), some_call(chance, usual))
    started = training.start(environment=fault)
    return Came(started.wait(), True, {0}, started)


def tell_to_stop(training, chance, usual, _):
    """SIGTERM, as batch systems send it."""
    started = started_until(Moment(chance, usual), training)
    started.process.send_signal(signal.SIGTERM)
    code = started.wait()
    return Came(code, code != 0, {TOLD, -signal.SIGTERM}, started)


def interrupt(training, chance, usual, _):
    """Ctrl-C, once or twice."""
    started = started_until(Moment(chance, usual), training)
    for _ in range(chance.choice([1, 2])):
        started.process.send_signal(signal.SIGINT)
        time.sleep(chance.uniform(0, 0.01))
    code = started.wait()
    return Came(code, code != 0, {INTERRUPTED, -signal.SIGINT}, started)


def pause(training, chance, usual, _):
    """SIGSTOP to a process of the run, SIGCONT a moment later: nothing may come of it."""
    started = started_until(Moment(chance, usual), training)
    who = chance.choice(started.processes() or [(0, "", None)])[0]
    hit = who != 0 and send(who, signal.SIGSTOP)
    time.sleep(chance.uniform(0, 0.3))
    if hit:
        send(who, signal.SIGCONT)
    return Came(started.wait(), hit, {0}, started)


def silent_worker(training, chance, usual, _):
    """SIGSTOP to a worker for good: the others end when it has been silent for too long."""
    started = started_until(Moment(chance, usual), training, silence=SILENCE)
    worker = some_worker(started, chance)
    hit = worker is not None and send(worker, signal.SIGSTOP)
    code = started.wait()
    return Came(code, hit and code != 0, {LOST}, started)


def restart(training, chance, usual, _):
    """SIGKILL to a worker of a run that may restart: it does, and ends well."""
    started = started_until(Moment(chance, usual), training, more=["--max-restarts", "3"])
    worker = some_worker(started, chance)
    hit = worker is not None and send(worker, signal.SIGKILL)
    code = started.wait()
    # Before there is a run to go on with, there is nothing to restart.
    return Came(code, hit and code != 0 or "restart 1 of" in started.said(), {LOST}, started)


def cut_cable(training, chance, usual, _):
    """Two hosts, and the cable between them is cut: for good, or for less than the silence."""
    for_good = chance.random() < 0.7
    started = started_until(Moment(chance, Usual(4 * usual.seconds, usual.steps)), training,
                            before=[str(TOOLS / "two_hosts.sh")],
                            more=["--hosts", HOSTS], silence=SILENCE)
    worker = started.workers().get(1)
    hit = worker is not None and set_cable(worker, "down")
    if hit and not for_good:
        time.sleep(chance.uniform(0, 0.5))
        set_cable(worker, "up")
    code = started.wait()
    return Came(code, hit, {LOST}, started)


def set_cable(worker, state):
    return subprocess.run(["nsenter", "--target", str(worker), "--net", "ip", "link", "set", "cable", state],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def two_hosts_are_there():
    return os.geteuid() == 0 and subprocess.run([str(TOOLS / "two_hosts.sh"), "true"], stderr=subprocess.DEVNULL,
                                                check=False).returncode == 0


ANY, SEVERAL, TWO = {1, 2, 4}, {2, 4}, {2}
# name -> function, numbers of workers that have it, how often it is taken, whether it counts as a kill
FAULTS = {
    "kill the program": (kill_program, ANY, 30, True),
    "kill a worker": (kill_worker, SEVERAL, 25, True),
    "kill mpirun": (kill_mpirun, SEVERAL, 6, True),
    "kill at a write": (kill_at_call, ANY, 22, True),
    "kill, restarted": (restart, SEVERAL, 3, True),
    "crash": (crash, ANY, 3, False),
    "told to stop": (tell_to_stop, ANY, 5, False),
    "interrupted": (interrupt, ANY, 5, False),
    "paused": (pause, ANY, 2, False),
    "stopped for good": (silent_worker, SEVERAL, 1, False),
    "disk fails": (disk_fails, ANY, 6, False),
    "write is cut": (write_is_cut, ANY, 1, False),
    "cable is cut": (cut_cable, TWO, 2, False),
}


def choose_fault(chance, workers, left_out=()):
    names = [name for name, fault in FAULTS.items() if workers in fault[1] and name not in left_out]
    return chance.choices(names, [FAULTS[name][2] for name in names])[0]
