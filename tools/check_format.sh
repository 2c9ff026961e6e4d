#!/usr/bin/env bash
# check_format.sh [--fix]: clang-format over every C++ file; names what differs, or rewrites it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
find src tests bench -name '*.h' -o -name '*.cpp' 2>/dev/null | sort | xargs -r clang-format "${mode[@]}"
