#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs as root in the virtual machine. Runs inside.py as each kind of user; what it prints is on its
# way to test-vm.py, over a serial line.

stty raw -echo 2>/dev/null
cd /opt/guest || exit 1

# What a crash calls, as root, unless it is kept from that: core (5).
cat >core-handler <<'END'
#!/bin/sh
cat >/dev/null
echo called >>/run/core-calls
END
chmod 755 core-handler
echo '|/opt/guest/core-handler' >/proc/sys/kernel/core_pattern

# Users may count their CPU time, which is the kernel's default but not that of the machine's system:
# otherwise nothing would show which runs ask for it.
echo 2 >/proc/sys/kernel/perf_event_paranoid

# As a desktop's application: a unit of the user manager.
echo '# as an application'
setpriv --reuid=tester --regid=tester --init-groups --reset-env \
  env LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/1000 \
  systemd-run --user --wait --pipe --quiet --collect --setenv=LANG=C.UTF-8 \
  python3 -B /opt/guest/inside.py application </dev/null 2>&1

# After a login at a terminal: a scope that belongs to root.
echo '# after a login'
systemd-run --wait --pipe --quiet --collect --property=User=tester --property=PAMName=login \
  --setenv=LANG=C.UTF-8 python3 -B /opt/guest/inside.py login </dev/null 2>&1

# Without a user manager.
echo '# without a user manager'
setpriv --reuid=stranger --regid=stranger --init-groups --reset-env env LANG=C.UTF-8 \
  python3 -B /opt/guest/inside.py without-systemd </dev/null 2>&1

echo '# the end'
sync
