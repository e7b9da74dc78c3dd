# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick way to an app that can be installed: built on this computer, where the compiler remembers what it did, and
put into a repository as flatpak-builder would. The local runtime has the same libraries, because it has the same
packages.

    python3 tests/flatpak/host_app.py [FOLDER]    builds in FOLDER (build-flatpak) and prints the repository, which is
                                                  what FH_FLATPAK_REPO has to name
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import local_runtime

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "flatpak" / "io.github.fumehood.Fumehood.json"


def call(*words, **options):
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, **options)


def build(folder, options):
    if not (folder / "build.ninja").exists():
        call("meson", "setup", folder, ROOT, "--prefix=/app", "--libdir=lib", "--libexecdir=libexec", *options)
    call("ninja", "-C", folder)


def export(folder, manifest):
    """Everything that is built, with the permissions of the manifest."""
    app, repository = folder / "app", folder / "repo"
    shutil.rmtree(app, ignore_errors=True)
    call("flatpak", "build-init", f"--arch={local_runtime.architecture()}", app, manifest["id"],
         local_runtime.SDK, local_runtime.PLATFORM, local_runtime.BRANCH)
    staged = folder / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    call("meson", "install", "-C", folder, "--no-rebuild", "--destdir", staged, "--skip-subprojects")
    shutil.copytree(staged / "app", app / "files", symlinks=True, dirs_exist_ok=True)
    shutil.rmtree(staged)
    call("glib-compile-schemas", app / "files" / "share" / "glib-2.0" / "schemas")
    call("flatpak", "build-finish", f"--command={manifest['command']}", *manifest["finish-args"], app)
    if not repository.exists():
        call("ostree", "init", f"--repo={repository}", "--mode=bare-user-only")
        call("ostree", "config", f"--repo={repository}", "set", "core.fsync", "false")
    call("flatpak", "build-export", "--disable-sandbox", f"--arch={local_runtime.architecture()}", repository, app)
    return repository


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build-flatpak").absolute()
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    try:
        os.environ["FLATPAK_SYSTEM_DIR"] = str(local_runtime.ready())
    except local_runtime.Missing as missing:
        sys.exit(f"no runtime for Flatpak: {missing}")
    build(folder, manifest["modules"][-1]["config-opts"])
    print(export(folder, manifest))


if __name__ == "__main__":
    main()
