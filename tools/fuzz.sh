#!/usr/bin/env bash
# fuzz.sh BUILD_DIR SECONDS [HARNESS…]: runs every fuzz harness of the build for that long, one after another. With the
# fuzz preset they are libFuzzer's; each starts from its own files in tests/fuzz/corpus, the onnx one from the small
# models of the tests too, and new inputs and crashes stay in BUILD_DIR/found. In any other build it is the tests' own
# driver (seeded_main.cpp), which goes on with the mutants behind those that were run before.
# How many inputs each has run is added to docs/runs/fuzz.csv, whatever was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "$1") seconds=$2
shift 2
sums=$PWD/docs/runs/fuzz.csv ran=0 failed=0
commit=$(git describe --always --abbrev=10 --dirty 2>/dev/null || echo unknown)
[ -f "$sums" ] || echo "date,commit,harness,engine,executions,findings" >"$sums"

# The files that end in .NAME, in a folder of their own: that is how libFuzzer takes them.
seeds_of() {
  local folder=$build/seeds/$1
  mkdir -p "$folder"
  for file in tests/fuzz/corpus/*."$1"; do [ ! -f "$file" ] || cp "$file" "$folder"; done
  [ "$1" != onnx ] || [ ! -d tests/data/models ] || cp tests/data/models/*.onnx "$folder" 2>/dev/null || true
  echo "$folder"
}

# They set executions, and code to something else than 0 for a finding.
with_libfuzzer() {
  local name=$1 found=$build/found/$1_fuzz
  log=$build/found/$1_fuzz.log
  mkdir -p "$found"
  "$build/tests/${name}_fuzz" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -artifact_prefix="$found/" \
    -print_final_stats=1 "$found" "$(seeds_of "$name")" >"$log" 2>&1 || code=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  [ -n "$executions" ] || executions=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -1)
}

with_seeds() {
  local name=$1 block=20000 first end=$((SECONDS + seconds))
  log=$build/found/$1_seeded.log
  mkdir -p "$build/found"
  first=$(awk -F, -v name="$name" '$3 == name && $4 == "seeded" { all += $5 } END { print all + 1000000 }' "$sums")
  while [ $SECONDS -lt $end ] && [ "$code" = 0 ]; do
    (cd "$build/found" && "$build/tests/${name}_fuzz_seeded" $((first + executions)) $((first + executions + block)) \
      ".$name" "$OLDPWD/tests/fuzz/corpus") >"$log" 2>&1 || code=$?
    [ "$code" != 0 ] || executions=$((executions + block))
  done
}

fuzz() {
  local name=$1 engine=$2 executions=0 code=0 log
  if [ "$engine" = libFuzzer ]; then with_libfuzzer "$name"; else with_seeds "$name"; fi
  echo "$(date -u +%F),$commit,$name,$engine,${executions:-0},$((code != 0))" >>"$sums"
  echo "$name: ${executions:-0} inputs$([ $code = 0 ] || echo ", and a finding: see $log")"
  return $code
}

ending=_fuzz engine=libFuzzer
compgen -G "$build/tests/*_fuzz" >/dev/null || ending=_fuzz_seeded engine=seeded
for program in "$build"/tests/*$ending; do
  [ -x "$program" ] || continue
  name=$(basename "$program" $ending)
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  fuzz "$name" $engine || failed=$((failed + 1))
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "no fuzzer was built in $build/tests" >&2; exit 1; }
awk -F, 'NR > 1 { all += $5 } END { printf "%d inputs so far, of all harnesses\n", all }' "$sums"
exit $((failed > 0))
