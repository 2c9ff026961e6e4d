#!/usr/bin/env python3
"""Builds hollow stand-ins of the CUDA libraries that a libtorch asks for: functions that succeed and do nothing.

usage: make_stand_ins.py FOLDER_OF_LIBTORCH FOLDER_TO_WRITE

What libtorch has to be told (how many devices, pointers to memory, sizes of workspaces) is written by hand, in the .c
files beside this one; the rest returns 0. Prints the paths of the libraries, in the order in which they are loaded.
Ends with 77 where something that is needed is missing.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ASKING = ["libtorch_cuda.so", "libc10_cuda.so", "libtorch_cpu.so", "libtorch_nvshmem.so"]
# Symbols without a version say by their prefix where they belong.
PREFIXES = {"nccl": "libnccl.so.2", "nvshmem": "libnvshmem_host.so.3", "cusparseLt": "libcusparseLt.so.0",
            "cuFile": "libcufile.so.0"}
# What the runtime's own headers include, and its package leaves out.
HOST_DEFINES = ["__device_builtin__", "__device_builtin_texture_type__", "__device_builtin_surface_type__",
                "__cudart_builtin__", "__host__", "__device__", "CUDARTAPI", "CUDARTAPI_CDECL",
                "__align__(n) __attribute__((aligned(n)))", "__builtin_align__(n) __align__(n)"]
# What nothing is called of when a step runs, but must be there to load.
ONLY_LOADED = ["libcufile.so.0", "libcurand.so.10"]


def skip(why):
    print(why, file=sys.stderr)
    sys.exit(77)


def undefined_symbols(library):
    found = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    for line in found.stdout.splitlines():
        match = re.search(r" ([_A-Za-z0-9]+)(?:@+(\S+))?$", line)
        if match:
            yield match.group(1), match.group(2)


class StandIn:
    """What one library has to have: names, and the version that they are asked for with."""

    def __init__(self, version):
        self.names, self.version = set(), version


def library_of(name, version):
    if version and version.startswith("lib"):
        return version
    return next((library for prefix, library in PREFIXES.items() if name.startswith(prefix)), None)


def wanted_by(torch):
    wanted = {library: StandIn(library) for library in ONLY_LOADED}
    for asking in ASKING:
        for name, version in undefined_symbols(os.path.join(torch, asking)):
            library = library_of(name, version)
            if library and re.match(r"lib(cu(?!pti)|nccl|nvrtc|nvshmem)", library):
                wanted.setdefault(library, StandIn(version or library)).names.add(name)
    return wanted


def hand_written(library):
    path = os.path.join(HERE, library.split(".")[0][3:] + ".c")
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def build(library, stand_in, headers, folder):
    text = hand_written(library)
    defined = set(re.findall(r"^[a-z][A-Za-z_ ]*[ *]+(\w+)\(", text, re.M))
    rest = "".join(f"int {name}(void) {{ return 0; }}\n" for name in sorted(stand_in.names - defined))
    source = os.path.join(folder, library + ".c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text + rest)
    versions = os.path.join(folder, library + ".map")
    with open(versions, "w", encoding="utf-8") as file:
        file.write(f"{stand_in.version} {{ global: *; }};\n")
    made = os.path.join(folder, library)
    subprocess.check_call(["cc", "-O1", "-w", "-fPIC", "-shared", "-I" + headers, "-I" + folder, source, "-o", made,
                           "-Wl,-soname," + library, "-Wl,--version-script," + versions])
    return made


def main(torch, folder):
    headers = os.path.join(torch, "../../nvidia/cu13/include")
    if not os.path.exists(os.path.join(torch, "libtorch_cuda.so")):
        skip("this libtorch is not for CUDA")
    if not os.path.exists(os.path.join(headers, "driver_types.h")):
        skip("the headers of the CUDA runtime are missing")
    os.makedirs(os.path.join(folder, "crt"), exist_ok=True)
    with open(os.path.join(folder, "crt/host_defines.h"), "w", encoding="utf-8") as file:
        file.writelines(f"#define {name}\n" for name in HOST_DEFINES)
    wanted = wanted_by(torch)
    wanted["libcuda.so.1"] = StandIn("libcuda.so.1")
    first = ["libcuda.so.1", "libcudart.so.13", "libcublasLt.so.13"]
    for library in first + sorted(set(wanted) - set(first)):
        print(build(library, wanted[library], headers, folder))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2])
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        skip(f"stand-ins could not be built: {error}")
