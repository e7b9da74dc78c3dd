# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts program.py, which takes a file of its own: Python keeps the syntax tree of the file that it is given, and each fork
of a warm interpreter would free it, which means to copy it first.

Beside a file there may be its code as Python stores it, compiled with Fumehood (importlib's .pyc). That is used if the same
Python has made it of the same text; else the text is compiled, which takes a tenth of what a short run takes.
"""


def code_of(path):
    import _frozen_importlib_external as files
    import _imp
    import marshal
    import posix

    def read(name):
        descriptor = posix.open(name, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            return posix.read(descriptor, 1 << 20)
        finally:
            posix.close(descriptor)

    source = read(path)
    try:
        # To look is no attempt to open what is not there.
        posix.stat(path + "c")
        stored = read(path + "c")
        if stored[:4] == files.MAGIC_NUMBER and stored[8:16] == _imp.source_hash(files._RAW_MAGIC_NUMBER, source):
            code = marshal.loads(stored[16:])
            _imp._fix_co_filename(code, path)
            return code
    except Exception:
        pass
    return compile(source, path, "exec", dont_inherit=True)


exec(code_of(__file__.rpartition("/")[0] + "/program.py"))
