#!/usr/bin/env bash
# fuzz.sh BUILD_DIR SECONDS: runs every libFuzzer program of the build for that long, one after
# another. A corpus in tests/fuzz/corpus/PROGRAM is where it starts; what it finds stays in the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 seconds=$2 ran=0
for program in "$build"/tests/*_fuzzer; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  found=$build/found/$name
  mkdir -p "$found"
  seeds=()
  [ -d "tests/fuzz/corpus/$name" ] && seeds=("tests/fuzz/corpus/$name")
  echo "$name for $seconds s"
  "$program" -max_total_time="$seconds" -artifact_prefix="$found/crash-" -print_final_stats=1 "$found" "${seeds[@]}"
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "no fuzzer was built in $build/tests" >&2; exit 1; }
