# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies what Debian packages have installed on this computer into one folder, as a runtime of Flatpak wants it: what
is in /usr lies at its top, what is in /etc in its etc."""

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

DATABASE = Path("/var/lib/dpkg")
# What programs that draw by themselves do not need, and what would triple the size: settings daemon, OpenGL drivers.
LEFT_OUT = re.compile(r"(dconf-gsettings-backend|dconf-service|libllvm.*|libgl1-mesa-dri|mesa-libgallium|libz3.*)$")
UNUSED = re.compile(r"/usr/share/(doc|doc-base|man|info|locale|lintian|bug|gdb|bash-completion)(/|$)")
# The computer's own: Flatpak brings its own or the user's.
OF_THE_COMPUTER = ("passwd", "group", "shadow", "gshadow", "machine-id", "resolv.conf", "hosts", "hostname", "localtime",
                   "timezone")
MERGED = re.compile(r"^/(bin|sbin|lib|lib32|lib64)(?=/|$)")
LINKER_PATHS = """include /run/flatpak/ld.so.conf.d/app-*-*.conf
/app/lib
include /run/flatpak/ld.so.conf.d/runtime-*-*.conf
include /etc/ld.so.conf.d/*.conf
"""


@functools.lru_cache(maxsize=None)
def installed():
    """The installed packages by name: their fields; and the names of those that provide a name."""
    packages, providers = {}, {}
    machine = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    for paragraph in (DATABASE / "status").read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.MULTILINE))
        if not fields.get("Status", "").endswith(" installed") or fields["Architecture"] not in (machine, "all"):
            continue
        packages[fields["Package"]] = fields
        for name in names(fields.get("Provides", "")):
            providers.setdefault(name, []).append(fields["Package"])
    return packages, providers


def names(relation):
    """The names in a field such as "a (>= 1), b | c", alternatives one after the other."""
    return re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)", relation)


def closure(wanted):
    """These packages and all that they depend on, sorted; KeyError for one that is not installed."""
    packages, providers = installed()
    found, to_do = set(), list(wanted)
    while to_do:
        name = to_do.pop()
        if name not in packages:
            name = providers[name][0]
        if name in found or LEFT_OUT.match(name):
            continue
        found.add(name)
        fields = packages[name]
        for relation in re.split(r",\s*", f"{fields.get('Depends', '')}, {fields.get('Pre-Depends', '')}"):
            choice = [one for one in names(relation) if one in packages or one in providers]
            to_do += choice[:1]
    return sorted(found)


def versions(wanted):
    """What tells one tree of these packages from another."""
    packages, _ = installed()
    return [f"{name} {packages[name]['Version']}" for name in closure(wanted)]


def paths(package):
    """What a package has installed, by the names that a merged /usr has."""
    machine = installed()[0][package]["Architecture"]
    for listing in (DATABASE / "info" / f"{package}.list", DATABASE / "info" / f"{package}:{machine}.list"):
        if listing.exists():
            for line in listing.read_text(encoding="utf-8").splitlines():
                path = MERGED.sub(r"/usr/\1", line)
                if path.startswith(("/usr/", "/etc/")) and not UNUSED.match(path):
                    yield path


def copy(source, target):
    """A link as a link, a file with its mode; what only root may read is left out."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.islink(source):
        goal = os.readlink(source)
        if goal.startswith("/etc/alternatives/"):
            goal = os.path.realpath(source)
        if not os.path.lexists(target):
            target.symlink_to(goal)
    elif os.path.isfile(source) and os.access(source, os.R_OK):
        shutil.copy2(source, target)


def lay_out(folder, wanted):
    """Makes the tree in a folder that does not exist yet."""
    folder.mkdir(parents=True)
    (folder / "etc").mkdir()
    for package in closure(wanted):
        for path in paths(package):
            if os.path.islink(path) or not os.path.isdir(path):
                copy(path, folder / path.removeprefix("/usr/").removeprefix("/"))
    for name in OF_THE_COMPUTER:
        (folder / "etc" / name).unlink(missing_ok=True)
    (folder / "etc" / "ld.so.conf").write_text(LINKER_PATHS, encoding="ascii")
    finish(folder)


def finish(folder):
    """What no package contains: its maintainer's script or a trigger makes it on installation."""
    for link, goal in (("bin/sh", "dash"), ("bin/awk", "mawk"), ("bin/cc", "gcc"), ("bin/c++", "g++")):
        if (folder / "bin" / goal).exists() and not (folder / link).exists():
            (folder / link).unlink(missing_ok=True)
            (folder / link).symlink_to(goal)
    for cache in Path("/usr/lib").glob("*/gdk-pixbuf-2.0/2.10.0/loaders.cache"):
        copy(cache, folder / cache.relative_to("/usr"))
    for loader in Path("/usr/lib64").glob("ld-*"):
        copy(loader, folder / "lib64" / loader.name)
    for library in folder.glob("lib/python3.*"):
        subprocess.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode=unchecked-hash", "-s", folder,
                        "-p", "/usr", library], check=False, stdout=subprocess.DEVNULL)
    for word, part in (("glib-compile-schemas", "glib-2.0/schemas"), ("update-mime-database", "mime")):
        if (folder / "share" / part).is_dir():
            subprocess.run([word, folder / "share" / part], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit("debian_tree.py is a module of the tests")
