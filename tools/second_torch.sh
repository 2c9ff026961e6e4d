#!/usr/bin/env bash
# second_torch.sh BUILD: the same programs with a PyTorch two releases older, the oldest that is supported: its library
# goes into an environment of its own, and every test that opens PyTorch runs with it. Ends with 77 where it cannot be
# installed.
set -euo pipefail
build=$(realpath "$1")
venv=$build/venv-torch-2.13
install() {
  python3 -m venv "$venv" &&
    timeout 900 "$venv/bin/pip" install --quiet --no-deps torch==2.13.0 nvidia-cuda-runtime nvidia-cuda-cupti
}
there() { compgen -G "$venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so" >/dev/null; }
if ! there && ! install >/dev/null 2>&1; then
  echo "PyTorch 2.13 could not be installed" >&2
  exit 77
fi
PLIMSOLL_TORCH=$venv ctest --test-dir "$build" --output-on-failure \
  --tests-regex 'Torch(Kernels|NarrowKernels|Steering|SteeringOf|Train|Verbs|Workers)|DeviceCheck|_by_torch|hollow/cuda'
