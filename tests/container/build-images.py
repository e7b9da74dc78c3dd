# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the images of the tests from Debian packages that are installed here, because there is no network: they are
packed as they lie in this system and imported into the engine that DOCKER_HOST names.

    python:3-slim   Python and what every Debian has, as the image of that name
    plain:latest    a shell and small tools, but no Python
    build:latest    the first, and what fumehoodctl is built with: only when it is named
"""

import argparse
import io
import os
import re
import stat
import subprocess
import sys
import tarfile
from pathlib import Path

STATUS = Path("/var/lib/dpkg/status")
# Of the package busybox-static: it needs no library.
BUSYBOX = "/bin/busybox"
# What has the Debian that "python:3-slim" is made from, and Python.
PACKAGES = ["python3", "python3-minimal", "libpython3-stdlib", "base-files", "bash", "coreutils", "dash", "debianutils",
            "diffutils", "findutils", "grep", "gzip", "hostname", "libc-bin", "libgcc-s1", "mawk", "ncurses-base",
            "ncurses-bin", "netbase", "perl-base", "sed", "tar", "tzdata", "util-linux"]
BUILD_PACKAGES = ["gcc", "gettext", "libc6-dev", "libcmark-dev", "libglib2.0-dev", "libjson-glib-dev", "libseccomp-dev",
                  "libsqlite3-dev", "meson", "ninja-build", "pkg-config"]
LEFT_OUT = re.compile(r"/usr/share/(doc|man|info|locale|lintian|bug|help)(/|$)"
                      r"|/(var|boot|srv|run|tmp|dev|proc|sys|root|home|media|mnt|opt)(/|$)")
MERGED = re.compile(r"^/(bin|sbin|lib|lib32|lib64|libx32)(?=/|$)")
USERS = ("root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
         "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n")
GROUPS = "root:x:0:\ndaemon:x:1:\nnogroup:x:65534:\n"
PATHS = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def installed():
    """What dpkg knows: {package: packages that it depends on, each as a list of alternatives}, and who provides what."""
    packages, provided = {}, {}
    own = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    for paragraph in STATUS.read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^(Package|Architecture|Depends|Pre-Depends|Provides|Status): (.*)$", paragraph,
                                 re.MULTILINE))
        if not fields.get("Status", "").endswith(" installed") or fields["Architecture"] not in (own, "all"):
            continue
        name = fields["Package"]
        wanted = ", ".join(filter(None, [fields.get("Pre-Depends"), fields.get("Depends")]))
        packages[name] = [[bare(one) for one in entry.split("|")] for entry in wanted.split(",") if entry.strip()]
        for one in fields.get("Provides", "").split(","):
            provided.setdefault(bare(one), name)
    return packages, provided


def bare(entry):
    """ "libc6:any (>= 2.36)" is libc6."""
    return re.split(r"[ (:]", entry.strip(), maxsplit=1)[0]


def closure(names):
    packages, provided = installed()
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        name = name if name in packages else provided.get(name)
        if name is None or name in found:
            continue
        found.add(name)
        for alternatives in packages[name]:
            waiting += [one for one in alternatives if one in packages or one in provided][:1]
    missing = {"python3", "dash", "coreutils"} - found
    if missing:
        sys.exit(f"not installed: {' '.join(sorted(missing))}")
    return sorted(found)


def files_of(packages):
    """Where they lie in the image: everything is below /usr, as in a Debian of today."""
    listed = subprocess.run(["dpkg-query", "--listfiles", *packages], capture_output=True, text=True, check=True).stdout
    found = set()
    for line in listed.splitlines():
        path = MERGED.sub(r"/usr/\1", line)
        if line.startswith("/") and line != "/." and not LEFT_OUT.match(path) and os.path.lexists(line):
            found.add((path, line))
    return dict(sorted(found))


class Image:
    """A tar archive as it grows; everything in it belongs to root."""

    def __init__(self, stream):
        self.tar = tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT)
        self.names = set()

    def _add(self, name, kind, mode, **more):
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode = kind, mode
        for key, value in more.items():
            setattr(entry, key, value)
        self.names.add(name)
        return entry

    def folder(self, name, mode=0o755):
        if name and name not in self.names:
            self.folder(os.path.dirname(name))
            self.tar.addfile(self._add(name, tarfile.DIRTYPE, mode))

    def link(self, name, target):
        if name not in self.names:
            self.folder(os.path.dirname(name))
            self.tar.addfile(self._add(name, tarfile.SYMTYPE, 0o777, linkname=target))

    def text(self, name, text):
        data = text.encode()
        self.folder(os.path.dirname(name))
        self.tar.addfile(self._add(name, tarfile.REGTYPE, 0o644, size=len(data)), io.BytesIO(data))

    def copy(self, name, source):
        """A file, folder or link of this system; what its user may not read is left out."""
        status = os.lstat(source)
        if stat.S_ISDIR(status.st_mode):
            self.folder(name, stat.S_IMODE(status.st_mode))
        elif stat.S_ISLNK(status.st_mode):
            self.link(name, os.readlink(source))
        elif stat.S_ISREG(status.st_mode) and os.access(source, os.R_OK) and name not in self.names:
            self.folder(os.path.dirname(name))
            with open(source, "rb") as file:
                entry = self._add(name, tarfile.REGTYPE, stat.S_IMODE(status.st_mode), size=status.st_size,
                                  mtime=int(status.st_mtime))
                self.tar.addfile(entry, file)

    def frame(self):
        """What no package brings and every image has."""
        for name in ("dev", "proc", "sys", "run", "var", "root", "home", "etc", "opt", "mnt", "srv", "usr/local/bin"):
            self.folder(name, 0o700 if name == "root" else 0o755)
        for name in ("tmp", "var/tmp"):
            self.folder(name, 0o1777)
        self.text("etc/passwd", USERS)
        self.text("etc/group", GROUPS)
        self.text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")

    def close(self):
        self.tar.close()


def make_python(image, packages=()):
    for name in ("bin", "sbin", "lib", "lib64"):
        image.folder(f"usr/{name}")
        image.link(name, f"usr/{name}")
    image.frame()
    for path, source in files_of(closure([*PACKAGES, *packages])).items():
        image.copy(path[1:], source)
    # Made by scripts when packages are installed, and so in none.
    image.link("usr/bin/awk", "mawk")
    image.copy("etc/ld.so.cache", "/etc/ld.so.cache")
    image.link("usr/local/bin/python3", "/usr/bin/python3")
    image.link("usr/local/bin/python", "python3")
    image.link("usr/bin/sh", "dash")


def make_build(image):
    make_python(image, BUILD_PACKAGES)


def make_plain(image):
    image.frame()
    image.copy("bin/busybox", os.path.realpath(BUSYBOX))
    for name in subprocess.run([BUSYBOX, "--list"], capture_output=True, text=True, check=True).stdout.split():
        image.link(f"bin/{name}", "busybox")


# Large, and needed by a single test.
ON_DEMAND = ("build:latest",)
IMAGES = {
    "python:3-slim": (make_python, [f"ENV {PATHS}", "ENV LANG=C.UTF-8", 'CMD ["python3"]']),
    "build:latest": (make_build, [f"ENV {PATHS}", "ENV LANG=C.UTF-8"]),
    "plain:latest": (make_plain, [f"ENV {PATHS}", 'CMD ["sh"]']),
}


def is_there(client, name):
    return subprocess.run([client, "image", "inspect", name], capture_output=True, check=False).returncode == 0


def build(client, name):
    make, changes = IMAGES[name]
    words = [client, "import", *[word for change in changes for word in ("--change", change)], "-", name]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        image = Image(process.stdin)
        make(image)
        image.close()
        process.stdin.close()
        process.stdin = None
    if process.returncode != 0:
        sys.exit(f"{client} import {name} failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", default="docker", help="docker or podman")
    parser.add_argument("--missing", action="store_true", help="only those that are not there yet")
    parser.add_argument("names", nargs="*", metavar="IMAGE", help="all of them without any")
    options = parser.parse_args()
    for name in options.names or [name for name in IMAGES if name not in ON_DEMAND]:
        if not options.missing or not is_there(options.client, name):
            build(options.client, name)


if __name__ == "__main__":
    main()
