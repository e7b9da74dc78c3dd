# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves what a program would show in a window: there is no screen inside. The figures of matplotlib and the images
of Pillow become files of its folder when it calls show.

Loaded by bootstrap.py when one of these modules is first imported, and by nothing else: other programs pay nothing.
All of it is the program's own data.
"""

import sys

FILES_MAX = 100         # of a program
FILE_MAX = 16 << 20     # bytes


class Folder:
    """Where the files go: below names that are free."""

    def __init__(self, path):
        import posix
        self.posix, self.path, self.counts = posix, path, {}

    def save(self, kind, write):
        """`write` is given a buffer. What cannot be drawn or saved is told as the program's own fault would be."""
        import io
        buffer = io.BytesIO()
        write(buffer)
        data = buffer.getbuffer()
        while sum(self.counts.values()) < FILES_MAX and len(data) <= FILE_MAX:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            name = "%s/%s-%d.png" % (self.path, kind, self.counts[kind])
            flags = self.posix.O_WRONLY | self.posix.O_CREAT | self.posix.O_EXCL | self.posix.O_NOFOLLOW
            try:
                file = self.posix.open(name, flags | self.posix.O_CLOEXEC, 0o644)
            except FileExistsError:
                continue
            try:
                while data:
                    data = data[self.posix.write(file, data):]
            finally:
                self.posix.close(file)
            return


def move_caches():
    """Those of matplotlib are not what the program leaves. It asks while it is loaded."""
    import os
    os.environ.setdefault("MPLCONFIGDIR", os.environ.get("TMPDIR", "/tmp") + "/matplotlib")


def change_pyplot(pyplot, folder):
    def has_screen():
        return pyplot.get_backend().lower() not in ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")

    def save(figure):
        folder.save("figure", lambda file: figure.savefig(file, format="png", bbox_inches="tight"))

    def show(*arguments, **options):
        if has_screen():
            return show_window(*arguments, **options)
        for number in pyplot.get_fignums():
            save(pyplot.figure(number))
            pyplot.close(number)

    def show_figure(self, warn=True):
        return show_one(self, warn) if has_screen() else save(self)

    show_window, show_one = pyplot.show, pyplot.Figure.show
    for ours, theirs in ((show, show_window), (show_figure, show_one)):
        ours.__name__, ours.__qualname__, ours.__doc__ = theirs.__name__, theirs.__qualname__, theirs.__doc__
    pyplot.show, pyplot.Figure.show = show, show_figure


def change_pillow(module, folder):
    class Viewer(module.Viewer):
        def show(self, image, **options):
            folder.save("image", lambda file: image.convert("RGBA").save(file, "PNG"))
            return 1

    # In place of programs that would need a screen.
    module._viewers[:] = [Viewer()]


CHANGES = {"matplotlib.pyplot": change_pyplot, "PIL.ImageShow": change_pillow}


def change(name, module, folder):
    try:
        if name in CHANGES:
            CHANGES[name](module, folder)
    except Exception:
        # Another release of it, or the program's own file of that name.
        pass


def find_spec(name, path, target, finder, folder):
    """What the other finders find, changed once it is loaded."""
    for other in sys.meta_path:
        spec = None if other is finder or not hasattr(other, "find_spec") else other.find_spec(name, path, target)
        if spec is not None:
            break
    else:
        return None
    # A loader of its own for this module, unlike that of an archive.
    if getattr(spec.loader, "name", None) != name:
        return spec
    execute = spec.loader.exec_module

    def exec_module(module):
        del spec.loader.exec_module
        if name == "matplotlib":
            move_caches()
        execute(module)
        change(name, module, folder)

    spec.loader.exec_module = exec_module
    return spec
