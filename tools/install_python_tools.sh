#!/usr/bin/env bash
# install_python_tools.sh VENV: in a Python environment of its own, onnxruntime for the check of exported models and
# jsonschema for that of answers. Where they cannot be had (no venv, no pip, no network) it says so; the checks are then
# skipped and ctest shows it.
set -euo pipefail
venv=$1
"$venv/bin/python" -c 'import onnxruntime, jsonschema' 2>/dev/null && exit 0
install() { python3 -m venv "$venv" && timeout 300 "$venv/bin/pip" install --quiet onnxruntime jsonschema; }
if ! install >/dev/null 2>&1; then
  echo "onnxruntime and jsonschema could not be installed: checks that need them will be skipped" >&2
fi
