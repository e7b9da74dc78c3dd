#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh src/run.sh [--flatpak] [FILE]: installs what is missing, builds in build/ and opens the app, with
# FILE if one is named. Without a display FILE, or else an exhibit, runs in the terminal instead.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build
# shellcheck source=src/setup.sh
. "$root/src/setup.sh"

usage () {
  cat <<'END'
Usage: sh src/run.sh [--flatpak] [FILE]

Installs what is missing (apt; on other systems the packages are named), builds Fumehood in build/
and opens it. FILE is opened in a tab; nothing in it runs before you press Run. Without a display
FILE, or else an exhibit, runs behind guards in the terminal.

--flatpak builds it with flatpak-builder instead, in build/flatpak, and installs it for you. Nothing
else is installed: what is missing is named.
END
}

absolute () {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s/%s\n' "$PWD" "$1" ;;
  esac
}

is_sudo () {
  [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ] && [ "$SUDO_UID" != 0 ]
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

# What flatpak-builder needs, or the end with a list of what is missing.
need_flatpak () {
  for program in flatpak flatpak-builder; do
    command -v "$program" >/dev/null 2>&1 || {
      say "$program is not installed; on Debian: apt install flatpak flatpak-builder"
      exit 1
    }
  done
  version=$(sed -n 's/^ *"runtime-version": "\(.*\)",$/\1/p' "$manifest")
  for runtime in org.gnome.Platform org.gnome.Sdk; do
    flatpak info "$runtime//$version" >/dev/null 2>&1 || {
      say "The runtime $runtime $version is not installed. From Flathub:"
      say '  flatpak remote-add --user --if-not-exists flathub https://dl.flathub.org/repo/flathub.flatpakrepo'
      say "  flatpak install --user flathub $runtime//$version"
      exit 1
    }
  done
}

run_as_flatpak () {
  app_id=io.github.fumehood.Fumehood
  manifest=$root/flatpak/$app_id.json
  need_flatpak
  mkdir -p "$build/flatpak"
  flatpak-builder --user --install --force-clean --state-dir="$build/flatpak/state" \
    "$build/flatpak/app" "$manifest" >&2
  if [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ]; then
    exec flatpak run --file-forwarding "$app_id" ${1:+@@ "$1" @@}
  fi
  say 'There is no display here, so no window can open. Running in the terminal instead.'
  exec flatpak run --command=fumehoodctl "$app_id" run - <"${1:-$root/data/exhibits/first-run.py}"
}

as_flatpak=
case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
  --flatpak)
    as_flatpak=yes
    shift
    ;;
esac
if [ $# -gt 1 ]; then
  usage >&2
  exit 2
fi
if [ $# = 1 ] && [ ! -r "$1" ]; then
  say "$1: cannot be read"
  exit 2
fi

if [ -n "$as_flatpak" ]; then
  is_sudo && leave_sudo --flatpak "$@"
  run_as_flatpak "$@"
fi
ensure_packages build
if is_sudo; then
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
  fumehoodctl run "${file:-$root/data/exhibits/first-run.py}"
