#!/usr/bin/env bash
# bare_debian_python.sh BUILD: the wheel of BUILD in the Python of a bare Debian of another release (trixie, made with
# mmdebstrap): the example, the command, and answers that equal this machine's. Nothing is installed there but python3.
# Exit code 77, which test_all.py shows as skipped, where such a Debian cannot be made.
set -euo pipefail
build=$(realpath "$1")
release=${2:-trixie}
root=$(realpath "$(dirname "$0")/..")
skip() {
  echo "skipped: $1"
  exit 77
}
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
[ "$(id -u)" = 0 ] || skip "a chroot needs root"
"$root/tools/wheel.sh" "$build" || exit $?
wheel=$(ls "$build"/wheel/*.whl)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bare=$folder/bare
mmdebstrap --quiet --variant=essential --include=python3-minimal,python3 "$release" "$bare" >"$folder/made.log" 2>&1 ||
  skip "mmdebstrap could not make a $release: $(tail -1 "$folder/made.log")"
# As pip would, without pip: a wheel is an archive of what goes into site-packages.
mkdir -p "$bare/opt/plimsoll" "$bare/tmp"
python3 -m zipfile -e "$wheel" "$bare/opt/plimsoll"
cp "$root/python/examples/first_steps.py" "$bare/tmp/"
inside() { chroot "$bare" /usr/bin/env PYTHONPATH=/opt/plimsoll "$@"; }
inside python3 --version
inside python3 /tmp/first_steps.py
question=(fit resnet50 --device nvidia-t4 --brief --json)
inside python3 -m plimsoll.command "${question[@]}" >"$folder/there.json"
PYTHONPATH=$bare/opt/plimsoll python3 -m plimsoll.command "${question[@]}" >"$folder/here.json"
cmp "$folder/here.json" "$folder/there.json"
echo "the wheel answers in a bare $release as it does here"
