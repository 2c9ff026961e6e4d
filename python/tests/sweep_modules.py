#!/usr/bin/env python3
"""sweep_modules.py [NAME…]: modules of torchvision, timm and transformers against what torch says of them itself.

Parameters equal sum(p.numel()), MACs are within 1 % of torch.utils.flop_counter, and the bytes kept for the backward
pass within 5 % of what saved_tensors_hooks sees. Run in an environment with the wheel, torch and those packages
(`make python-sweep`). A row a module; the exit code is 1 if one is off or cannot be planned.
"""
import sys
import time

from counted_by_torch import compared
from module_zoo import ALL_MODULES

MACS, KEPT = 0.01, 0.05


def row(name):
    start = time.perf_counter()
    try:
        module, example = ALL_MODULES[name]()
        seen = compared(module, example)
    except Exception as error:  # noqa: BLE001  a module that cannot be made, exported or run is a row too
        return False, f"{name:<32} {type(error).__name__}: {str(error).splitlines()[0][:140]}"
    well = seen.params == seen.torch_params and abs(seen.macs_off) <= MACS and abs(seen.kept_off) <= KEPT
    return well, (f"{name:<32} {seen.params - seen.torch_params:>+12,} {100 * seen.macs_off:>+8.2f} "
                  f"{100 * seen.kept_off:>+8.2f} {time.perf_counter() - start:>7.1f}{'' if well else '  OFF'}")


def main():
    names = sys.argv[1:] or list(ALL_MODULES)
    print(f"{'module':<32} {'parameters':>12} {'MACs %':>8} {'kept %':>8} {'s':>7}", flush=True)
    good = 0
    for name in names:
        well, text = row(name)
        good += well
        print(text, flush=True)
    print(f"{good} of {len(names)} within {100 * MACS:.0f} % of the MACs and {100 * KEPT:.0f} % of the bytes kept")
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
