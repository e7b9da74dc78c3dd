#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/trixie/enter-tree.sh ROOT COMMAND…: runs a command as root in a tree of a Debian system, with
# its own /proc, /dev and /tmp, and processes that all end with it. The tree becomes the root of its mounts: in a
# chroot the kernel refuses user namespaces, which is what a sandbox is made of.
set -eu

if [ "$1" != --inside ]; then
  exec unshare --mount --pid --fork --kill-child --propagation private sh "$0" --inside "$@"
fi
root=$2
shift 2

mount --bind "$root" "$root"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o nosuid,mode=755 dev "$root/dev"
for node in null zero full random urandom tty; do
  : >"$root/dev/$node"
  mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o nosuid,nodev,mode=1777 shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmp "$root/tmp"
mount -t tmpfs -o nosuid,nodev,mode=755 run "$root/run"

cd "$root"
# One on top of the other: no folder is needed for the old root, and what is taken away is that.
pivot_root . .
umount --lazy .
cd /
exec /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive "$@"
