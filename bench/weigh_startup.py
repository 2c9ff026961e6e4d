"""From start to printed table: plimsoll weigh against python3 counting the same by PyTorch.

Usage: bench/weigh_startup.py build/plimsoll
"""
import glob
import json
import os
import sys

import timing

COUNT = ("import torchvision; m = torchvision.models.{name}(weights=None); "
         "print(sum(p.numel() for p in m.parameters()))")


def main():
    program = sys.argv[1]
    for name in ("resnet18", "resnet152"):
        count = ["/usr/bin/python3", "-c", COUNT.format(name=name)]
        results = timing.alternate({f"plimsoll weigh {name}": [program, "weigh", name, "--json"],
                                    "torchvision, parameters only": count}, 5)
        ours, theirs = (r[2] for r in results.values())
        print(f"{name}: parameters {json.loads(ours)['params']:,} and {int(theirs):,}")
        timing.table(results, f"plimsoll weigh {name}")
    folder = os.path.join(os.path.dirname(__file__), "../tests/data/models")
    files = sorted(glob.glob(os.path.join(folder, "*.onnx")))
    print("files: median time and memory of plimsoll weigh")
    results = timing.alternate({os.path.basename(f): [program, "weigh", f] for f in files}, 5)
    for name, (seconds, mib, _) in results.items():
        print(f"  {name:34s} {seconds * 1000:10.1f} ms {mib:9.1f} MiB")


if __name__ == "__main__":
    main()
