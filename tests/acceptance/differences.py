# SPDX-License-Identifier: GPL-3.0-or-later
"""What is otherwise in a container, and in Flatpak, than on this computer, case by case, and why it has to be."""

import sys

LEFT_OUT = "left out"
OTHERWISE = "otherwise"

OF_THE_IMAGE = "an interpreter in a container is one of its image, and no folder of this computer"

IN_CONTAINERS = {
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

# The cases of the suite container: those of which a container has a part, such as the way of the output, the end of what
# runs in it and its limits. container-long tries all.
SHORT_FORM = {
    "A1 print",
    "A3 both streams are kept apart",
    "A10 the source arrives byte for byte",
    "A12 program of 200 KB",
    "A14 no runner names visible",
    "A17 multiprocessing",
    "A18 arguments",
    "A19 sh and bash",
    "A21 environment and home",
    "A25 where Fumehood lies",
    "B1 sys.exit (3)",
    "B5 os.abort is SIGABRT",
    "B7 exit code 124 is no timeout",
    "B7 exit code 137 is no limit",
    "B10 who sent a signal",
    "a package that is missing",
    "the limit of operations",
    "C3 partial output is kept",
    "C8 ignores signals",
    "C9 child holds stdout",
    "C11 child leaves the session",
    "C14 stopped by the user",
    "C14 stopped twice",
    "C17 processor time of the tree",
    "C18 the runner is killed",
    "D1 one large block",
    "D2 200 MiB of 256",
    "D6 no memory limit",
    "D8 fork bomb",
    "D9 a smaller disk",
    "D10 children together",
    "E3 20 MB are cut, and told",
    "E4 output limit",
    "E6 bytes that are no text",
    "E12 order of the two streams",
    "E13 a flood that is not read",
    "F1 input () is EOFError at once",
    "F4 from a file",
    "F5 a pipe",
    "F6 the program itself",
    "F7 our own is left alone",
    "F8 not read by the program",
    "asyncio, its sockets and its processes",
    "files, locks, databases",
    "a program asks and changes its own limits",
}

OF_THE_HOST = "the app may not see the interpreters and folders of this computer, only those of its runtime"
FOLDER_OF_ITS_OWN = "programs have a folder of their own below the app's, which is not called /workspace"
TO_FLATPAK = "a signal to `flatpak run` ends bubblewrap, and does not reach what is in it; tests/flatpak stops and kills"

IN_FLATPAK_APPS = {
    "A17 multiprocessing": (LEFT_OUT, "there is no folder of shared memory, in which semaphores are"),
    "A19 sh and bash": (LEFT_OUT, FOLDER_OF_ITS_OWN),
    "A20 virtual environment": (LEFT_OUT, OF_THE_HOST),
    "A21 environment and home": (LEFT_OUT, FOLDER_OF_ITS_OWN),
    "A22 an interpreter beside private files": (LEFT_OUT, OF_THE_HOST),
    "A23 an environment with a socket in it": (LEFT_OUT, OF_THE_HOST),
    "A24 a private folder as an environment": (LEFT_OUT, OF_THE_HOST),
    "A25 where Fumehood lies": (LEFT_OUT, "no file of /proc that tells of mounts can be read"),
    "C14 stopped by the user": (LEFT_OUT, TO_FLATPAK),
    "C14 stopped twice": (LEFT_OUT, TO_FLATPAK),
    "C14 stopped while it ignores SIGINT": (LEFT_OUT, TO_FLATPAK),
    "C18 the runner is killed": (LEFT_OUT, TO_FLATPAK),
    "E13 a flood that is not read": (LEFT_OUT, TO_FLATPAK),
    "asyncio, its sockets and its processes": (LEFT_OUT, "there are no sockets but pairs"),
    "multiprocessing in all its ways": (LEFT_OUT, "there is no folder of shared memory, in which semaphores are"),
    "a program asks and changes its own limits": (LEFT_OUT, "there are no sockets but pairs"),
    "files, locks, databases": (LEFT_OUT, "the modes and times of files cannot be changed"),
    "ctypes": (LEFT_OUT, "the local runtime has no list of its libraries"),
    "without a terminal": (LEFT_OUT, "the local runtime describes no terminals"),
}

if __name__ == "__main__":
    sys.exit("differences.py is a module of the tests")
