# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the project, as the lint tests see them.

Found by walking the tree and not by asking git, because tests also run in a copy or a tarball.
"""

import os
from pathlib import Path

ROOT = Path(os.environ.get("FH_SOURCE_ROOT", Path(__file__).resolve().parents[2]))
IGNORED = {".git", "__pycache__", ".cache"}


def files(*suffixes, under="."):
    """Every file below `under` whose name ends in one of the suffixes (all without any), sorted."""
    found = []
    for folder, subfolders, names in os.walk(ROOT / under):
        top = Path(folder) == ROOT
        subfolders[:] = [
            name for name in subfolders if name not in IGNORED and not (top and name.startswith("build"))
        ]
        found += [Path(folder) / name for name in names if not suffixes or name.endswith(suffixes)]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def shell_scripts():
    """Files ending in .sh, and those without a suffix that begin with a shell's #! line."""
    return [path for path in files() if path.suffix == ".sh" or _has_shell_shebang(path)]


def _has_shell_shebang(path):
    if path.suffix:
        return False
    with open(path, "rb") as stream:
        first = stream.readline(80)
    return first.startswith(b"#!") and b"sh" in first


def name(path):
    """The path as people write it: relative to the root."""
    return str(path.relative_to(ROOT))


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()
