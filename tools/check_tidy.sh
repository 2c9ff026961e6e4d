#!/usr/bin/env bash
# check_tidy.sh BUILD_DIR JOBS [REGEX]: clang-tidy over every source of ours in that build's
# compile_commands.json, or over those whose path matches REGEX. The checks are in .clang-tidy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 jobs=$2 which=${3:-"$PWD/(src|tests|bench)/"}
log=$build/tidy.log
start=$SECONDS
if ! run-clang-tidy -quiet -p "$build" -j "$jobs" "$which" >"$log" 2>&1; then
  sed 's/\x1b\[[0-9;]*m//g' "$log" | grep -E ' (warning|error): ' | sort -u || cat "$log"
  echo "clang-tidy: findings above, all output in $log" >&2
  exit 1
fi
echo "clang-tidy: no findings, $((SECONDS - start)) s"
