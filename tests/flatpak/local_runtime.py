# SPDX-License-Identifier: GPL-3.0-or-later
"""A runtime and an SDK for Flatpak, made of the Debian packages of this computer, because tests have no remote to
install GNOME's from.

    python3 tests/flatpak/local_runtime.py    makes them in FH_FLATPAK_DIR (/var/tmp/fumehood-flatpak), unless they
                                              are there, and prints the folder

That folder is an installation of Flatpak: tests name it FLATPAK_SYSTEM_DIR. It is made once for each set of versions of
the packages, by a user who may write there; then all may use it. One that has not been used for a week goes when
another one is made.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import debian_tree

BASE = Path(os.environ.get("FH_FLATPAK_DIR") or "/var/tmp/fumehood-flatpak")
BRANCH = "debian"
UNUSED_S = 7 * 24 * 3600
PLATFORM, SDK = "org.debian.LocalPlatform", "org.debian.LocalSdk"
# What org.gnome.Platform has and Fumehood, or a program that it runs, could need.
PLATFORM_PACKAGES = """libgtk-4-1 libadwaita-1-0 libgtksourceview-5-0 libjson-glib-1.0-0 libsqlite3-0 libseccomp2
    libcmark0.30.2 libc-bin libglib2.0-bin libgdk-pixbuf-2.0-0 librsvg2-2 librsvg2-common adwaita-icon-theme
    gsettings-desktop-schemas shared-mime-info
    fontconfig-config fonts-cantarell fonts-dejavu-core at-spi2-core dbus-bin
    bash coreutils dash diffutils findutils gawk grep gzip mawk procps python3 sed tar util-linux""".split()
SDK_PACKAGES = """gcc libc6-dev binutils meson ninja-build pkg-config gettext patch file xz-utils
    libglib2.0-dev libjson-glib-dev libsqlite3-dev libcmark-dev libseccomp-dev libgtk-4-dev libadwaita-1-dev
    libgtksourceview-5-dev libgdk-pixbuf-2.0-dev librsvg2-dev desktop-file-utils appstream elfutils debugedit""".split()
# One of them is what flatpak-builder makes the app's entry in software centres with.
COMPOSERS = ("appstream-util", "appstream-compose")
METADATA = """[Runtime]
name={name}
runtime={platform}/{arch}/{branch}
sdk={sdk}/{arch}/{branch}

[Environment]
XDG_DATA_DIRS=/app/share:/usr/share:/usr/share/runtime/share:/run/host/user-share:/run/host/share
"""
# Where GNOME's SDK, and only that, has further languages.
EXTENSIONS = "org.freedesktop.Sdk.Extension"
SDK_METADATA = f"""
[Extension {EXTENSIONS}]
directory=lib/sdk
version={BRANCH}
subdirectories=true
no-autodownload=true
"""


class Missing(Exception):
    """Flatpak, or a package of the runtime, is not here; the message says which."""


def packages(name):
    """Those of the runtime, or of the SDK, which has those of the runtime as well."""
    if name == PLATFORM:
        return PLATFORM_PACKAGES
    composers = [package for package in COMPOSERS if package in debian_tree.installed()[0]]
    return PLATFORM_PACKAGES + SDK_PACKAGES + composers


def architecture():
    return subprocess.run(["flatpak", "--default-arch"], check=True, capture_output=True, text=True).stdout.strip()


def folder():
    """Where the runtime of this computer's packages is, or would be."""
    for program in ("flatpak", "ostree"):
        if shutil.which(program) is None:
            raise Missing(f"{program} is not installed")
    try:
        versions = debian_tree.versions(packages(SDK))
    except (KeyError, OSError) as error:
        raise Missing(f"there is no package {error} for the runtime") from None
    recipe = [Path(__file__).read_bytes(), Path(debian_tree.__file__).read_bytes(), "\n".join(versions).encode()]
    return BASE / hashlib.sha256(b"\0".join(recipe)).hexdigest()[:16]


def export(name, work):
    """Lays a tree out and puts it into the repository."""
    tree = work / name
    debian_tree.lay_out(tree / "files", packages(name))
    metadata = METADATA.format(name=name, platform=PLATFORM, sdk=SDK, arch=architecture(), branch=BRANCH)
    if name == SDK:
        (tree / "files" / "lib" / "sdk").mkdir()
        metadata += SDK_METADATA
    (tree / "metadata").write_text(metadata, encoding="ascii")
    call("flatpak", "build-export", "--runtime", "--files=files", "--disable-sandbox", f"--arch={architecture()}",
         work / "repo", tree, BRANCH)
    shutil.rmtree(tree)


def call(*words, **environment):
    answer = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace", env={**os.environ, **environment})
    if answer.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {answer.returncode}\n{answer.stdout[-3000:]}")


def make(place):
    """Makes the installation beside its place and moves it there when it is whole."""
    BASE.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="work-", dir=BASE) as made:
        work = Path(made)
        work.chmod(0o755)
        (work / "installation").mkdir()
        # Of the kind that installations are, so that installing makes links and copies nothing.
        for repository in (work / "repo", work / "installation" / "repo"):
            call("ostree", "init", f"--repo={repository}", "--mode=bare-user-only")
            # What a power cut spoils is made anew, and to write it out at once takes minutes.
            call("ostree", "config", f"--repo={repository}", "set", "core.fsync", "false")
        for name in (PLATFORM, SDK):
            export(name, work)
        # What flatpak asks the system bus, whether a child may have this, is not to be asked for a runtime.
        environment = {"FLATPAK_USER_DIR": f"{work}/installation", "HOME": str(work), "XDG_DATA_HOME": f"{work}/data"}
        call("flatpak", "--user", "remote-add", "--no-gpg-verify", "local", work / "repo", **environment)
        call("flatpak", "--user", "install", "--assumeyes", "--noninteractive", "local", PLATFORM, SDK, **environment)
        (work / "installation").chmod(0o755)
        os.replace(work / "installation", place)


def prune(kept):
    """Removes what was last used, or left half made, a week ago."""
    for place in BASE.iterdir():
        if place != kept and place.stat().st_mtime < time.time() - UNUSED_S:
            shutil.rmtree(place, ignore_errors=True)


def ready():
    """The folder, made when it is not there yet; Missing when that cannot be."""
    place = folder()
    if not place.exists():
        if not os.access(BASE if BASE.exists() else BASE.parent, os.W_OK):
            raise Missing(f"there is no runtime in {BASE}; tests/run.sh flatpak makes one")
        make(place)
        prune(place)
    elif os.access(place, os.W_OK):
        os.utime(place)
    return place


if __name__ == "__main__":
    try:
        print(ready())
    except Missing as missing:
        sys.exit(f"no runtime for Flatpak: {missing}")
