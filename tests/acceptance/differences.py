# SPDX-License-Identifier: GPL-3.0-or-later
"""What is otherwise in a container than on this computer, case by case, and why it has to be."""

import sys

LEFT_OUT = "left out"
OTHERWISE = "otherwise"

OF_THE_IMAGE = "an interpreter in a container is one of its image, and no folder of this computer"

DIFFERENCES = {
    "A20 virtual environment": (LEFT_OUT, OF_THE_IMAGE),
    "A21 environment and home": (OTHERWISE, "an image has a /home of its own, without the users of this computer in it"),
    "A22 an interpreter beside private files": (LEFT_OUT, OF_THE_IMAGE),
    "A23 an environment with a socket in it": (LEFT_OUT, OF_THE_IMAGE),
    "A24 a private folder as an environment": (LEFT_OUT, OF_THE_IMAGE),
    "A25 where Fumehood lies": (
        OTHERWISE, "the kernel's list of mounts tells where on this computer a bound folder lies; nothing else does"),
    "sockets": (LEFT_OUT, "Docker takes IPv6 from a container without a network, its own ::1 included"),
    "what it runs on": (LEFT_OUT, "an image has a list of users of its own, without the one whose number the program has"),
    "C18 the runner is killed": (
        OTHERWISE, "what is killed is the engine's client, since no process here can reach the runner; the sentence names the "
        "container"),
}

if __name__ == "__main__":
    sys.exit("differences.py is a module of the tests")
