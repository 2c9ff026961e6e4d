#!/usr/bin/env bash
# install_python_tools.sh VENV: in a Python environment of its own, onnxruntime for the check of exported models,
# jsonschema for that of answers, and PyTorch for the backend that opens it. Where they cannot be had (no venv, no pip,
# no network) it says so; the checks are then skipped and ctest shows it.
set -euo pipefail
venv=$1
packages() { timeout "$1" "$venv/bin/pip" install --quiet --no-compile "${@:2}"; }
install() { python3 -m venv "$venv" && packages 300 onnxruntime jsonschema; }
if ! "$venv/bin/python" -c 'import onnxruntime, jsonschema' 2>/dev/null && ! install >/dev/null 2>&1; then
  echo "onnxruntime and jsonschema could not be installed: checks that need them will be skipped" >&2
fi
# The library alone, and the two small ones that it does not load without: half a gigabyte instead of five. Nobody runs
# their Python, so none of it is compiled.
torch() { packages 900 --no-deps torch==2.15.0 nvidia-cuda-runtime nvidia-cuda-cupti; }
if ! compgen -G "$venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so" >/dev/null && ! torch >/dev/null 2>&1; then
  echo "PyTorch could not be installed: tests of runs through it will be skipped" >&2
fi
