# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What Fumehood needs to be built and tested, and how it gets onto this machine. Read by src/run.sh
# and tests/run.sh, which are what people call.

BUILD_PACKAGES='gcc libc6-dev meson ninja-build pkg-config gettext
  libglib2.0-dev libjson-glib-dev libsqlite3-dev libcmark-dev libseccomp-dev
  libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev
  libgdk-pixbuf-2.0-dev librsvg2-dev webp-pixbuf-loader
  python3 desktop-file-utils shared-mime-info
  adwaita-icon-theme librsvg2-common gsettings-desktop-schemas dconf-gsettings-backend
  fonts-cantarell fonts-dejavu-core'

TEST_PACKAGES='clang clang-format-14 libclang-rt-14-dev shellcheck libxml2-utils appstream
  xvfb xauth xcompmgr dbus at-spi2-core gir1.2-atspi-2.0 python3-gi python3-jsonschema python3-matplotlib
  python3-xlib bubblewrap procps uidmap util-linux g++ lua5.4 nodejs perl ruby'

CONTAINER_PACKAGES='docker.io podman uidmap docker-registry busybox-static netbase tzdata python3-yaml'

CLUSTER_PACKAGES='slurmctld slurmd slurm-client munge python3-jsonschema python3-yaml'

VM_PACKAGES='qemu-system-x86 debootstrap busybox-static cpio e2fsprogs kmod xz-utils zstd'

FLATPAK_PACKAGES='flatpak flatpak-builder ostree xdg-dbus-proxy bubblewrap elfutils debugedit
  appstream-util patch file xz-utils gawk mawk procps'

say () {
  printf '%s\n' "$*" >&2
}

# Packages of the list that are not installed.
missing_packages () {
  for package in "$@"; do
    state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || printf '%s ' "$package"
  done
}

# Runs a command as root: directly, or through sudo.
as_root () {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    say "Packages are missing, and there is no sudo here. As root, run:"
    say "  $*"
    return 1
  fi
}

apt_install () {
  # The lists may be old or, in a fresh container, not there at all.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" >&2 && return
  say 'Fetching the package lists and trying once more …'
  as_root apt-get update >&2 || return
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" >&2
}

# Does something without the services being started that new packages bring: policy-rc.d is what
# asks for that, and is left alone where there is one.
without_services () (
  policy=/usr/sbin/policy-rc.d
  if [ "$(id -u)" = 0 ] && [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    trap 'exit 130' INT TERM HUP
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  "$@"
)

# prepare_engine ROOT FOLDER GROUP: a container engine for the tests alone, which members of that group
# may use: FOLDER/docker.sock. The engine of this computer, if there is one, is not touched, and what is
# installed for this does not start by itself.
prepare_engine () {
  wanted=$CONTAINER_PACKAGES
  # Debian 13 has the client in a package of its own.
  if apt-cache show docker-cli >/dev/null 2>&1; then
    wanted="$wanted docker-cli"
  fi
  # shellcheck disable=SC2086
  missing=$(missing_packages $wanted)
  if [ -n "$missing" ]; then
    say "Installing, without starting any service: $missing"
    # shellcheck disable=SC2086
    without_services apt_install $missing || return
    for service in docker.socket docker.service containerd.service docker-registry.service; do
      case $missing in
        *docker.io* | *docker-registry*)
          [ ! -d /run/systemd/system ] || systemctl --quiet disable "$service" >&2 2>/dev/null || :
          ;;
      esac
    done
  fi
  /usr/bin/python3 "$1/tests/container/engine.py" start "$2" "$3"
}

# prepare_cluster: what a Slurm of one node takes, for the tests to start as their user; none of it starts by itself.
prepare_cluster () {
  # shellcheck disable=SC2086
  missing=$(missing_packages $CLUSTER_PACKAGES)
  [ -n "$missing" ] || return 0
  say "Installing, without starting any service: $missing"
  # shellcheck disable=SC2086
  without_services apt_install $missing || return
  for service in slurmctld slurmd munge; do
    case $missing in
      *"$service "*)
        [ ! -d /run/systemd/system ] || as_root systemctl --quiet disable "$service" >&2 2>/dev/null || :
        ;;
    esac
  done
}

