# SPDX-License-Identifier: GPL-3.0-or-later
# Puts a link in place of the folder that the run was given, so that the app collects or removes something else, or the
# next run starts elsewhere.
#
# baseline: skip it is about the folders of a run
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: F
import os
import sys

home = sys.argv[1]
workspace = os.getcwd()
run = os.path.dirname(workspace)
given = os.path.dirname(run)
cache = os.path.dirname(given)
done = []
for folder in (workspace, run, given, cache):
    for what, way in (("moved", lambda: os.rename(folder, folder + "-moved")), ("removed", lambda: os.rmdir(folder)),
                      ("made", lambda: os.symlink(home, folder + "-new")),
                      ("swapped", lambda: os.rename(os.path.join(workspace, "link"), folder))):
        try:
            if what == "swapped":
                os.symlink(home, os.path.join(workspace, "link"))
            way()
        except OSError:
            continue
        done.append((what, folder))
# What is collected, or removed, must not be what this leads to.
for name in ("taken", "deep"):
    try:
        os.symlink(home, name)
    except OSError:
        pass
try:
    os.symlink(f"{cache}/sandbox-zzzzzz", "sandbox-zzzzzz")
    os.mkdir("../sandbox-zzzzzz")
    done.append("sandbox-zzzzzz")
except OSError:
    pass
print(done)
print("SUCCEEDED" if done else "STOPPED")
