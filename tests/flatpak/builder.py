# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the app as people do, with flatpak-builder and the manifest of flatpak/. Only the runtime is another one: the
local one, and what modules bring that it has already is left out.

    python3 tests/flatpak/builder.py FOLDER [both]    prints the repository in FOLDER, which is what FH_FLATPAK_REPO has
                                                      to name; both: as released, and the variant for development as well

Without that word the compiler does not optimize, which takes half of its time, and headers are not compiled ahead, so that
a file that does not include what it uses is an error.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import local_runtime

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "flatpak"
MANIFEST = FOLDER / "io.github.fumehood.Fumehood.json"
DEVEL_MANIFEST = FOLDER / "io.github.fumehood.Fumehood.Devel.json"
# Modules of the manifest that the local runtime has as Debian packages.
IN_THE_RUNTIME = {"cmark", "gtksourceview", "json-glib", "libseccomp", "sqlite"}
# The exit status where it cannot be tried.
CANNOT = 77


def local(manifest, tree, options):
    """The manifest for the local runtime; its own source is that tree, and has these options as well."""
    modules = [module for module in manifest["modules"] if module["name"] not in IN_THE_RUNTIME]
    own = {**modules[-1], "sources": [{"type": "dir", "path": str(tree)}],
           "config-opts": [*modules[-1]["config-opts"], *options]}
    return {**manifest, "runtime": local_runtime.PLATFORM, "sdk": local_runtime.SDK,
            "runtime-version": local_runtime.BRANCH, "modules": [*modules[:-1], own]}


def copy_tree(target):
    """What git knows or would add; without git, all but builds."""
    shutil.rmtree(target, ignore_errors=True)
    listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-z", "--cached", "--others",
                              "--exclude-standard"], check=False, capture_output=True, text=True)
    if listing.returncode != 0:
        shutil.copytree(ROOT, target, symlinks=True, ignore=shutil.ignore_patterns("build*", ".git"))
        return
    for name in filter(None, listing.stdout.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def make_repository(repository):
    if not repository.exists():
        for words in (["init", "--mode=bare-user-only"], ["config", "set", "core.fsync", "false"]):
            subprocess.run(["ostree", words[0], f"--repo={repository}", *words[1:]], check=True)


def build(folder, manifests, *options):
    """Runs flatpak-builder in a folder, which keeps what it has built before; the repository of all."""
    if shutil.which("flatpak-builder") is None:
        raise local_runtime.Missing("flatpak-builder is not installed")
    environment = {**os.environ, "FLATPAK_SYSTEM_DIR": str(local_runtime.ready())}
    repository = folder / "repo"
    folder.mkdir(parents=True, exist_ok=True)
    copy_tree(folder / "tree")
    make_repository(repository)
    for manifest in manifests:
        path = folder / manifest.name
        adapted = local(json.loads(manifest.read_text(encoding="utf-8")), folder / "tree", options)
        path.write_text(json.dumps(adapted, indent=4), encoding="utf-8")
        words = ["flatpak-builder", "--user", "--force-clean", "--disable-rofiles-fuse", "--disable-download",
                 f"--state-dir={folder}/state", f"--repo={repository}", folder / "app", path]
        subprocess.run(list(map(str, words)), check=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                       stdout=sys.stderr)
    return repository


if __name__ == "__main__":
    try:
        place = Path(sys.argv[1]).absolute()
        print(build(place, [MANIFEST, DEVEL_MANIFEST]) if sys.argv[2:] == ["both"] else
              build(place, [MANIFEST], "-Doptimization=0", "-Ddebug=false", "-Db_pch=false"))
    except local_runtime.Missing as missing:
        print(f"There can be no runtime for Flatpak: {missing}.", file=sys.stderr)
        sys.exit(CANNOT)
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
