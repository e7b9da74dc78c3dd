#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# The first program in the virtual machine: finds the disk and hands over to its systemd.
PATH=/bin
/bin/busybox --install -s /bin

mkdir -p /dev /proc /sys /disk
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
for module in /modules/*; do
  insmod "$module"
done
tries=0
until [ -b /dev/vda ]; do
  tries=$((tries + 1))
  [ "$tries" -gt 300 ] && echo 'There is no disk.' && poweroff -f
  sleep 0.1
done
mount -t ext4 -o noatime /dev/vda /disk || poweroff -f
mount --move /dev /disk/dev
mount --move /proc /disk/proc
mount --move /sys /disk/sys
exec switch_root /disk /lib/systemd/systemd
