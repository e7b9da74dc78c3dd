#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/vm/build-image.sh [FOLDER]: makes the virtual machine that tests/vm/test-vm.py starts, of
# Debian's packages: kernel, initramfs and a disk with systemd, an ordinary user with a user manager,
# and Python. Needs root, about 1 GB below FOLDER while it works and 600 MB afterwards. Does nothing
# when the image is there and was made by this very script. FH_VM_MIRROR names another mirror than apt's,
# FH_VM_RELEASE another release than this computer's, which must not be an older one.
set -eu

folder=${1:-${FH_VM_DIR:-/var/tmp/fumehood-vm}}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/harness/debian.sh
. "$here/../harness/debian.sh"

fail () {
  printf 'The virtual machine cannot be built: %s.\n' "$*" >&2
  exit 1
}

# What is built here runs in there, with that one's C library.
# shellcheck disable=SC1091
release=${FH_VM_RELEASE:-$(. /etc/os-release && [ "${ID:-}" = debian ] && printf '%s' "${VERSION_CODENAME:-}")} ||
  fail 'this is not Debian'
mirror=${FH_VM_MIRROR:-$(debian_mirror)}
stamp="$release $(cat "$here/build-image.sh" "$here/initramfs.sh" "$here/machine.sh" "$here/../harness/debian.sh" | sha256sum)"

! is_built "$folder" "$stamp" || exit 0
[ "$(id -u)" = 0 ] || fail 'that needs root'
for tool in debootstrap busybox modprobe depmod mke2fs cpio; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done
[ -n "$mirror" ] || fail 'apt knows no mirror; set FH_VM_MIRROR'

mkdir -p "$folder"
work=$(mktemp -d "$folder/work.XXXXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
root=$work/root

make_root () {
  make_debian "$release" "$root" "$mirror" \
    --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,python3,bubblewrap,uidmap
}

# The kernel is only unpacked. Installing it would bring tools that nothing here needs.
unpack_kernel () {
  chroot "$root" apt-get --quiet update
  kernel=$(chroot "$root" apt-cache depends linux-image-amd64 |
    sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
  parts=$(chroot "$root" apt-cache depends "$kernel" |
    sed -n 's/^ *Depends: \(linux-\(modules\|binary\)-[^ ]*\)$/\1/p')
  # shellcheck disable=SC2086
  (cd "$root/tmp" && chroot "$root" sh -c 'cd /tmp && apt-get -o APT::Sandbox::User=root download "$@"' - "$kernel" $parts)
  mkdir "$work/kernel"
  for package in "$root"/tmp/linux-*.deb; do
    dpkg-deb --extract "$package" "$work/kernel"
    rm "$package"
  done
  modules=$(find "$work/kernel" -type d -path '*/lib/modules' | head -n 1)
  version=$(ls "$modules")
  [ -d "$work/kernel/lib/modules" ] || { mkdir -p "$work/kernel/lib" && ln -s "$modules" "$work/kernel/lib/modules"; }
  depmod --basedir "$work/kernel" "$version"
}

# A shell and the modules that find the disk, in the order in which they depend on one another.
make_initramfs () {
  mkdir -p "$work/initramfs/bin" "$work/initramfs/modules"
  cp "$(command -v busybox)" "$work/initramfs/bin/busybox"
  install -m 755 "$here/initramfs.sh" "$work/initramfs/init"
  number=100
  for module in virtio_pci virtio_blk ext4 crc32c_generic; do
    modprobe --dirname "$work/kernel" --set-version "$version" --show-depends "$module"
  done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$work/list"
  while read -r path; do
    number=$((number + 1))
    name=$work/initramfs/modules/$number-$(basename "$path")
    case $path in
      *.xz) xz --decompress --stdout "$path" >"${name%.xz}" ;;
      *.zst) zstd --quiet --decompress --stdout "$path" >"${name%.zst}" ;;
      *) cp "$path" "$name" ;;
    esac
  done <"$work/list"
  (cd "$work/initramfs" && find . | cpio --quiet --create --format=newc) >"$work/initrd"
}

main () {
  make_root
  unpack_kernel
  make_initramfs
  install -m 755 "$here/machine.sh" "$root/tmp/machine.sh"
  chroot "$root" /tmp/machine.sh
  rm -rf "$root/tmp/machine.sh" "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*
  size=$(du --summarize --block-size=1M --apparent-size "$root" | cut -f 1)
  mke2fs -q -t ext4 -O '^has_journal' -E root_owner=0:0 -d "$root" "$work/disk" "$((size * 5 / 4 + 300))M"
}

main >"$folder/build.log" 2>&1 || {
  tail -n 20 "$folder/build.log" >&2
  fail "see $folder/build.log"
}
rm -f "$folder/stamp"
cp "$work"/kernel/boot/vmlinuz-* "$folder/kernel"
mv "$work/initrd" "$folder/initrd"
mv "$work/disk" "$folder/disk"
chmod 644 "$folder/kernel" "$folder/initrd" "$folder/disk"
printf '%s' "$stamp" >"$folder/stamp"
chmod 755 "$folder"
