#!/usr/bin/env bash
# page_tests.sh PROGRAM FOLDER: the page's tests, in Debian's Chromium on the real server. Exit code 77, skipped and
# shown as such, where Chromium, Node or the packages of web/package-lock.json cannot be had. FOLDER keeps packages and
# screenshots. PAGE_SCRIPTS=measure or pictures: those of web/measure or web/pictures instead of the tests.
set -euo pipefail
program=$(realpath "$1")
folder=$(realpath -m "$2")
root=$(realpath "$(dirname "$0")/..")

skip() {
  echo "skipped: $1"
  exit 77
}

chromium=$(command -v chromium) || skip "there is no chromium (apt-get install chromium)"
command -v npm >/dev/null || skip "there is no npm (apt-get install npm)"

# The sources are copied beside their packages, so that nothing is written into the tree. Packages are kept until the
# lock file changes.
mkdir -p "$folder"
if ! cmp -s "$root/web/package-lock.json" "$folder/installed-lock.json"; then
  cp "$root/web/"{package.json,package-lock.json,.npmrc} "$folder"
  (cd "$folder" && npm install --no-save --ignore-scripts --no-progress >npm.log 2>&1) ||
    skip "the packages of web/package-lock.json cannot be had, see $folder/npm.log"
  cp "$root/web/package-lock.json" "$folder/installed-lock.json"
fi
rm -rf "$folder"/{tests,measure,pictures,src}
cp -r "$root/web/"{tests,measure,pictures,src,playwright.config.ts} "$folder"
cd "$folder"
export PAGE_PROGRAM=$program PAGE_CHROMIUM=$chromium PAGE_MODELS=$root/tests/data/models PAGE_RESULTS=$folder/results
exec npx --no-install playwright test "${@:3}"
