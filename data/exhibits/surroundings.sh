#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a shell script can see from in here.

echo "I am $(id -un) on $(uname -n), in $(pwd)."
echo
echo "Folders:"
ls /
echo
echo "Processes:"
for process in /proc/[0-9]*; do
  printf '%s  %s\n' "${process#/proc/}" "$(tr '\0' ' ' < "$process/cmdline")"
done
echo
echo "Network:"
cat /proc/net/dev
