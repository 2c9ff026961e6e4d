#!/usr/bin/env bash
# check_format.sh [--fix] [--changed]: clang-format over every C++ file, or over those that differ from the last commit;
# names the files that differ from the house's format, or rewrites them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fix=no changed=no
for word in "$@"; do
  case $word in
    --fix) fix=yes ;;
    --changed) changed=yes ;;
    *) echo "check_format.sh: $word is not known" >&2; exit 2 ;;
  esac
done
if [ $changed = yes ] && git rev-parse --quiet --verify HEAD >/dev/null; then
  mapfile -t files < <({
    git diff --name-only --diff-filter=d HEAD -- '*.h' '*.cpp'
    git ls-files --others --exclude-standard -- '*.h' '*.cpp'
  } | sort -u)
else
  mapfile -t files < <(find . -path './build*' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print | sort)
fi
if [ ${#files[@]} -eq 0 ]; then
  echo "format: nothing has changed"
elif [ $fix = yes ]; then
  clang-format -i "${files[@]}"
elif ! differences=$(clang-format --dry-run -Werror "${files[@]}" 2>&1); then
  sed -n 's/^\(\S*\):[0-9]*:[0-9]*: error: .*/\1/p' <<<"$differences" | sort -u
  echo "format: these files differ, 'make format' rewrites them" >&2
  exit 1
else
  echo "format: ${#files[@]} files as they should be"
fi
