"""Many calls, from many threads: nothing is kept, and Python goes on while the library plans."""
import gc
import resource
import sys
import threading
import time

import plimsoll as pl


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_a_thousand_calls_leak_nothing(resnet18_file):
    content = resnet18_file.read_bytes()

    def calls(count: int) -> None:
        for _ in range(count):
            pl.weigh("lenet5")
            pl.weigh(content, depth=0)
        gc.collect()

    calls(100)
    before = resident()
    calls(500)
    assert resident() - before < 8 * 2 ** 20  # an answer is 30 KiB, the file 40 KiB: a leak would be 30 MiB


def in_ten_threads(ask) -> None:
    threads = [threading.Thread(target=ask) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()


def test_ten_threads_get_the_answers_of_one_and_leak_nothing():
    expected = pl.fit("lenet5", device="nvidia-t4", brief=True)
    same = []

    def ask(count: int) -> None:
        for _ in range(count):
            same.append(pl.fit("lenet5", device="nvidia-t4", brief=True) == expected)

    in_ten_threads(lambda: ask(20))  # each thread has its own part of the heap, filled once
    before = resident()
    in_ten_threads(lambda: ask(100))
    assert len(same) == 1200 and all(same)
    assert resident() - before < 16 * 2 ** 20  # a step that stays behind would be 100 KiB, a thousand 100 MiB


def test_python_goes_on_while_the_library_plans():
    turns = 0
    done = threading.Event()

    def plan() -> None:
        pl.place("densenet201", samples=50_000)
        done.set()

    old = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread that holds the lock would keep it: only letting it go gives us a turn
    try:
        thread = threading.Thread(target=plan)
        thread.start()
        while not done.is_set():
            time.sleep(0)
            turns += 1
        thread.join()
    finally:
        sys.setswitchinterval(old)
    assert turns > 100
