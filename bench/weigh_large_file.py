"""A 3 GB .onnx file with its weights inside: plimsoll weigh against PyTorch loading as many weights.

Usage: bench/weigh_large_file.py build/plimsoll [GB]

The file is written field by field (protobuf refuses messages of 2 GiB): 96 square layers, MatMul and
Relu. Its weights are holes in the file, so writing is quick; reading one would still cost memory.
"""
import json
import os
import sys
import tempfile

import timing

LAYERS = 96


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def integer(number, value):
    return varint(number << 3) + varint(value)


def value_info(name, width):
    dims = field(1, field(2, b"batch")) + field(1, integer(1, width))
    return field(1, name) + field(2, field(1, integer(1, 1) + field(2, dims)))


def write_model(path, gigabytes):
    """A graph of LAYERS products; returns the number of parameters."""
    width = int((gigabytes * 1e9 / 4 / LAYERS) ** 0.5)
    size = width * width * 4
    pieces = []  # (bytes before, hole after)
    for i in range(LAYERS):
        node = field(1, b"x%d" % i) + field(1, b"w%d" % i) + field(2, b"m%d" % i) + field(4, b"MatMul")
        relu = field(1, b"m%d" % i) + field(2, b"x%d" % (i + 1)) + field(4, b"Relu")
        head = integer(1, width) * 2 + integer(2, 1) + field(8, b"w%d" % i) + varint(9 << 3 | 2) + varint(size)
        pieces.append((field(1, node) + field(1, relu) + varint(5 << 3 | 2) + varint(len(head) + size) + head, size))
    ends = field(11, value_info(b"x0", width)) + field(12, value_info(b"x%d" % LAYERS, width))
    pieces.append((field(2, b"large") + ends, 0))
    graph = sum(len(data) + hole for data, hole in pieces)
    with open(path, "wb") as file:
        file.write(integer(1, 8) + field(8, integer(2, 17)) + varint(7 << 3 | 2) + varint(graph))
        for data, hole in pieces:
            file.write(data)
            file.seek(hole, os.SEEK_CUR)
        file.truncate()
    return LAYERS * width * width


def main():
    program, gigabytes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    with tempfile.TemporaryDirectory() as folder:
        path, weights = os.path.join(folder, "large.onnx"), os.path.join(folder, "large.pt")
        params = write_model(path, gigabytes)
        save = f"import torch; torch.save([torch.zeros({params // LAYERS}) for _ in range({LAYERS})], {weights!r})"
        timing.run(["/usr/bin/python3", "-c", save])
        count = f"import torch; print(sum(t.numel() for t in torch.load({weights!r})))"
        results = timing.alternate({"plimsoll weigh large.onnx": [program, "weigh", path, "--json"],
                                    "torch.load and count": ["/usr/bin/python3", "-c", count]}, 3)
        ours, theirs = (r[2] for r in results.values())
        print(f"{os.path.getsize(path) / 1e9:.2f} GB file of {params:,} parameters: "
              f"counted {json.loads(ours)['params']:,} and {int(theirs):,}")
        timing.table(results, "plimsoll weigh large.onnx")


if __name__ == "__main__":
    main()
