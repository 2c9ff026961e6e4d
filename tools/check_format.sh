#!/usr/bin/env bash
# check_format.sh [--fix]: clang-format over every C++ file; names the files that differ, or rewrites them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t files < <(find . -path './build*' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print | sort)
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
elif ! differences=$(clang-format --dry-run -Werror "${files[@]}" 2>&1); then
  sed -n 's/^\(\S*\):[0-9]*:[0-9]*: error: .*/\1/p' <<<"$differences" | sort -u
  echo "format: these files differ, 'make format' rewrites them" >&2
  exit 1
else
  echo "format: ${#files[@]} files as they should be"
fi
