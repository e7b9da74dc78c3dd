# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written from outside into a folder in which a program that is not trusted writes, too."""

import os
from pathlib import Path


def write_file(folder, name, text):
    """Writes the file, below folders that are made, and returns its path. Nothing is followed out of the folder: a program may
    have left a link of that name. Raises ValueError for a name that is none in the folder."""
    parts = Path(name).parts
    if not parts or os.path.isabs(name) or ".." in parts or "\0" in name:
        raise ValueError("Filename is not in the workspace")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            try:
                os.mkdir(part, dir_fd=place)
            except FileExistsError:
                pass
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
            os.close(place)
            place = inner
        _replace(place, parts[-1], text)
    except OSError as error:
        raise ValueError(f"Filename cannot be used in the workspace: {error.strerror}") from None
    finally:
        os.close(place)
    return Path(folder, *parts)


def _replace(place, name, text):
    try:
        os.unlink(name, dir_fd=place)
    except FileNotFoundError:
        pass
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(name, flags, 0o644, dir_fd=place), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
