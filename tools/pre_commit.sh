#!/usr/bin/env bash
# pre_commit.sh: puts the C++ that is to be committed into the house's format and holds the change to the house rules.
# A file that is only partly staged is not rewritten, since that would commit the rest of it too: it is named instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -d '' -t staged < <(git diff --cached --name-only -z --diff-filter=d -- '*.h' '*.cpp')
code=0
for file in "${staged[@]}"; do
  if git diff --quiet -- "$file"; then
    clang-format -i "$file"
    git add -- "$file"
  elif ! git show ":$file" | clang-format --assume-filename="$file" --dry-run -Werror 2>/dev/null; then
    echo "$file: what is staged is not in the house's format; the file has more changes: stage all or none" >&2
    code=1
  fi
done
python3 -B tools/check_layers.py || code=1
python3 -B tools/house_rules.py || code=1
exit $code
