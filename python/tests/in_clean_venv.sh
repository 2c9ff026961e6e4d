#!/usr/bin/env bash
# in_clean_venv.sh BUILD [torch|sweep]: makes the wheel of what BUILD has built, installs it into a fresh environment
# outside the source tree and runs the tests there; with "torch" those of torch modules and the tutorial too; with
# "sweep" the modules of sweep_modules.py instead. Exit code 77, which ctest shows as skipped, where pip has nothing to
# install from.
set -euo pipefail
build=$(realpath "$1")
with=${2:-}
root=$(realpath "$(dirname "$0")/../..")
"$root/tools/wheel.sh" "$build" || exit $?
wheel=$(ls "$build"/wheel/*.whl)
size=$(stat -c %s "$wheel")
[ "$size" -lt 12000000 ] || { echo "the wheel has $size bytes, more than 12 MB"; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index "$wheel"
cd "$folder"
# First with nothing else: the wheel needs no other package.
"$folder/venv/bin/python" "$root/python/examples/first_steps.py"
"$folder/venv/bin/plimsoll" fit resnet50 --device nvidia-t4 --brief

packages=(pytest mypy)
left_out=(--ignore=tests/test_torch.py --ignore=tests/test_real_trainers.py --ignore=tests/test_module_zoo.py
  --ignore=tests/test_tutorial.py --ignore=tests/test_tables.py --ignore=tests/test_hugging_face.py)
if [ -n "$with" ]; then
  packages+=(pandas lightning accelerate nbclient ipykernel torch torchvision timm transformers onnx onnxscript)
  left_out=()
fi
if ! timeout 3000 "$folder/venv/bin/pip" install --quiet "${packages[@]}" >"$folder/pip.log" 2>&1; then
  echo "skipped: pip cannot install ${packages[*]}"
  exit 77
fi
cp -r "$root/python/tests" "$folder/tests"
export PLIMSOLL_SOURCE=$root PYTHONDONTWRITEBYTECODE=1
if [ "$with" = sweep ]; then
  "$folder/venv/bin/python" tests/sweep_modules.py
  exit
fi
"$folder/venv/bin/python" -m pytest -q -p no:cacheprovider "${left_out[@]}" tests
