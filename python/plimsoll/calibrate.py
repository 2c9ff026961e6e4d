"""Measures with PyTorch what a data sheet does not tell, and writes it to a device file: the rate of a large matrix
product and the bandwidth of a large copy.

    python -m plimsoll.calibrate nvidia-rtx-3090 -o mine.json     # on the first GPU
    python -m plimsoll.calibrate this --device cpu -o mine.json   # on the CPU
    plimsoll place resnet50 --device ./mine.json                  # predictions go by it

The file is that of 'plimsoll devices calibrate', which checks both numbers against the data sheet. Takes some seconds;
leave the device idle meanwhile.
"""
from __future__ import annotations

import argparse
import sys
import time
from typing import Any, Callable, List, Literal, Optional, Tuple, cast

from plimsoll.error import Error
from plimsoll.verbs import calibrate as calibrate_device

FORMATS = {"f16": "float16", "bf16": "bfloat16", "tf32": "float32", "f32": "float32"}
Format = Literal["f16", "bf16", "tf32", "f32"]
LARGEST_PRODUCT = 8192  # rows and columns; a CPU takes fewer
SHARE_OF_MEMORY = 0.2   # that the two tensors of a copy may take


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise Error("PyTorch is not installed here", hint="pip install torch, or give the numbers to 'plimsoll devices "
                                                          "calibrate' yourself") from None
    return torch


def best_seconds(run: Callable[[], object], wait: Callable[[], object], seconds: float) -> float:
    """The least time of a run, over as many as fit into the given seconds, at least five; after two to warm up."""
    best, runs = float("inf"), -2
    end = time.perf_counter() + seconds
    while runs < 5 or time.perf_counter() < end:
        wait()
        start = time.perf_counter()
        run()
        wait()
        if runs >= 0:
            best = min(best, time.perf_counter() - start)
        runs += 1
    return best


def _waiting(torch: Any, device: str) -> Callable[[], object]:
    kind = device.split(":")[0]
    module = getattr(torch, kind, None)
    return getattr(module, "synchronize", None) or (lambda: None)


def measure_product(device: str, dtype: str, seconds: float = 2.0) -> float:
    """Operations a second of a large square product."""
    torch = _torch()
    size = LARGEST_PRODUCT if device != "cpu" else 2048
    if dtype == "tf32":
        torch.backends.cuda.matmul.allow_tf32 = True
    left = torch.randn(size, size, device=device).to(getattr(torch, FORMATS[dtype]))
    right, out = torch.randn_like(left), torch.empty_like(left)
    took = best_seconds(lambda: torch.mm(left, right, out=out), _waiting(torch, device), seconds)
    return 2.0 * size ** 3 / took


def measure_copy(device: str, free_bytes: Optional[int] = None, seconds: float = 2.0) -> float:
    """Bytes a second of a copy far larger than any cache, reads and writes together."""
    torch = _torch()
    size = 2 ** 30 if device != "cpu" else 2 ** 28
    if free_bytes:
        size = min(size, int(free_bytes * SHARE_OF_MEMORY) // 2)
    one = torch.ones(size // 4, device=device)
    two = torch.empty_like(one)
    took = best_seconds(lambda: two.copy_(one), _waiting(torch, device), seconds)
    return float(2 * 4 * one.numel()) / took


def usual_device() -> str:
    torch = _torch()
    for kind in ("cuda", "xpu", "mps"):
        module = getattr(torch, kind, None) or getattr(torch.backends, kind, None)
        if module is not None and module.is_available():
            return kind
    return "cpu"


def measure(device: Optional[str] = None, dtype: Optional[str] = None,
            seconds: float = 2.0) -> Tuple[str, str, float, float]:
    """(device, number format, operations a second, bytes a second), measured."""
    torch = _torch()
    device = device or usual_device()
    dtype = dtype or ("f32" if device == "cpu" else "f16")
    if dtype not in FORMATS:
        raise Error(f"{dtype!r} is no format to measure in", hint="one of " + ", ".join(FORMATS))
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as problem:
        raise Error(f"PyTorch has no device {device!r} here: {str(problem).splitlines()[0]}") from None
    return device, dtype, measure_product(device, dtype, seconds), measure_copy(device, None, seconds)


def main(words: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m plimsoll.calibrate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the device in the catalog, e.g. nvidia-rtx-3090, or 'this'")
    parser.add_argument("-o", "--out", help="the device file to write")
    parser.add_argument("--device", help="PyTorch's name of it: cuda:0, xpu, mps, cpu (default: a GPU, else the CPU)")
    parser.add_argument("--dtype", help="number format of the product: " + ", ".join(FORMATS))
    parser.add_argument("--seconds", type=float, default=2.0, help="that each of the two may take (default 2)")
    asked = parser.parse_args(words)
    try:
        device, dtype, gemm, bandwidth = measure(asked.device, asked.dtype, asked.seconds)
        torch = _torch()
        how = f"measured with PyTorch {torch.__version__} on {device}: torch.mm and copy_ of large tensors"
        answer = calibrate_device(asked.name, gemm=gemm, gemm_dtype=cast(Format, dtype), bandwidth=bandwidth,
                                  source=how, out=asked.out)
    except Error as error:
        print(f"plimsoll: {error}", file=sys.stderr)
        return 2
    print(f"{answer.device.title}: {gemm / 1e12:.4g} TFLOP/s of large products in {dtype} "
          f"({gemm / answer.gemm_before - 1:+.0%} against the data sheet's expectation), "
          f"{bandwidth / 1e9:.4g} GB/s of copies ({bandwidth / answer.bandwidth_before - 1:+.0%})")
    if asked.out:
        print(f"Kept in {asked.out}. Use it with device={asked.out!r}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
