# SPDX-License-Identifier: GPL-3.0-or-later
"""An audit hook that reports what the program is about to do, and on which line of its source.

A hint, never evidence: the program can send the same messages itself, or suppress them. Loaded by
guards.py.
"""


def install(send, main):
    import posix
    import sys

    # Events that kernel guards see as well: only the line is reported. The number is the index of
    # the argument that names the object.
    seen = {
        "open": 0, "os.remove": 0, "os.rename": 0, "os.rmdir": 0, "os.mkdir": 0, "os.truncate": 0,
        "os.listdir": 0, "os.scandir": 0, "os.exec": 0, "os.posix_spawn": 0, "os.symlink": 1,
        "socket.connect": 1, "socket.bind": 1, "socket.sendto": 1, "socket.getaddrinfo": 0,
        "socket.gethostbyname": 0,
    }
    # Events that only the interpreter sees: operation and index of the argument.
    reported = {
        "os.system": ("run in a shell", 0), "subprocess.Popen": ("start", 1),
        "ctypes.dlopen": ("load library", 0), "shutil.rmtree": ("delete folder", 0),
        "urllib.Request": ("request", 0), "webbrowser.open": ("open in a browser", 0),
        "smtplib.connect": ("send mail through", 1), "ftplib.connect": ("connect by FTP to", 1),
    }
    system = (sys.base_prefix + "/", sys.prefix + "/", "/usr/", "/lib")
    left = at_most = 400

    def line():
        frame = sys._getframe(2)
        while frame is not None and not frame.f_code.co_filename.startswith(main):
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def text(value):
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogateescape")
        if isinstance(value, (list, tuple)):
            return " ".join([text(word) for word in value])
        return str(value)

    def address(value):
        if not isinstance(value, tuple):
            return text(value)
        return ("[%s]:%d" if ":" in value[0] else "%s:%d") % value[:2]

    def path(value):
        value = text(posix.fspath(value))
        return value if value[:1] == "/" else posix.getcwd() + "/" + value

    def hook(event, arguments):
        nonlocal left
        if event in seen:
            operation, value = "", arguments[seen[event]]
        elif event in reported:
            operation, position = reported[event]
            value = arguments[position]
        else:
            return
        if left == 0 or value is None or isinstance(value, int):
            return
        # The interpreter reading its own files is not the program's doing.
        if isinstance(value, str) and value.startswith(system) and \
                not (event == "open" and arguments[2] & posix.O_ACCMODE):
            return
        number = line()
        if number == 0:
            return
        left -= 1
        try:
            if operation:
                subject = text(value)
            else:
                subject = address(value) if event[:6] == "socket" else path(value)
            send("observed", number, operation, subject)
        except Exception:
            left = 0

    # Each cell of a session has as many.
    def begin():
        nonlocal left
        left = at_most

    sys.addaudithook(hook)
    return begin
