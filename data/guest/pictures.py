# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves what a cell shows as files of its workspace: its value, if that can draw itself, and the figures of matplotlib.

Loaded into the namespace of values.py. All of it is the program's code and the program's data.
"""

import io
import sys

posix = own("posix")

FILES_MAX = 10          # of a cell
FILE_MAX = 8 << 20      # bytes
KEPT_MAX = 100          # files of earlier cells; older ones are removed
PLAIN = (type, module_type, *function_types, int, float, str, bytes, list, dict, tuple, set)
KINDS = (("_repr_png_", "png", bytes), ("_repr_jpeg_", "jpg", bytes), ("_repr_svg_", "svg", str), ("_repr_html_", "html", str))


def as_png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return "png", buffer.getvalue()


def drawn(value):
    """The value's own picture, as suffix and bytes, or None."""
    for method, suffix, kind in KINDS:
        function = getattr(value, method, None)
        data = function() if function is not None else None
        if type(data) is tuple:
            data = data[0]
        if type(data) is kind and data:
            return suffix, data if kind is bytes else data.encode("utf-8", "replace")
    return as_png(value) if hasattr(value, "savefig") else None


class Pictures:
    def __init__(self, interrupts):
        self.interrupts = interrupts
        self.folder = posix.getcwd()
        self.kept = []

    def all_of(self, value):
        """Pictures, each made when it is asked for."""
        if value is not None and not is_a(value, PLAIN):
            yield lambda: drawn(value)
        pyplot = sys.modules.get("matplotlib.pyplot")
        figures = [pyplot.figure(number) for number in pyplot.get_fignums()] if pyplot is not None else []
        for figure in figures:
            if figure is not value:
                yield lambda figure=figure: as_png(figure)
            pyplot.close(figure)

    def save(self, name, data):
        path = self.folder + "/" + name
        file = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o644)
        try:
            while data:
                data = data[posix.write(file, data):]
        finally:
            posix.close(file)
        self.kept.append(path)
        while len(self.kept) > KEPT_MAX:
            posix.unlink(self.kept.pop(0))

    def add(self, draw, cell, names):
        """Adds the name of the file. What cannot be drawn or saved is left out. Returns what was raised."""
        picture, error = self.interrupts.run(draw)
        if picture is None or len(names) == FILES_MAX or not 0 < len(picture[1]) <= FILE_MAX:
            return error
        name = "cell-%s-%d.%s" % (cell, len(names) + 1, picture[0])
        try:
            self.save(name, memoryview(picture[1]))
            names.append(name)
        except OSError:
            pass
        return error

    def show(self, value, cell, names):
        for draw in self.all_of(value):
            if is_a(self.add(draw, cell, names), KeyboardInterrupt) or len(names) == FILES_MAX:
                return
            self.interrupts.allow(True)

    def display(self, value, cell, names):
        """Of a value in the middle of a cell, which goes on."""
        if value is not None and not is_a(value, PLAIN):
            error = self.add(lambda: drawn(value), cell, names)
            self.interrupts.allow(True)
            if is_a(error, KeyboardInterrupt):
                raise error
