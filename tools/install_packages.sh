#!/usr/bin/env bash
# install_packages.sh PACKAGE…: installs those Debian packages that are missing. When none is
# missing it only asks dpkg, which takes milliseconds.
set -euo pipefail

# One line a package that is installed, in any architecture.
installed=$(dpkg-query --show --showformat '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
  sed -n 's/^ii  *//p') || true

missing=()
for package in "$@"; do
  [[ $'\n'$installed$'\n' == *$'\n'$package$'\n'* ]] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "missing packages; install them as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "installing ${missing[*]}" >&2
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2; }
apt update
apt install -y --no-install-recommends "${missing[@]}"
