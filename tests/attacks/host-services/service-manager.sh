#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts a service outside with the system's tools.
#
# baseline: skip it would start a service
# expect-status: ok
# expect-attempt: any
# within: 6
# tiers: A A2 B
for tool in "systemd-run --user --wait true" "systemctl --user status" "busctl --user list" "at now" \
  "crontab -l" "flatpak-spawn --host true" "docker ps" "podman --remote ps" "gdbus call --session -d a.b -o / -m a.b"; do
  if timeout 2 $tool </dev/null >/dev/null 2>&1; then
    echo "$tool"
    echo SUCCEEDED
  fi
done
echo STOPPED
