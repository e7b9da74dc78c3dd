# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner in a container looks whether it was given the folders that were checked outside, before anything else."""

import errno
import os
import sys

import wire
from contained import folder, main, run
from sandboxed import prints
from tap import equal, must


def test_folders_are_what_was_checked(box):
    """The numbers are those from outside. With others, nothing happens to a folder, not even by the runner."""
    with folder() as place, folder() as other, open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        kernel = file.read().strip()
        with open(os.path.join(place, "main.py"), "w", encoding="ascii") as theirs:
            theirs.write("print('not this one')")

        def proof(path, inside="/workspace"):
            info = os.stat(path)
            return (inside, info.st_dev, info.st_ino)

        def result(*proofs, **more):
            return run(box.one_shot(workspace=place), ["python3", "main.py"], files=[("main.py", b"print('ran')")],
                       flags=wire.COLLECT | wire.SHARED_WORKSPACE, proofs=proofs, **more)

        inside = ("/", proof(place)[1], proof(place)[2])
        prints(result(proof(place)), "ran\n")
        prints(result(proof(place), proof_kernel=kernel), "ran\n")
        # Numbers of another kernel mean nothing.
        prints(result(proof(other), ("/none", 1, 1), proof_kernel="0" * 36), "ran\n")
        for proofs in ([proof(other)], [proof(place), proof(other)], [proof(other), proof(place)], [proof(place), inside],
                       [("/workspace", 0, proof(place)[2])], [("/workspace", proof(place)[1], 0)],
                       [("/workspace/", *proof(other)[1:])]):
            for words in ({}, {"proof_kernel": kernel}):
                refused = result(*proofs, **words)
                equal((refused.status, refused.step, refused.error, refused.started, refused.stdout, refused.files),
                      ("setup-failed", "container-folders", errno.ESTALE, False, b"", {}), f"{proofs} {words}")
                equal(os.listdir(place), ["main.py"], "what is in the folder")
        refused = result(proof(place), ("/none", 1, 1))
        equal((refused.status, refused.step, refused.error), ("setup-failed", "container-folders", errno.ENOENT), "missing")
        refused = run(box.one_shot(), ["true"], proofs=[proof(place)], tier=wire.TIER_A)
        must(not refused.finished and b"invalid message" in refused.runner_stderr, str(refused))


if __name__ == "__main__":
    sys.exit(main(__name__))
