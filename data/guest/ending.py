# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends a program whose interpreter was started ahead of it, in less time than Python takes.

Python destroys every object when it ends, also those of the modules that were imported before the
program came: in a fork, that would first copy all of their memory. Here only what the program made
is destroyed, in Python's order, with its finalizers. If something is left that has to be finalized,
or if anything is unusual, nothing is skipped: Python goes on with its own ending.

Loaded by bootstrap.py while it waits for a program.
"""


def install():
    import atexit
    import gc
    import posix
    import sys
    import _weakref

    program = None

    # Called before anything is imported for the program: the last function that atexit calls.
    def end():
        io = sys.modules.get("io")
        try:
            status = None if program is None else find_status(*program)
            if status is None or not all_is_usual():
                return
            flush()
            destroy()
            flush()
            if not is_anything_left():
                posix._exit(status)
        except BaseException:
            pass
        sys.modules["io"] = io

    def find_status(process, get_status):
        return get_status() if posix.getpid() == process else None

    def all_is_usual():
        if len(sys._current_frames()) != 1 or sys.gettrace() or sys.getprofile():
            return False
        # A library may have something in the buffers of C, which _exit does not write.
        return not has_foreign and not any([is_foreign(sys.modules[name]) for name in find_names()])

    # Of the program's modules, the newest first: __main__ was the first. To look at all would mean
    # to copy the memory of all, as each look changes reference counts.
    def find_names():
        names = []
        for name in reversed(sys.modules):
            names.append(name)
            if name == "__main__":
                break
        return names

    def is_foreign(module):
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        return ".so" in origin and ("/lib-dynload/" not in origin or "/_ctypes." in origin)

    def flush():
        for file in (sys.stdout, sys.stderr):
            if file is not None and not file.closed:
                file.flush()

    # What finalize_modules of CPython does, but the modules that are not the program's are kept.
    # "io" is hidden because error messages show no lines of source then.
    def destroy():
        gc.collect()
        for name in ("path", "argv", "ps1", "ps2", "last_type", "last_value", "last_traceback", "last_exc",
                     "path_hooks", "path_importer_cache", "meta_path"):
            if hasattr(sys, name):
                setattr(sys, name, None)
        for name in ("stdin", "stdout", "stderr"):
            setattr(sys, name, getattr(sys, "__" + name + "__"))
        references = []
        for name in find_names():
            module = sys.modules.pop(name)
            if isinstance(module, type(sys)):
                references.append(_weakref.ref(module))
            module = None
        sys.modules["io"] = None
        gc.collect()
        for reference in references:
            module = reference()
            if module is not None:
                clear(module.__dict__)
            module = None
        gc.collect()

    # As _PyModule_ClearDict: private names first.
    def clear(namespace):
        for is_private in (True, False):
            for name in list(namespace):
                if isinstance(name, str) and name != "__builtins__" and \
                        is_private <= (name[:1] == "_" and name[1:2] != "_"):
                    namespace[name] = None

    # Files, generators and much else have a finalizer.
    def is_anything_left():
        for left in gc.get_objects():
            if hasattr(type(left), "__del__"):
                return True
        return False

    # What exists now is not the program's.
    def begin_wait():
        nonlocal has_foreign
        # The parser makes its types when it is first used.
        compile("", "", "exec")
        has_foreign = any([is_foreign(module) for module in list(sys.modules.values())])
        gc.collect()
        gc.freeze()

    # `get_status`: returns how the program has ended, or None if Python has to find out.
    def begin_program(get_status):
        nonlocal program
        program = posix.getpid(), get_status

    has_foreign = False
    atexit.register(end)
    for name in ("atexit", "gc"):
        sys.modules.pop(name)
    return begin_wait, begin_program
