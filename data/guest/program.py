# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry into a sandbox for Python: runs a program like "python3 -u FILE ARGUMENT...". Started by bootstrap.py.

The first message on descriptor 3 names the program (see wire-guest.h). Only modules that the
interpreter has already loaded are used: each import would cost time in every run.
"""


def bootstrap():
    import sys
    import posix

    channel = None
    status = None
    begin_program = None
    install_called, is_called, read_notebook, is_typed = None, False, None, False
    run, guards, run_sealed, warm, cell, setup, stacks, called, notebook, typed = 1, 2, 3, 4, 5, 6, 8, 9, 10, 11
    out_of_memory = b"\x01\0\0\0\x10"

    def receive():
        def exactly(size):
            data = b""
            while len(data) < size:
                piece = posix.read(3, size - len(data))
                if not piece:
                    raise EOFError("the guest channel ended")
                data += piece
            return data

        nonlocal channel, install_called, is_called, read_notebook, is_typed
        size = begin_receive()
        message = exactly(int.from_bytes(size + exactly(4 - len(size)), "little"))
        if message[0] == warm:
            wait_to_be_forked(message[1:])
            return receive()
        if message[0] == stacks:
            import _thread

            _thread.stack_size(int(message[1:]) << 20)
            return receive()
        if message[0] == called:
            install_called, is_called = install_called or load("called.py")["install"], True
            return receive()
        if message[0] == notebook:
            read_notebook = load("notebook.py")["read_program"]
            return receive()
        if message[0] == typed:
            is_typed = True
            return receive()
        if message[0] == guards:
            return message[1:], *receive()[1:]
        # A number that programs do not notice: the first file that they open is 3, as it is outside.
        limit = posix.sysconf("SC_OPEN_MAX")
        channel = limit - 1 if 0 < limit < 256 else 255
        posix.dup2(3, channel, False)
        posix.close(3)
        if message[0] in (cell, setup):
            return None, message, None
        if message[0] not in (run, run_sealed):
            raise ValueError("not a message of the guest channel")
        decode = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
        words = [word.decode(*decode) for word in message[1:].split(b"\0")]
        # If others can write to the program's folder, only the sealed file is what was sent.
        return None, words, 4 if message[0] == run_sealed else None

    # The time until the program comes costs nothing.
    def begin_receive():
        if begin_program is not None:
            return b""
        posix.set_blocking(3, False)
        try:
            return posix.read(3, 4)
        except BlockingIOError:
            load_ending()[0]()
            return b""
        finally:
            posix.set_blocking(3, True)

    def load_ending():
        nonlocal begin_program
        begin_wait, begin_program = load("ending.py")["install"]()
        return begin_wait, begin_program

    # Returns in a fork, which has a channel of its own; each run is one. The module that forks is a
    # file that is open, and to Python one that fails.
    def wait_to_be_forked(names):
        import _imp

        nonlocal install_called
        begin_wait, _ = load_ending()
        try:
            install_called = load("called.py")["install"]
        except FileNotFoundError:
            pass
        for name in filter(None, names.decode().split("\0")):
            try:
                __import__(name)
            except Exception:
                pass
        begin_wait()
        try:
            _imp.create_dynamic(type(sys.__spec__)("fumehood_fork", None, origin="/proc/self/fd/4"))
        except SystemError:
            pass
        # Python does the same for its own random numbers.
        numpy = sys.modules.get("numpy.random")
        if numpy is not None:
            numpy.seed()

    # The other files are only there if they are needed.
    def load(name):
        path = folder + "/" + name
        namespace = {"__name__": "fumehood"}
        exec(get_code(path), namespace)
        return namespace

    # Returns the namespace of a new __main__ that is like the one of this module. The present one
    # may be older than the fork, and never be destroyed.
    def become_main(arguments):
        path = arguments[0]
        main = type(sys)("__main__")
        namespace = main.__dict__
        namespace.update(globals())
        del namespace["bootstrap"], namespace["code_of"]
        namespace["__file__"] = path
        namespace["__doc__"] = None
        namespace["__loader__"] = type(__loader__)("__main__", path)
        if "__annotations__" in namespace:
            namespace["__annotations__"] = {}
        # At the end: what follows is the program's.
        del sys.modules["__main__"]
        sys.modules["__main__"] = main
        sys.argv[:] = arguments
        sys.path[0] = path.rpartition("/")[0]
        if hasattr(sys, "orig_argv"):
            sys.orig_argv[-1:] = arguments
        return namespace

    # As Python does after a program that has not called sys.exit.
    def end_main(new_status):
        nonlocal status
        status = new_status
        namespace.pop("__file__", None)
        namespace.pop("__cached__", None)

    # Does not return. A namespace like that of an interactive interpreter.
    def serve_cells(wanted, message):
        import builtins

        main, names = globals(), vars(builtins)
        for name in ("bootstrap", "code_of", "__file__", "__cached__"):
            main.pop(name, None)
        main["__doc__"] = None
        sys.argv[:] = [""]
        sys.path[0] = ""
        # A copy: cells can replace the names of builtins.
        namespace = {"__name__": "fumehood", "__builtins__": dict(names), "code_of": get_code}
        for name in ("values.py", "pictures.py", "channel.py", "session.py"):
            namespace["__file__"] = path = folder + "/" + name
            exec(get_code(path), namespace)
        begin_reports = None
        if wanted is not None:
            begin_reports = load("guards.py")["raise_guards"](channel, load, wanted, "<cell ")
        namespace["serve"](channel, main, names, message[0], message[1:], begin_reports)

    # There is no screen: what these modules would show there is saved.
    def watch_shown(program):
        shows = ("matplotlib", "matplotlib.pyplot", "PIL.ImageShow")
        loaded = None

        def shown():
            nonlocal loaded
            if loaded is None:
                loaded = load("shown.py")
                loaded["folder"] = loaded["Folder"](program.rpartition("/")[0])
            return loaded

        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                return shown()["find_spec"](name, path, target, Finder, loaded["folder"]) if name in shows else None

        for name in shows:
            if name in sys.modules:
                shown()["change"](name, sys.modules[name], loaded["folder"])
        sys.meta_path.insert(0, Finder)

    def read(path, descriptor=None):
        if descriptor is None:
            descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        pieces = []
        while True:
            piece = posix.read(descriptor, 1 << 20)
            if not piece:
                break
            pieces.append(piece)
        posix.close(descriptor)
        return b"".join(pieces)

    # As Python does when it reads a file. When it compiles bytes, it names no line, or accepts them in a comment.
    def check_source(source, path):
        place = source.find(b"\0")
        if place < 0:
            try:
                source.decode()
                return
            except UnicodeDecodeError as error:
                if b"coding" in b"".join(source.split(b"\n", 2)[:2]):
                    return
                place = error.start
        lines = (source[:place] + b"|").splitlines()
        said = "source code cannot contain null bytes"
        if source[place]:
            said = "Non-UTF-8 code starting with '\\x%02x' in file %s on line %d, but no encoding declared; see " \
                "https://peps.python.org/pep-0263/ for details" % (source[place], path, len(lines))
        raise SyntaxError(said, (path, len(lines), None, lines[-1][:-1].decode(errors="replace")))

    # The code of a program, as compile gives it. That first makes a type for each kind of node of a syntax tree, which
    # takes a millisecond and more of a run that has not waited; exec needs none. Its first line never runs. Whatever is
    # unusual, such as an error or a warning, which would name no file, is left to compile.
    def code_of_program(source, path):
        import _imp
        import _warnings

        code, scope = None, {}

        # Python may call something itself meanwhile, which goes on.
        def stop(frame, event, argument):
            nonlocal code
            if frame.f_globals is scope:
                code = frame.f_code
                raise StopIteration

        # For other characters, or a declared encoding, Python would import modules, which may be the program's own.
        if begin_program is None and source.isascii() and b"coding" not in source:
            _warnings.filters.insert(0, ("error", None, Warning, None, 0))
            try:
                sys.settrace(stop)
                exec(source, scope)
            except Exception:
                pass
            finally:
                sys.settrace(None)
                del _warnings.filters[0]
        if code is None:
            return compile(source, path, "exec", dont_inherit=True)
        _imp._fix_co_filename(code, path)
        return code

    def hide_ourselves(code, process):
        # Python calls the hook after the last frame is gone. Removes our frames from the traceback
        # and then calls the program's hook.
        hook = sys.excepthook

        def show(kind, value, trace):
            sys.excepthook = hook
            if issubclass(kind, MemoryError) and posix.getpid() == process:
                try:
                    posix.write(channel, out_of_memory)
                except OSError:
                    pass
            while trace is not None and trace.tb_frame.f_code is not code:
                trace = trace.tb_next
            value.__traceback__ = sys.last_traceback = trace
            hook(kind, value, trace)
            end_main(None if issubclass(kind, KeyboardInterrupt) else 1)

        sys.excepthook = show

    folder, get_code = __file__.rpartition("/")[0], code_of
    wanted, arguments, sealed = receive()
    if isinstance(arguments, bytes):
        serve_cells(wanted, arguments)
    namespace = become_main(arguments)
    watch_shown(arguments[0])
    process = posix.getpid()
    code = None
    serve = install_called() if is_called else None
    if begin_program is not None:
        begin_program(lambda: status)
    try:
        source = read(arguments[0], sealed)
        check_source(source, arguments[0])
        try:
            code = code_of_program(source, arguments[0])
        except SyntaxError:
            if read_notebook is None:
                raise
        if code is None:
            code = read_notebook(source, arguments[0], namespace)
        if not is_typed:
            del source
        if wanted is not None:
            load("guards.py")["raise_guards"](channel, load, wanted, arguments[0])
        if is_typed:
            import _ast

            # The code of the statement that runs is where a traceback begins.
            for statement in compile(source, arguments[0], "exec", _ast.PyCF_ONLY_AST, True).body:
                code = compile(_ast.Interactive([statement]), arguments[0], "single", 0, True)
                exec(code, namespace)
        else:
            exec(code, namespace)
        if is_called:
            serve(namespace)
        end_main(0)
    except SystemExit as exit:
        # Python itself says what any other value means, such as a text.
        if exit.code is None or type(exit.code) is int and abs(exit.code) < 1 << 31:
            status = exit.code or 0
        raise
    except BaseException:
        hide_ourselves(code, process)
        raise


bootstrap()
