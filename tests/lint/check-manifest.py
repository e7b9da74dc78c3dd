# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifests of flatpak/: read without a warning by flatpak-builder, with no more than the least permissions, and by
the rules of Flathub's linter. A rule that does not hold is named in exceptions.json, with the reason."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import source_tree
from tap import Tap

FOLDER = source_tree.ROOT / "flatpak"
BASE = "io.github.fumehood.Fumehood"
DEVEL = f"{BASE}.Devel"
PERMISSIONS = ["--share=ipc", "--socket=fallback-x11", "--socket=wayland", "--device=dri"]
# In what the variant for development may differ.
OF_THE_VARIANT = {"id", "desktop-file-name-suffix", "modules"}
MEGABYTE = 1000 * 1000
LARGEST_FOLDER = 25 * MEGABYTE
COMPONENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
COMMIT = re.compile(r"[0-9a-f]{40}$")
SHA256 = re.compile(r"[0-9a-f]{64}$")


def read(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def faults_of_id(manifest, name):
    parts = manifest.get("id", "").split(".")
    if manifest.get("id") != name:
        yield "appid-filename-mismatch"
    if not 4 <= len(parts) <= 5 or not all(COMPONENT.match(part) for part in parts):
        yield "appid-component-wrong-syntax"
    if parts[:2] != ["io", "github"] or parts[-1].lower() in ("desktop", "app", "linux"):
        yield "appid-code-hosting-too-few-components"


def faults_of_top(manifest):
    if not manifest.get("command"):
        yield "toplevel-no-command"
    elif "/" in manifest["command"]:
        yield "toplevel-command-is-path"
    for key in ("branch", "app-id", "build-options", "add-extensions", "base"):
        if key in manifest:
            yield f"toplevel-unnecessary-{key}"
    if any(path == "/lib/debug" or path.startswith("/lib/debug/") for path in manifest.get("cleanup", [])):
        yield "toplevel-cleanup-debug"
    if not manifest.get("modules"):
        yield "toplevel-no-modules"


def faults_of_permissions(manifest):
    asked = manifest.get("finish-args", [])
    for word in asked:
        if word not in PERMISSIONS:
            yield f"finish-args-{word.lstrip('-')}"
    if "--socket=fallback-x11" in asked and "--socket=wayland" not in asked:
        yield "finish-args-fallback-x11-without-wayland"
    if "--socket=fallback-x11" in asked and "--share=ipc" not in asked:
        yield "finish-args-x11-without-ipc"
    if "--socket=wayland" in asked and "--socket=fallback-x11" not in asked:
        yield "finish-args-only-wayland"


def faults_of_source(source):
    """What follows "module-NAME-source-"."""
    kind, url = source.get("type"), source.get("url", "")
    if kind == "dir":
        yield "dir-not-allowed"
    elif kind == "git":
        if not url.startswith("https://"):
            yield "git-url-not-http"
        if not source.get("tag") or not COMMIT.match(source.get("commit", "")) or "branch" in source:
            yield "git-no-commit-with-tag"
    elif kind in ("archive", "file"):
        if not url.startswith("https://"):
            yield "url-not-https"
        if not SHA256.match(source.get("sha256", "")):
            yield "no-sha256"
        for weak in ("md5", "sha1"):
            if weak in source:
                yield f"{weak}-deprecated"
    elif kind != "patch":
        yield f"type-{kind}"


def faults_of_modules(manifest):
    for module in manifest.get("modules", []):
        if not isinstance(module, dict):
            yield f"module-{module}-in-another-file"
            continue
        for source in module.get("sources", []):
            yield from (f"module-{module['name']}-source-{fault}" for fault in faults_of_source(source))
        if any(path.startswith("/lib/debug") for path in module.get("cleanup", [])):
            yield f"module-{module['name']}-cleanup-debug"
        if "--share=network" in module.get("build-options", {}).get("build-args", []):
            yield f"module-{module['name']}-build-network-access"


def faults(manifest, name):
    yield from faults_of_id(manifest, name)
    yield from faults_of_top(manifest)
    yield from faults_of_permissions(manifest)
    yield from faults_of_modules(manifest)


def unexcused(name):
    """Rules that are broken without a reason, and reasons for what is not broken."""
    excused = read("exceptions").get(name, {})
    found = set(faults(read(name), name))
    yield from (f"{name}: {fault}" for fault in sorted(found - set(excused)))
    yield from (f"exceptions.json: {name} does not break {rule}" for rule in sorted(set(excused) - found))
    yield from (f"exceptions.json: no reason for {rule}" for rule, reason in excused.items() if len(reason) < 20)


def differences():
    """The variant is the same app, with the same permissions and the same sources."""
    base, devel = read(BASE), read(DEVEL)
    for key in sorted({*base, *devel} - OF_THE_VARIANT):
        if base.get(key) != devel.get(key):
            yield f"{key} differs in {DEVEL}"
    without = [[{**module, "config-opts": []} for module in manifest["modules"]] for manifest in (base, devel)]
    if without[0] != without[1]:
        yield f"the modules of {DEVEL} differ in more than their options"


def unexplained():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return [f"README.md does not tell what {word} is for" for word in read(BASE)["finish-args"] if word not in text]


def shown(tap, name):
    program = shutil.which("flatpak-builder")
    if program is None:
        tap.skip(f"{name}: flatpak-builder reads it", "flatpak-builder is not installed")
        return
    # It makes a folder for its state wherever it is, and another one for ccache.
    with tempfile.TemporaryDirectory() as folder:
        answer = subprocess.run([program, "--show-manifest", FOLDER / f"{name}.json"], check=False, cwd=folder,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                env={**os.environ, "CCACHE_DIR": folder})
    lost = []
    if answer.returncode == 0:
        lost = [key for key in read(name) if key not in json.loads(answer.stdout)]
    tap.ok(answer.returncode == 0 and not answer.stderr and not lost, f"{name}: flatpak-builder reads it",
           [*answer.stderr.splitlines(), *(f"not known: {key}" for key in lost)])


def rules_work(tap):
    """Each of these has to be seen, or the checks above mean nothing."""
    sound = read(BASE)
    module = {"name": "m", "sources": [{"type": "archive", "url": "http://example.org/a", "md5": "0"}]}
    broken = {
        "finish-args-share=network": {**sound, "finish-args": [*PERMISSIONS, "--share=network"]},
        "finish-args-talk-name=org.freedesktop.Flatpak": {**sound, "finish-args": ["--talk-name=org.freedesktop.Flatpak"]},
        "finish-args-fallback-x11-without-wayland": {**sound, "finish-args": ["--socket=fallback-x11"]},
        "toplevel-command-is-path": {**sound, "command": "/app/bin/fumehood"},
        "appid-filename-mismatch": {**sound, "id": "org.example.App"},
        "module-m-source-no-sha256": {**sound, "modules": [module]},
        "module-m-source-url-not-https": {**sound, "modules": [module]},
    }
    unseen = [fault for fault, manifest in broken.items() if fault not in set(faults(manifest, BASE))]
    tap.ok(not unseen, "broken rules are seen", unseen)


def main():
    tap = Tap()
    for name in (BASE, DEVEL):
        found = list(unexcused(name))
        tap.ok(not found, f"{name}: the rules hold", found)
        shown(tap, name)
    rules_work(tap)
    for title, found in (("the variant is the same app", list(differences())),
                         ("each permission is explained", unexplained())):
        tap.ok(not found, title, found)
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    tap.ok(size < LARGEST_FOLDER, "the folder is small", [f"{size} bytes"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
