#!/usr/bin/env python3
"""Single kernels of PyTorch on one core: what the numbers of src/plan/time/torch_cpu_parameters.inc stand on.

usage: taskset -c 1 pytorch_cpu_kernels.py

One thread; the least processor time of some runs. Rates of products and convolutions in GFLOP/s, everything else in
GB/s over the bytes that it reads and writes.
"""
import os
import time

os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded

import torch  # noqa: E402
import torch.nn.functional as functional  # noqa: E402

CONVOLUTIONS = [  # batch, channels, kernels, size, window, stride, groups
    (16, 64, 64, 56, 3, 1, 1), (16, 128, 128, 28, 3, 1, 1), (16, 512, 512, 7, 3, 1, 1), (16, 512, 2048, 7, 1, 1, 1),
    (4, 256, 64, 56, 1, 1, 1), (16, 3, 64, 224, 7, 2, 1), (16, 64, 128, 56, 3, 2, 1), (16, 384, 384, 14, 3, 1, 384),
    (8, 192, 192, 28, 7, 1, 192), (8, 32, 128, 28, 3, 1, 1)]
LINEARS = [(1576, 768, 3072), (1576, 3072, 768), (512, 768, 768), (8, 2048, 1000), (32, 9216, 4096)]
MEBIBYTES = [2, 24, 100]


def best(run, rounds=4):
    run()
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
    return least


def tell(what, bytes_, run):
    print(f"  {what:28} {bytes_ / best(run) / 1e9:8.1f} GB/s", flush=True)


def products():
    for size in (256, 512, 1024, 2048):
        one, two = torch.randn(size, size), torch.randn(size, size)
        print(f"product of {size}: {2 * size ** 3 / best(lambda: one @ two) / 1e9:.1f} GFLOP/s")
    for rows, inputs, outputs in LINEARS:
        x, w, b = torch.randn(rows, inputs), torch.randn(outputs, inputs), torch.randn(outputs)
        dy, flops = torch.randn(rows, outputs), 2e-9 * rows * inputs * outputs
        print(f"linear {rows}x{inputs}x{outputs}: {flops / best(lambda: functional.linear(x, w, b)):.1f}, data "
              f"{flops / best(lambda: dy @ w):.1f}, weights {flops / best(lambda: dy.t() @ x):.1f} GFLOP/s", flush=True)
    heads = torch.randn(8, 12, 197, 64)
    flops = 4e-9 * heads.numel() * 197
    took = best(lambda: functional.scaled_dot_product_attention(heads, heads, heads))
    print(f"fused attention: {flops / took:.1f} GFLOP/s")


def convolutions():
    for batch, channels, kernels, size, window, stride, groups in CONVOLUTIONS:
        x = torch.randn(batch, channels, size, size)
        w = torch.randn(kernels, channels // groups, window, window)
        pad = window // 2
        y = functional.conv2d(x, w, None, stride, pad, 1, groups)
        flops = 2e-9 * y.numel() * channels // groups * window ** 2

        def backward(*wanted):
            return torch.ops.aten.convolution_backward(y, x, w, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0],
                                                       groups, list(wanted))
        forward = best(lambda: functional.conv2d(x, w, None, stride, pad, 1, groups))
        print(f"conv {channels}->{kernels}, {batch}x{size}x{size}, window {window}, stride {stride}, groups {groups}: "
              f"{flops / forward:.1f}, data {flops / best(lambda: backward(True, False, False)):.1f}, weights "
              f"{flops / best(lambda: backward(False, True, False)):.1f} GFLOP/s", flush=True)


def passes(mebibytes):
    x = torch.randn(max(1, mebibytes * 2 ** 20 // (4 * 64 * 56 * 56)), 64, 56, 56)
    dy, ones, zeros = torch.randn_like(x), torch.ones(64), torch.zeros(64)
    size, aten = 4 * x.numel(), torch.ops.aten
    rows, grads, weights = x.reshape(-1, 784), dy.reshape(-1, 784), torch.ones(784)
    _, mean, scale = torch.native_batch_norm(x, ones, zeros, zeros, ones, True, 0.1, 1e-5)
    _, row_mean, row_scale = torch.native_layer_norm(rows, (784,), weights, weights, 1e-5)
    pooled, where = functional.max_pool2d(x, 3, 2, 1, return_indices=True)
    print(f"tensors of {size / 2 ** 20:.1f} MiB")
    tell("add", 3 * size, lambda: x + dy)
    tell("relu in place", 2 * size, lambda: x.relu_())
    tell("gelu", 2 * size, lambda: functional.gelu(x))
    tell("transposed copy", 2 * size, lambda: x.permute(0, 2, 3, 1).contiguous())
    tell("batch norm, training", 2 * size,
         lambda: torch.native_batch_norm(x, ones, zeros, zeros, ones, True, 0.1, 1e-5))
    tell("batch norm, evaluation", 2 * size, lambda: functional.batch_norm(x, zeros, ones, ones, zeros, False))
    tell("batch norm, gradient", 3 * size, lambda: aten.native_batch_norm_backward(
        dy, x, ones, zeros, ones, mean, scale, True, 1e-5, [True, True, True]))
    tell("layer norm", 2 * size, lambda: functional.layer_norm(rows, (784,), weights, weights))
    tell("layer norm, gradient", 3 * size, lambda: aten.native_layer_norm_backward(
        grads, rows, [784], row_mean, row_scale, weights, weights, [True, True, True]))
    tell("softmax", 2 * size, lambda: rows.softmax(-1))
    tell("max pooling 3x3", size + 3 * 4 * pooled.numel(), lambda: functional.max_pool2d(x, 3, 2, 1))
    tell("max pooling, gradient", size + 3 * 4 * pooled.numel(), lambda: aten.max_pool2d_with_indices_backward(
        pooled, x, [3, 3], [2, 2], [1, 1], [1, 1], False, where))


def starts():
    x, layer = torch.randn(16, 16), torch.nn.Linear(16, 16)
    print(f"one small operation: {best(lambda: [x + x for _ in range(500)]) / 500 * 1e6:.1f} us")
    took = best(lambda: [layer(x).sum().backward() for _ in range(100)])
    print(f"a small layer, forward and backward: {took * 1e4:.1f} us")


def main():
    torch.set_num_threads(1)
    products()
    convolutions()
    for mebibytes in MEBIBYTES:
        passes(mebibytes)
    starts()


if __name__ == "__main__":
    main()
