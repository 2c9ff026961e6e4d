#!/usr/bin/env bash
# install_onnxruntime.sh VENV: onnxruntime in a Python environment of its own, for the check of exported models. Where
# that cannot be had (no venv, no pip, no network) it says so; the check is then skipped and ctest shows it.
set -euo pipefail
venv=$1
"$venv/bin/python" -c 'import onnxruntime' 2>/dev/null && exit 0
install() { python3 -m venv "$venv" && timeout 300 "$venv/bin/pip" install --quiet onnxruntime; }
if ! install >/dev/null 2>&1; then
  echo "onnxruntime could not be installed: the check of exported models will be skipped" >&2
fi
