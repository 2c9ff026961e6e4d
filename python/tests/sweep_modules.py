#!/usr/bin/env python3
"""sweep_modules.py [--table FILE] [NAME…]: modules of torchvision, timm and transformers against what torch says of
them itself.

Parameters equal sum(p.numel()), MACs are within 1 % of torch.utils.flop_counter, and the bytes kept for the backward
pass within 5 % of what saved_tensors_hooks sees. Run in an environment with the wheel, torch and those packages
(`make python-sweep`). A row a module; the exit code is 1 if one is off or cannot be planned. --table appends each row
to a table in Markdown.
"""
import argparse
import sys
import time

from counted_by_torch import compared
from module_zoo import ALL_MODULES

MACS, KEPT = 0.01, 0.05


def row(name):
    """Whether all is as torch counts it, and the cells of the table."""
    start = time.perf_counter()
    try:
        module, example = ALL_MODULES[name]()
        seen = compared(module, example)
    except Exception as error:  # noqa: BLE001  a module that cannot be made, exported or run is a row too
        return False, [name, f"{type(error).__name__}: {str(error).splitlines()[0][:140]}", "", "", ""]
    well = seen.params == seen.torch_params and abs(seen.macs_off) <= MACS and abs(seen.kept_off) <= KEPT
    return well, [name, f"{seen.params - seen.torch_params:+,}", f"{100 * seen.macs_off:+.2f}",
                  f"{100 * seen.kept_off:+.2f}", f"{time.perf_counter() - start:.1f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--table")
    arguments = parser.parse_args()
    names = arguments.names or list(ALL_MODULES)
    print(f"{'module':<32} {'parameters':>12} {'MACs %':>8} {'kept %':>8} {'s':>7}", flush=True)
    good = 0
    for name in names:
        well, cells = row(name)
        good += well
        print("{:<32} {:>12} {:>8} {:>8} {:>7}".format(*cells) + ("" if well else "  OFF"), flush=True)
        if arguments.table:
            with open(arguments.table, "a", encoding="utf-8") as file:
                file.write("| " + " | ".join(cells[:4] + ["" if well else "off"]) + " |\n")
    print(f"{good} of {len(names)} within {100 * MACS:.0f} % of the MACs and {100 * KEPT:.0f} % of the bytes kept")
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
