# SPDX-License-Identifier: GPL-3.0-or-later
"""Restricts system functions, imports and the number of operations of a program.

Advice for harmless programs, never a boundary: the sandbox is around the interpreter, not in it.
Loaded by guards.py.
"""


def install(send, main, options):
    import builtins
    import posix
    import sys

    # A sealed program has a name only, and is in the current folder.
    folder = main.rpartition("/")[0] or posix.getcwd()
    inside = folder + "/"
    modules = sys.modules
    get_frame = sys._getframe

    def is_users(name):
        return name == main or name.startswith((inside, "<string>", "<stdin>", "<cell "))

    def line(frame):
        while frame is not None and not frame.f_code.co_filename.startswith(main):
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def report(verdict, operation, subject):
        try:
            send(verdict, line(get_frame(2)), operation, subject)
        except Exception:
            pass

    def refuse_call(name):
        report("denied", "call", name)
        raise PermissionError("%s is disabled by the interpreter guard" % name)

    # Audit hooks cannot be removed, whatever a program does to the modules.
    def limit_functions():
        events = {
            "os.system", "os.kill", "os.killpg", "os.putenv", "os.unsetenv", "os.rename",
            "os.truncate", "os.chmod", "os.chown", "os.chflags", "os.chdir", "os.fork",
            "os.forkpty", "os.exec", "os.posix_spawn", "os.link", "os.symlink",
            "subprocess.Popen", "shutil.move", "shutil.chown", "pty.spawn", "ctypes.dlopen",
            "ctypes.dlsym",
        }
        # Refused outside the folders of the run, so that tempfile can clear up.
        removals = {"os.remove", "os.rmdir", "shutil.rmtree"}
        # Functions without an audit event.
        silent = ("setuid", "setgid", "seteuid", "setegid", "chroot")
        stat, to_path = posix.stat, posix.fspath
        own = set()

        def identity(path, **place):
            info = stat(path, **place)
            return info.st_dev, info.st_ino

        for own_folder in (folder, posix.environ.get(b"TMPDIR")):
            try:
                own.add(identity(own_folder))
            except (OSError, TypeError):
                pass

        # Whether the name is below a folder of the run, wherever symbolic links lead: from its
        # folder upwards, ".." is what the kernel says. A link at the end is removed itself.
        def is_own(path, dir_fd=None):
            place = {} if dir_fd is None or dir_fd < 0 else {"dir_fd": dir_fd}
            path = to_path(path)
            if isinstance(path, bytes):
                path = path.decode("utf-8", "surrogateescape")
            parent, slash, name = path.rstrip("/").rpartition("/")
            if name in ("", ".", ".."):
                return False
            upwards = (parent or slash or ".")
            seen = None
            for _ in range(128):
                here = identity(upwards, **place)
                if here in own:
                    return True
                if here == seen:
                    break
                seen = here
                upwards += "/.."
            return False

        def may_remove(arguments):
            try:
                return is_own(*arguments[:2])
            except Exception:
                return False

        def stand_in(name):
            def refused(*arguments, **names):
                refuse_call(name)
            return refused

        def hook(event, arguments):
            if event in events or event in removals and not may_remove(arguments):
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

    # An allowed module may import anything itself.
    def limit_imports(allowed):
        original = builtins.__import__

        def refuse(name):
            report("denied", "import", name)
            raise ImportError("Import of %s is not allowed; allowed: %s"
                              % (name, ", ".join(sorted(allowed)) or "none"), name=name)

        # A name allows what is below it as well.
        def is_allowed(name):
            while name:
                if name in allowed:
                    return True
                name = name.rpartition(".")[0]
            return False

        def check(name, frame):
            if not is_allowed(name) and is_users(frame.f_code.co_filename) and \
                    not is_beside(name.partition(".")[0]):
                refuse(name)

        # Files beside the program belong to it.
        def is_beside(top):
            for path in (folder + "/" + top, folder + "/" + top + ".py"):
                try:
                    posix.stat(path)
                    return True
                except OSError:
                    pass
            return False

        # "from os import path" needs "os.path" only.
        def wanted(name, fromlist):
            if not fromlist or "*" in fromlist or \
                    not any(one.startswith(name + ".") for one in allowed):
                return [name]
            return [name + "." + one for one in fromlist]

        def guarded(name, globals=None, locals=None, fromlist=(), level=0):
            # datetime's strptime imports its other half in the name of its caller.
            if level == 0 and name != "_strptime":
                for one in wanted(name, fromlist):
                    check(one, get_frame(1))
            return original(name, globals, locals, fromlist, level)

        # Catches imports that bypass __import__, unless the module is already loaded.
        def hook(event, arguments):
            if event != "import":
                return
            frame = get_frame(1)
            while frame is not None and frame.f_code.co_filename.startswith("<frozen"):
                frame = frame.f_back
            if frame is not None and frame.f_code is not guarded.__code__:
                check(arguments[0], frame)

        # Finds a module without importing it: its packages are only looked at.
        def is_known(name):
            places = None
            for size in range(1, name.count(".") + 2):
                part = ".".join(name.split(".")[:size])
                if size > 1 and places is None:
                    return False
                for finder in sys.meta_path:
                    found = finder.find_spec(part, places)
                    if found is not None:
                        break
                else:
                    return False
                places = found.submodule_search_locations
            return True

        for name in sorted(allowed):
            # "os.path" is in no package.
            if name not in modules and not is_known(name):
                posix.write(2, ("Nothing was run: there is no module “%s” that could be imported.\n"
                                % name).encode())
                posix._exit(125)
        builtins.__import__ = guarded
        sys.addaudithook(hook)

    # Counts the instructions of the program's own code, in all threads. Counting lines would be
    # faster, but "while True: pass" never reaches another line.
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
            # Python 3.13 takes note of f_trace_opcodes only in a frame that is traced already.
            frame.f_trace = count
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            return count

        def end():
            sys.settrace(None)
            report("limited", "operations", str(most))
            try:
                sys.stdout.flush()
                sys.stderr.write("The interpreter guard ended the program after %d operations.\n"
                                 % most)
                sys.stderr.flush()
            finally:
                posix._exit(1)

        import threading

        # And Python 3.12 only if the frame that starts the tracing has it.
        sys._getframe().f_trace_opcodes = True
        threading.settrace(trace)
        sys.settrace(trace)

    # Cuts our frames off the end of a traceback.
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
