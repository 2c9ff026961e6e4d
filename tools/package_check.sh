#!/usr/bin/env bash
# package_check.sh PACKAGE.deb: makes a bare Debian, installs the package there with apt, weighs and trains with it, and
# removes it again: nothing of it may be left. Exit code 77, with the reason, where no bare Debian can be made.
set -euo pipefail
package=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
suite=${PLIM_SUITE:-bookworm}

skip() {
  echo "skipped: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can make a bare Debian"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap (apt-get install mmdebstrap)"
unshare --mount true 2>/dev/null || skip "this machine grants no mount namespace"

folder=$(mktemp -d)
bare=$folder/bare
trap 'rm -rf --one-file-system "$folder"' EXIT
mmdebstrap --quiet --variant=minbase "$suite" "$bare" >"$folder/mmdebstrap.log" 2>&1 || {
  cat "$folder/mmdebstrap.log"
  skip "mmdebstrap could not make a bare Debian $suite"
}
cp "$package" "$bare/tmp/plimsoll.deb"
cp /etc/resolv.conf "$bare/etc/resolv.conf"
python3 -B "$root/tools/small_digits.py" "$bare/tmp/digits"

# What is mounted inside goes with the namespace.
unshare --mount --fork bash -euo pipefail -s "$bare" <<'INSIDE'
bare=$1
mount -t proc proc "$bare/proc"
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
quietly() { "$@" >"$bare/tmp/log" 2>&1 || { cat "$bare/tmp/log"; exit 1; }; }

quietly inside apt-get update
quietly inside apt-get install -y --no-install-recommends /tmp/plimsoll.deb
size=$(inside dpkg-query --show --showformat '${Installed-Size}' plimsoll)
echo "installed: $(inside plimsoll --version), $size KiB"
inside plimsoll weigh resnet50 --depth 1 --top 3
inside plimsoll train lenet5 --data /tmp/digits --epochs 1 --batch 32 --run-dir /tmp/run --quiet
test -s "$bare/tmp/run/report.html"

quietly inside dpkg -L plimsoll
grep -v '/\.$' "$bare/tmp/log" >"$bare/tmp/files"
quietly inside apt-get purge -y plimsoll
left=0
while read -r file; do
  if [ -e "$bare$file" ] && { [ ! -d "$bare$file" ] || [[ $file == *plimsoll* ]]; }; then
    echo "left behind: $file"
    left=1
  fi
done <"$bare/tmp/files"
exit "$left"
INSIDE
echo "the package installs, runs and is removed without a trace"
