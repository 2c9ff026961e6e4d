#!/usr/bin/env bash
# fuzz.sh BUILD_DIR SECONDS: runs every libFuzzer program of the build for that long, one after another. It starts
# from tests/fuzz/corpus and the small models of the tests; new inputs and crashes stay in BUILD_DIR/found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 seconds=$2 ran=0
seeds=()
for folder in tests/fuzz/corpus tests/data/models; do
  [ -d "$folder" ] && seeds+=("$folder")
done
for program in "$build"/tests/*_fuzz; do
  [ -x "$program" ] || continue
  found=$build/found/$(basename "$program")
  mkdir -p "$found"
  echo "$(basename "$program") for $seconds s"
  "$program" -max_total_time="$seconds" -artifact_prefix="$found/" -print_final_stats=1 "$found" "${seeds[@]}"
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "no fuzzer was built in $build/tests" >&2; exit 1; }