# prepare_node: node and npm, unless there are some: other sources of them than Debian put both into one package.
prepare_node () {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 && return
  apt_install nodejs npm
}

name_other_packages () {
  cat >&2 <<'END'
This system has no apt, so nothing was installed. Please install what Fumehood is built with:
  Fedora    dnf install gcc meson gettext glib2-devel json-glib-devel sqlite-devel libseccomp-devel
            cmark-devel gtk4-devel libadwaita-devel gtksourceview5-devel gdk-pixbuf2-devel librsvg2-devel
            desktop-file-utils
  Arch      pacman -S base-devel meson gettext glib2-devel json-glib sqlite libseccomp cmark gtk4
            libadwaita gtksourceview5 gdk-pixbuf2 librsvg desktop-file-utils
  openSUSE  zypper install gcc meson gettext-tools glib2-devel json-glib-devel sqlite3-devel
            libseccomp-devel cmark-devel gtk4-devel libadwaita-devel gtksourceview5-devel
            gdk-pixbuf-devel librsvg-devel desktop-file-utils
  Alpine    apk add build-base meson gettext-dev glib-dev json-glib-dev sqlite-dev libseccomp-dev
            cmark-dev linux-headers gtk4.0-dev libadwaita-dev gtksourceview5-dev gdk-pixbuf-dev
            librsvg-dev desktop-file-utils
Then run the same command again.
END
}

# ensure_packages build [test]: installs what is missing of these groups. On a system without apt
# it succeeds only when the libraries are there already.
ensure_packages () {
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    have_libraries && return
    name_other_packages
    return 1
  fi
  wanted=$BUILD_PACKAGES
  if [ "${2:-}" = test ]; then
    wanted="$wanted $TEST_PACKAGES"
  fi
  # The lists are meant to be split into words.
  # shellcheck disable=SC2086
  missing=$(missing_packages $wanted)
  [ -z "$missing" ] && return
  say "Installing: $missing"
  # shellcheck disable=SC2086
  apt_install $missing
}

# prepare_vm ROOT FOLDER: builds the virtual machine of the suite vm of this tree in that folder, unless
# it is there already. Root does not wait for that, which is mostly a download: FH_VM_PID is the process.
prepare_vm () {
  # shellcheck disable=SC2086
  missing=$(missing_packages $VM_PACKAGES)
  # shellcheck disable=SC2086
  [ -z "$missing" ] || { say "Installing: $missing" && apt_install $missing; } || {
    say 'The suite vm has no new virtual machine.'
    return
  }
  say "Building a virtual machine in $2, unless it is there …"
  if [ "$(id -u)" = 0 ]; then
    build_vm "$1" "$2" &
    export FH_VM_PID=$!
  else
    build_vm "$1" "$2"
  fi
}

build_vm () {
  as_root sh "$1/tests/vm/build-image.sh" "$2" || say 'The suite vm has no new virtual machine.'
}

# prepare_flatpak ROOT FOLDER: what the suites about Flatpak need; their runtime is laid out in that folder, once.
# Root does not wait for that: FH_FLATPAK_PID is the process.
prepare_flatpak () {
  # shellcheck disable=SC2086
  missing=$(missing_packages $FLATPAK_PACKAGES)
  # shellcheck disable=SC2086
  [ -z "$missing" ] || { say "Installing: $missing" && without_services apt_install $missing; } || {
    say 'The suite flatpak has no Flatpak.'
    return
  }
  say "Laying out a runtime for Flatpak in $2, unless it is there …"
  if [ "$(id -u)" = 0 ]; then
    lay_out_runtime "$1" "$2" &
    export FH_FLATPAK_PID=$!
  else
    lay_out_runtime "$1" "$2"
  fi
}

lay_out_runtime () {
  FH_FLATPAK_DIR=$2 PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$1/tests/flatpak/local_runtime.py" >&2 ||
    say 'The suites about Flatpak have no runtime.'
}

have_libraries () {
  command -v meson >/dev/null 2>&1 && command -v ninja >/dev/null 2>&1 && pkg-config --exists \
    gtk4 libadwaita-1 gtksourceview-5 json-glib-1.0 sqlite3 libseccomp 2>/dev/null
}
