# SPDX-License-Identifier: GPL-3.0-or-later
"""A session bus of a test's own, on which only the named services can be started: the stock configuration would bring
up desktop portals, which find no desktop here."""

import subprocess
import sys

CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
SERVICE = """[D-BUS Service]
Name={name}
Exec={program}
"""


class SessionBus:
    """Ended by close(). `services`: what can be started, programs by their name on the bus; they get this
    environment."""

    def __init__(self, folder, environment, services):
        (folder / "services").mkdir()
        for name, program in services.items():
            service = folder / "services" / f"{name}.service"
            service.write_text(SERVICE.format(name=name, program=program), encoding="utf-8")
        config = folder / "bus.conf"
        config.write_text(CONFIG.format(folder=folder), encoding="utf-8")
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.address = self.process.stdout.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    sys.exit("session_bus.py is a module of the tests")
