#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh src/run.sh [FILE]: installs what is missing, builds in build/ and opens the app, with FILE if
# one is named. Without a display FILE, or else the example, runs in the terminal instead.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build
# shellcheck source=src/setup.sh
. "$root/src/setup.sh"

usage () {
  cat <<'END'
Usage: sh src/run.sh [FILE]

Installs what is missing (apt; on other systems the packages are named), builds Fumehood in build/
and opens it. FILE is opened in a tab; nothing in it runs before you press Run. Without a display
FILE, or else the example, runs behind guards in the terminal.
END
}

absolute () {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s/%s\n' "$PWD" "$1" ;;
  esac
}

# Under sudo only the packages need root: the rest belongs to the calling user.
leave_sudo () {
  home=$(getent passwd "$SUDO_UID" | cut -d: -f6)
  say "Going on as ${SUDO_USER:-$SUDO_UID}: only installing packages needs root."
  exec setpriv --reuid="$SUDO_UID" --regid="$(id -g "$SUDO_UID")" --init-groups \
    env -u SUDO_UID HOME="$home" USER="${SUDO_USER:-}" LOGNAME="${SUDO_USER:-}" \
    XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/run/user/$SUDO_UID}" sh "$root/src/run.sh" "$@"
}

build_everything () {
  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$root" -Dtests=false >&2
  fi
  ninja -C "$build" >&2
}

if [ $# -gt 1 ]; then
  usage >&2
  exit 2
fi
case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
esac
if [ $# = 1 ] && [ ! -r "$1" ]; then
  say "$1: cannot be read"
  exit 2
fi

ensure_packages build
if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ] && [ "$SUDO_UID" != 0 ]; then
  leave_sudo "$@"
fi
build_everything
if [ "$(id -u)" = 0 ]; then
  say 'You are root. The guards hold for root too, but an ordinary account has less to lose: prefer one.'
fi

file=
if [ $# = 1 ]; then
  file=$(absolute "$1")
fi
if [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ]; then
  exec meson devenv -C "$build" --workdir "$PWD" fumehood ${file:+"$file"}
fi
say 'There is no display here (neither WAYLAND_DISPLAY nor DISPLAY is set), so no window can open.'
say 'Running in the terminal instead: what protects you here, and then the program.'
meson devenv -C "$build" --workdir "$PWD" fumehoodctl guards >&2
exec meson devenv -C "$build" --workdir "$PWD" \
  fumehoodctl run "${file:-$root/data/examples/first-run.py}"
