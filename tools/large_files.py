#!/usr/bin/env python3
"""large_files.py PLIMSOLL [NODES [SHAPE…]]: what `weigh` and `fit` take for files of very many nodes.

Each SHAPE is a network that is large in a way of its own, written here as a file of about NODES nodes (180,000 unless
it is said). Printed are the processor seconds and the memory of each answer. Up to 180,000 nodes, in files under 10 MB,
both verbs have to answer within 1 GiB; of larger ones it is enough that they end with an answer or with one line, never
in a crash. Seconds are shown and not judged: others may have the processors.
"""
import math
import os
import subprocess
import sys
import tempfile

USUAL_NODES = 180_000  # the most that any file may have, unless the user says more, is 200,000
MOST_MEMORY = 1 << 30
LIMITS = ["--max-seconds", "600"]  # on a busy machine an answer may come late
FLOAT = 1  # TensorProto.DataType


def number(value):
    """A varint of protobuf."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(index, value):
    """A field of a protobuf message: an int, a string, or the bytes of another message."""
    if isinstance(value, int):
        return number(index << 3) + number(value)
    raw = value.encode() if isinstance(value, str) else value
    return number(index << 3 | 2) + number(len(raw)) + raw


def value_info(name, dims):
    shape = b"".join(field(1, field(2 if isinstance(dim, str) else 1, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, shape)))


class File:
    """An .onnx file: x by one weight, and what is made of the product."""

    def __init__(self):
        self.nodes, self.last = [], ""
        self.product = self.node("MatMul", "x", "w")

    def node(self, operation, *inputs):
        self.last = f"{len(self.nodes):x}"
        reads = b"".join(field(1, name) for name in inputs)
        self.nodes.append(field(1, reads + field(2, self.last) + field(4, operation)))
        return self.last

    def write(self, path):
        weight = field(1, 4) + field(1, 4) + field(2, FLOAT) + field(8, "w") + field(9, bytes(64))
        graph = (b"".join(self.nodes) + field(5, weight) + field(11, value_info("x", ["N", 4])) +
                 field(12, value_info(self.last, ["N", 4])))
        with open(path, "wb") as file:
            file.write(field(1, 8) + field(7, graph) + field(8, field(2, 17)))


def chain(file, nodes):
    last = file.product
    for _ in range(nodes):
        last = file.node("Sigmoid", last)


def lattice(file, nodes, operation="Add"):
    """Each node reads the one above it and the one to the left."""
    width = math.isqrt(nodes)
    above = [file.product] * width
    for _ in range(nodes // width):
        left = file.product
        for column in range(width):
            above[column] = left = file.node(operation, above[column], left)


def products(file, nodes):
    lattice(file, nodes, "Mul")


def tree(file, nodes):
    """One value that half of the nodes read, added up in pairs."""
    level = [file.node("Sigmoid", file.product) for _ in range(nodes // 2)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2])
        level = [file.node("Add", *pair) for pair in pairs] + level[len(level) & ~1:]


def collected(file, nodes):
    """A chain whose every value is read again by one node at the end."""
    last, all_values = file.product, []
    for _ in range(nodes):
        last = file.node("Sigmoid", last)
        all_values.append(last)
    file.node("Sum", *all_values)


def layers(file, nodes):
    last = file.product
    for _ in range(nodes // 2):
        last = file.node("Relu", file.node("MatMul", last, "w"))


SHAPES = {"chain": chain, "lattice": lattice, "products": products, "tree": tree, "collected": collected,
          "layers": layers}


def answer(command):
    """Exit code, what went to standard error, processor seconds, and bytes of memory at most."""
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        said = err.read().decode(errors="replace")
    return process.returncode, said, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def problem(nodes, code, said, memory):
    if nodes > USUAL_NODES:
        return "" if code == 0 or (code == 2 and said.count("\n") == 1) else "neither an answer nor one line"
    if code != 0:
        return "no answer"
    return f"more than {MOST_MEMORY >> 20} MiB" if memory > MOST_MEMORY else ""


def main():
    program, nodes, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else USUAL_NODES, sys.argv[3:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for shape in wanted or SHAPES:
            path = os.path.join(folder, f"{shape}.onnx")
            file = File()
            SHAPES[shape](file, nodes)
            file.write(path)
            for verb in (["weigh"], ["fit", "--memory", "8GiB"]):
                more = ["--max-nodes", str(2 * nodes)] if nodes > USUAL_NODES else []
                code, said, seconds, memory = answer([program, verb[0], path, *verb[1:], *LIMITS, *more])
                wrong = problem(nodes, code, said, memory)
                failed += bool(wrong)
                print(f"{shape:10s} {os.path.getsize(path) / 1e6:5.1f} MB  {verb[0]:6s} {seconds:6.1f} s "
                      f"{memory >> 20:6d} MiB  exit {code}{'  WRONG: ' + wrong if wrong else ''}  {said.strip()[:200]}",
                      flush=True)
            os.remove(path)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
