#!/usr/bin/env bash
# no_races.sh [--forget] FOLDER: prints what ThreadSanitizer has reported into FOLDER, each kind once, and ends with 1
# if there is anything. --forget: makes FOLDER new and empty.
set -euo pipefail
if [ "$1" = --forget ]; then
  rm -rf "$2"
  exec mkdir -p "$2"
fi
shopt -s nullglob
reports=("$1"/report.*)
[ ${#reports[@]} -gt 0 ] || exit 0
grep -h '^SUMMARY' "${reports[@]}" | sort | uniq -c | sort -rn || true
echo "--- the first of ${#reports[@]} reports, ${reports[0]}:"
head -n 80 "${reports[0]}"
exit 1
