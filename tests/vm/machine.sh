#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs inside the new root when the virtual machine is built: who is there and what starts. At start
# the machine unpacks the tar archive that is its second disk and runs guest.sh of it.
set -eu

useradd --create-home --uid 1000 --shell /bin/sh tester
useradd --create-home --uid 1001 --shell /bin/sh stranger
# A user manager for the one, from the beginning, and none for the other.
mkdir -p /var/lib/systemd/linger
touch /var/lib/systemd/linger/tester

echo vm >/etc/hostname
: >/etc/fstab
: >/etc/resolv.conf
# Written already, or it would be asked for.
echo 0123456789abcdef0123456789abcdef >/etc/machine-id

# What is not needed here, and what an emulated processor would be busy with for seconds.
systemctl mask --quiet getty.target console-getty.service systemd-udevd.service systemd-udev-trigger.service \
  systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-hwdb-update.service \
  systemd-journal-flush.service systemd-random-seed.service systemd-update-utmp.service \
  systemd-remount-fs.service systemd-modules-load.service systemd-binfmt.service \
  systemd-timesyncd.service systemd-networkd.service systemd-resolved.service systemd-pstore.service \
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer \
  dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount \
  modprobe@configfs.service modprobe@dm_mod.service modprobe@drm.service modprobe@efi_pstore.service \
  modprobe@fuse.service modprobe@loop.service kmod-static-nodes.service

cat >/etc/systemd/system/guest.service <<'END'
[Unit]
Description=The tests
Wants=user@1000.service systemd-logind.service dbus.socket
After=user@1000.service systemd-logind.service dbus.socket systemd-user-sessions.service
[Service]
Type=oneshot
TimeoutStartSec=infinity
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
ExecStart=/bin/sh -c 'mkdir /opt/guest && tar -C /opt/guest -xf /dev/vdb && exec sh /opt/guest/guest.sh'
ExecStopPost=/bin/systemctl poweroff --force --force
END
cat >/etc/systemd/system/guest.target <<'END'
[Unit]
Requires=basic.target
Wants=guest.service
After=basic.target
AllowIsolate=yes
END
systemctl set-default --quiet guest.target
