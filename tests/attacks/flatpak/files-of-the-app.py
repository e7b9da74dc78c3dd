# SPDX-License-Identifier: GPL-3.0-or-later
# Lists, reads and changes what the app keeps: its data, its history, the folders of other runs.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: F
import os
import sys

data = os.path.dirname(sys.argv[1])
app = os.path.dirname(data)
done = []
for folder in (app, data, f"{app}/cache", f"{app}/cache/fumehood", f"{app}/config", f"{app}/.local/state", f"{app}/..",
               "/app", "/app/share", "/run/flatpak", "/run/flatpak/app", os.path.dirname(os.path.dirname(app))):
    for trick in (folder, f"/proc/self/root{folder}", f"/proc/1/root{folder}", f"/proc/2/root{folder}"):
        try:
            done.append(("listed", trick, os.listdir(trick)))
        except OSError:
            pass
    try:
        with open(f"{folder}/planted", "w", encoding="ascii") as file:
            file.write("evil")
        done.append(("written", folder))
        os.unlink(f"{folder}/planted")
    except OSError:
        pass
# Its own folder lies among them.
step = "."
for _ in range(12):
    step += "/.."
    try:
        names = os.listdir(step)
    except OSError:
        continue
    if any("sandbox-" in name for name in names) or "cache" in names:
        done.append(("listed", step, names))
print(done)
print("SUCCEEDED" if done else "STOPPED")
