#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/trixie/build-tree.sh FOLDER: makes FOLDER/root, a tree of Debian 13 with what Fumehood is built and
# tested with, and an ordinary user. Needs root and about 2 GB. Does nothing when the tree is there and was made by
# this very script of the same packages. FH_TRIXIE_MIRROR names another mirror than apt's. When it cannot be
# made here, says why in one line of the standard output, and ends with 77.
set -eu

RELEASE=trixie
folder=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=src/setup.sh
. "$here/../../src/setup.sh"
# shellcheck source=tests/harness/debian.sh
. "$here/../harness/debian.sh"

give_up () {
  printf '%s\n' "$*"
  exit 77
}

mirror=${FH_TRIXIE_MIRROR:-$(debian_mirror 2>/dev/null || :)}
stamp="$RELEASE $BUILD_PACKAGES $TEST_PACKAGES
$(cat "$here/build-tree.sh" "$here/enter-tree.sh" "$here/../harness/debian.sh" | sha256sum)"
! is_built "$folder" "$stamp" || exit 0

[ "$(id -u)" = 0 ] || give_up "the tree of $RELEASE takes root to make"
command -v debootstrap >/dev/null || give_up 'debootstrap is not installed'
[ -e "/usr/share/debootstrap/scripts/$RELEASE" ] || give_up "debootstrap does not know $RELEASE"
[ -n "$mirror" ] || give_up 'apt knows no mirror of Debian; set FH_TRIXIE_MIRROR'

enter () {
  sh "$here/enter-tree.sh" "$root" "$@"
}

# Programs that are named after their version are not in every release: clang-format-14 is one.
packages_of_release () {
  # shellcheck disable=SC2086
  enter apt-cache --quiet madison $BUILD_PACKAGES $TEST_PACKAGES 2>/dev/null | awk '{ print $1 }' | sort --unique
}

fill () {
  packages=$(packages_of_release)
  # shellcheck disable=SC2086
  enter apt-get --quiet --yes --no-install-recommends install $packages &&
    enter apt-get clean &&
    enter useradd --create-home --uid 59013 --shell /bin/sh tester &&
    printf 'tester:1100000000:65536\n' | tee "$root/etc/subuid" >"$root/etc/subgid" &&
    printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
}

umask 022
mkdir -p "$folder"
root=$(mktemp -d "$folder/work.XXXXXXXX")
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$folder" "$root"
make_debian "$RELEASE" "$root" "$mirror" >"$folder/build.log" 2>&1 ||
  give_up "debootstrap could not fetch $RELEASE from $mirror; see $folder/build.log"
fill >>"$folder/build.log" 2>&1 || {
  tail -n 20 "$folder/build.log" >&2
  say "The tree of $RELEASE could not be filled; see $folder/build.log"
  exit 1
}
rm -rf "$folder/stamp" "$folder/root"
mv "$root" "$folder/root"
printf '%s' "$stamp" >"$folder/stamp"
