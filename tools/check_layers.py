#!/usr/bin/env python3
"""Checks who includes whom: floors look down only, rooms of one floor never go in a circle, tell/cli knows few rooms.

base <- model <- plan <- run <- tell. A room is a folder of a floor: src/model/ops is the room
model/ops, src/base the room base. Prints a line for each include that is wrong; exit code 1.
"""
import pathlib
import re
import sys

FLOORS = ["base", "model", "plan", "run", "tell"]
KERNEL_FREE = ["base", "model", "plan"]  # floors that must build without kernels and MPI
KERNEL_HEADER = re.compile(r"(oneapi/)?dnnl|mpi\.h|mpi/")
GENERATED = ("onnx/", "plimsoll/")  # written by protoc into the build directory; the public headers of include/
MOST_ROOMS = {"tell/cli": 8}  # rooms that a room may include: the command line reads, asks and prints
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def room_of(path):
    """'model/ops/conv.cpp' -> 'model/ops'; 'base/shape.h' -> 'base'."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def floor_of(path):
    first = path.split("/")[0]
    return first if first in FLOORS else None


def includes_of(src):
    """(file, line, target, quoted) for every include below src, in a stable order."""
    for file in sorted(src.rglob("*")):
        if file.suffix not in (".h", ".cpp"):
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            found = INCLUDE.match(line)
            if found:
                yield file.relative_to(src).as_posix(), number, found[2], found[1] == '"'


def complaint(file, target, quoted):
    """What is wrong with this include by itself, or None."""
    floor, other = floor_of(file), floor_of(target)
    if floor is None:
        return f"src/{file} is on no floor, expected one of {', '.join(FLOORS)}"
    if floor in KERNEL_FREE and KERNEL_HEADER.match(target):
        return f"{floor} includes {target}: kernels and MPI belong to run"
    if not quoted or target.startswith(GENERATED):
        return None
    if other is None:
        return f'"{target}" does not start with a floor: write the path from src'
    if FLOORS.index(other) > FLOORS.index(floor):
        return f"{floor} includes {target}: a floor includes only itself and {' '.join(FLOORS[:FLOORS.index(floor)])}"
    if room_of(file) == "model/ir" and other == "model" and room_of(target) != "model/ir":
        return f"model/ir includes {target}: all other rooms of model build on it"
    return None


def circles(edges):
    """The circles among rooms, each once, as lists of rooms. edges: room -> {other room: place}."""
    found, done = [], set()

    def walk(room, path):
        if room in path:
            found.append(path[path.index(room):] + [room])
            return
        if room in done:
            return
        for other in sorted(edges.get(room, {})):
            walk(other, path + [room])
        done.add(room)

    for room in sorted(edges):
        walk(room, [])
    return found


def crowded(known):
    """A line for each room that includes more others than it may. known: room -> {other room: place}."""
    for room, most in MOST_ROOMS.items():
        others = known.get(room, {})
        if len(others) > most:
            places = ", ".join(f"{other} ({others[other]})" for other in sorted(others))
            yield f"{room} includes {len(others)} rooms, at most {most} are allowed: {places}"


def check(src):
    """All complaints about the tree below src, a line each."""
    lines, edges, known = [], {}, {}
    for file, number, target, quoted in includes_of(src):
        wrong = complaint(file, target, quoted)
        if quoted and floor_of(target) and room_of(file) != room_of(target):
            known.setdefault(room_of(file), {}).setdefault(room_of(target), f"src/{file}:{number}")
        if wrong:
            lines.append(f"src/{file}:{number}: {wrong}")
        elif quoted and floor_of(file) == floor_of(target) and room_of(file) != room_of(target):
            edges.setdefault(room_of(file), {}).setdefault(room_of(target), f"src/{file}:{number}")
    for circle in circles(edges):
        steps = [f"{a} -> {b} ({edges[a][b]})" for a, b in zip(circle, circle[1:])]
        lines.append(f"rooms include each other in a circle: {', '.join(steps)}")
    return lines + list(crowded(known))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not any(includes_of(root / "src")):
        print("no includes were found: nothing was checked")
        return 1
    lines = check(root / "src")
    print("\n".join(lines) if lines else "layers: every include looks down")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
