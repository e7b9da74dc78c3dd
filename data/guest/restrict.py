# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes away from a program what it was decided that it should do without: functions of the system,
imports, operations without end.

Advice to a program that means no harm, never a boundary: what keeps a program inside is around the
interpreter, not in it. Read and called by guards.py.
"""


def install(send, main, options):
    import builtins
    import posix
    import sys

    folder = main.rpartition("/")[0]
    inside = folder + "/"
    modules = sys.modules
    get_frame = sys._getframe

    def is_users(name):
        return name.startswith((inside, "<string>", "<stdin>"))

    def line(frame):
        while frame is not None and frame.f_code.co_filename != main:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def tell(verdict, operation, subject):
        try:
            send(verdict, line(get_frame(2)), operation, subject)
        except Exception:
            pass

    def refuse_call(name):
        tell("denied", "call", name)
        raise PermissionError("%s is taken away by the interpreter guard" % name)

    # Audit hooks cannot be taken off again, whatever a program does to the modules.
    def limit_functions():
        events = {
            "os.system", "os.kill", "os.killpg", "os.putenv", "os.unsetenv", "os.remove",
            "os.rename", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.chflags",
            "os.chdir", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.link",
            "os.symlink", "subprocess.Popen", "shutil.rmtree", "shutil.move", "shutil.chown",
            "pty.spawn", "ctypes.dlopen", "ctypes.dlsym",
        }
        # Those that no event tells of.
        silent = ("setuid", "setgid", "seteuid", "setegid", "chroot", "getcwd", "getcwdb")

        def stand_in(name):
            def refused(*arguments, **names):
                refuse_call(name)
            return refused

        def hook(event, arguments):
            if event in events:
                refuse_call(event)

        for module in (posix, modules.get("os")):
            for name in silent:
                if hasattr(module, name):
                    setattr(module, name, stand_in("os." + name))
        for name in ("exit", "quit", "help"):
            if hasattr(builtins, name):
                setattr(builtins, name, stand_in(name))
        for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
            modules[name] = None
        sys.addaudithook(hook)

    # What an allowed module imports for itself is its own business.
    def limit_imports(allowed):
        original = builtins.__import__

        def refuse(name):
            tell("denied", "import", name)
            raise ImportError("import of %s is not allowed; allowed are: %s"
                              % (name, ", ".join(sorted(allowed)) or "none"), name=name)

        def check(name, frame):
            top = name.partition(".")[0]
            if top not in allowed and is_users(frame.f_code.co_filename) and \
                    not exists(folder, top):
                refuse(name)

        # Files beside the program are part of it.
        def exists(folder, top):
            for path in (folder + "/" + top, folder + "/" + top + ".py"):
                try:
                    posix.stat(path)
                    return True
                except OSError:
                    pass
            return False

        def guarded(name, globals=None, locals=None, fromlist=(), level=0):
            if level == 0:
                check(name, get_frame(1))
            return original(name, globals, locals, fromlist, level)

        # Reaches those that go around __import__; modules that are loaded already it does not.
        def hook(event, arguments):
            if event != "import":
                return
            frame = get_frame(1)
            while frame is not None and frame.f_code.co_filename.startswith("<frozen"):
                frame = frame.f_back
            if frame is not None and frame.f_code is not guarded.__code__:
                check(arguments[0], frame)

        builtins.__import__ = guarded
        sys.addaudithook(hook)

    # Counts the instructions that the program's own code executes, in all threads. Lines would be
    # quicker to count, but "while True: pass" never gets to another one.
    def limit_operations(most):
        left = most

        def count(frame, event, argument):
            nonlocal left
            if event == "opcode":
                left -= 1
                if left < 0:
                    end()
            return count

        def trace(frame, event, argument):
            if not is_users(frame.f_code.co_filename):
                return None
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            return count

        def end():
            sys.settrace(None)
            tell("limited", "operations", str(most))
            try:
                sys.stdout.flush()
                sys.stderr.write("The interpreter guard ended the program after %d operations.\n"
                                 % most)
                sys.stderr.flush()
            finally:
                posix._exit(1)

        import threading

        threading.settrace(trace)
        sys.settrace(trace)

    # A traceback ends where the program's own code does.
    def hide_ourselves():
        hook = sys.excepthook

        def show(kind, value, trace):
            last = trace
            while last is not None and last.tb_next is not None:
                if last.tb_next.tb_frame.f_globals.get("__name__") == "fumehood":
                    last.tb_next = None
                last = last.tb_next
            hook(kind, value, trace)

        sys.excepthook = show

    hide_ourselves()
    if "operations" in options:
        limit_operations(int(options["operations"]))
    if "imports" in options:
        limit_imports(set(filter(None, options["imports"].split(","))))
    if "functions" in options:
        limit_functions()
