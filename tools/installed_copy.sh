#!/usr/bin/env bash
# installed_copy.sh BUILD MODEL.onnx: installs what BUILD has built into a folder of its own and builds the programs of
# tests/installed against that copy, outside the tree: with CMake's find_package and with pkg-config.
set -euo pipefail
build=$(realpath "$1")
model=$(realpath "$2")
root=$(realpath "$(dirname "$0")/..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/copy" >"$folder/install.log" || { cat "$folder/install.log"; exit 1; }
cp -r "$root/tests/installed" "$folder/asks"
# Only the C interface may be seen.
seen=$(nm --dynamic --defined-only --extern-only "$(find "$folder/copy" -name 'libplimsoll.so')" | awk '{print $3}' |
  grep -v '^plimsoll_' || true)
if [ -n "$seen" ]; then
  echo "libplimsoll shows more than its C interface:"
  head <<<"$seen"
  exit 1
fi

libraries=$(dirname "$(find "$folder/copy" -name 'libplimsoll.so')")
export LD_LIBRARY_PATH=$libraries
cmake -S "$folder/asks" -B "$folder/by_cmake" -DCMAKE_PREFIX_PATH="$folder/copy" >"$folder/cmake.log" 2>&1 &&
  cmake --build "$folder/by_cmake" >>"$folder/cmake.log" 2>&1 || { cat "$folder/cmake.log"; exit 1; }
"$folder/by_cmake/ask_c"
"$folder/by_cmake/ask_cpp" "$model"

command -v pkg-config >/dev/null || { echo "there is no pkg-config (apt-get install pkg-config)"; exit 1; }
export PKG_CONFIG_PATH=$libraries/pkgconfig
# shellcheck disable=SC2046
cc "$folder/asks/ask.c" -o "$folder/ask_c" $(pkg-config --cflags --libs plimsoll)
# shellcheck disable=SC2046
c++ -std=c++17 "$folder/asks/ask.cpp" -o "$folder/ask_cpp" $(pkg-config --cflags --libs plimsoll)
"$folder/ask_c"
"$folder/ask_cpp" "$model"
"$folder/copy/bin/plimsoll" weigh lenet5 >/dev/null
