# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at a Python program without running it: a program of its own that is run in a sandbox, with the
program to look at as its standard input. Prints one JSON object.

It informs and decides nothing: code can do what is not seen here.
"""

import ast
import json
import re
import sys
import unicodedata

MOST = {"imports": 200, "calls": 200, "signs": 50}
NAME_MAX = 100

REACHES = {
    "network": "aiohttp asyncore boto3 ftplib http httpx imaplib nntplib paramiko poplib pycurl requests scapy selenium "
               "smtplib socket socketserver ssl telnetlib urllib urllib3 webbrowser websocket websockets wsgiref xmlrpc zmq",
    "processes": "concurrent.futures fabric invoke multiprocessing os pexpect posix pty psutil sh signal subprocess",
    "files": "dbm fileinput fcntl glob io mmap os pathlib posix shelve shutil sqlite3 tarfile tempfile zipfile",
    "native": "_ctypes cffi ctypes cython distutils llvmlite numba pybind11 setuptools",
}
WHY = {
    "runs code that is made while it runs": "eval exec compile code.interact runpy.run_path runpy.run_module types.FunctionType "
                                            "types.CodeType",
    "imports a module that is chosen while it runs": "__import__ importlib.import_module importlib.reload",
    "reads objects whose making can run code": "pickle.load pickle.loads pickle.Unpickler marshal.load marshal.loads dill.load "
                                               "dill.loads yaml.load shelve.open",
    "starts a program": "os.system os.popen os.startfile pty.spawn asyncio.create_subprocess_exec "
                        "asyncio.create_subprocess_shell",
    "makes a process": "os.fork os.forkpty multiprocessing.Process",
    "ends processes, or signals them": "os.kill os.killpg os._exit os.abort signal.raise_signal signal.pthread_kill",
    "deletes files": "os.remove os.unlink os.rmdir os.removedirs shutil.rmtree pathlib.Path.unlink pathlib.Path.rmdir",
    "moves or changes files": "os.rename os.replace os.truncate os.chmod os.chown os.link os.symlink shutil.move shutil.chown",
    "opens a connection": "socket.socket socket.create_connection urllib.request.urlopen urllib.request.urlretrieve "
                          "http.client.HTTPConnection http.client.HTTPSConnection smtplib.SMTP ftplib.FTP webbrowser.open "
                          "asyncio.open_connection",
    "loads native code": "ctypes.CDLL ctypes.PyDLL ctypes.cdll.LoadLibrary cffi.FFI",
    "watches or changes the interpreter": "sys.settrace sys.setprofile gc.get_objects gc.get_referrers sys._getframe",
}
CALLS = {name: why for why, names in WHY.items() for name in names.split()}
FAMILIES = {"subprocess.": "starts a program", "os.exec": "starts a program", "os.spawn": "starts a program",
            "os.posix_spawn": "starts a program", "requests.": "opens a connection", "httpx.": "opens a connection"}
DECODERS = {"base64.b64decode", "base64.b32decode", "base64.b85decode", "base64.a85decode", "binascii.unhexlify",
            "binascii.a2b_base64", "bytes.fromhex", "codecs.decode", "zlib.decompress", "lzma.decompress", "bz2.decompress",
            "gzip.decompress", "marshal.loads"}
RUNNERS = {"eval", "exec", "compile", "__import__"}
PACKED = re.compile(r"[A-Za-z0-9+/=_-]{400,}|(?:[0-9a-fA-F]{2}){200,}")
LOOKALIKE = re.compile(r"[O0Il1_]{5,}")
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Look(ast.NodeVisitor):
    def __init__(self):
        self.found = {"imports": [], "calls": [], "signs": []}
        self.left_out = 0
        self.names = {}     # what a name stands for: "o" for "os"
        self.signs = set()
        self.chr_calls = 0
        self.lookalikes = set()

    def add(self, kind, **row):
        if len(self.found[kind]) < MOST[kind]:
            self.found[kind].append({key: value[:NAME_MAX] if isinstance(value, str) else value for key, value in row.items()})
        else:
            self.left_out += 1

    def sign(self, line, text):
        """Each once."""
        if text not in self.signs:
            self.signs.add(text)
            self.add("signs", sign=text, line=line)

    def module(self, name, line):
        reaches = [word for word, modules in REACHES.items()
                   if any(name == one or name.startswith(one + ".") for one in modules.split())]
        self.add("imports", module=name, reaches=reaches, line=line)

    def visit_Import(self, node):
        for alias in node.names:
            self.module(alias.name, node.lineno)
            self.names[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]

    def visit_ImportFrom(self, node):
        name = "." * node.level + (node.module or "")
        self.module(name, node.lineno)
        for alias in node.names:
            self.names[alias.asname or alias.name] = f"{name}.{alias.name}"

    def full_name(self, node):
        """“os.path.join”, whatever os was imported as; None for what has no name."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        parts.append(self.names.get(node.id, node.id))
        return re.sub(r"^(builtins|__builtins__)\.", "", ".".join(reversed(parts)))

    def visit_Call(self, node):
        name = self.full_name(node.func)
        if name is not None:
            why = CALLS.get(name) or next((why for start, why in FAMILIES.items() if name.startswith(start)), None)
            if why:
                self.add("calls", name=name, line=node.lineno, why=why)
            if name == "open":
                self.look_at_open(node)
            self.chr_calls += name == "chr"
            if self.chr_calls == 20:
                self.sign(node.lineno, "text is put together from many character numbers")
            if name in ("getattr", "setattr") and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant):
                self.add("calls", name=name, line=node.lineno, why="uses a member that is chosen while it runs")
            if name in RUNNERS and any(isinstance(inner, ast.Call) and self.full_name(inner.func) in DECODERS
                                       for argument in node.args for inner in ast.walk(argument)):
                self.sign(node.lineno, "code that is decoded is run")
        self.generic_visit(node)

    def look_at_open(self, node):
        mode = node.args[1] if len(node.args) > 1 else next((one.value for one in node.keywords if one.arg == "mode"), None)
        words = mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else "" if mode is None else "?"
        if set(words) & set("wax+?"):
            self.add("calls", name="open", line=node.lineno, why="writes a file" if words != "?" else "may write a file")

    def visit_Constant(self, node):
        value = node.value
        text = value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else ""
        if PACKED.search(text):
            self.sign(node.lineno, "a long text that looks like encoded data")

    def visit_Name(self, node):
        if LOOKALIKE.fullmatch(node.id):
            self.lookalikes.add(node.id)
            if len(self.lookalikes) == 3:
                self.sign(node.lineno, "names of characters that look alike")
        # Python takes letters of other alphabets that look like ours as other names.
        scripts = {unicodedata.name(letter, "?").split()[0] for letter in node.id if letter.isalpha()}
        if len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
            self.sign(node.lineno, "a name of letters of several alphabets")


def look(code):
    result = {"syntax_error": None, "lines": code.count(b"\n") + (code[-1:] not in (b"", b"\n"))}
    looked = Look()
    text = code.decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > 2000:
            looked.sign(number, "a very long line")
        if line.count("\\x") > 50:
            looked.sign(number, "many characters that are written as numbers")
        if BIDI.intersection(line):
            looked.sign(number, "characters that change the order in which text is shown")
    try:
        looked.visit(ast.parse(code))
    except (SyntaxError, ValueError) as error:
        result["syntax_error"] = {"message": str(getattr(error, "msg", error))[:NAME_MAX], "line": getattr(error, "lineno", None) or 0}
    except (RecursionError, MemoryError):
        result["syntax_error"] = {"message": "too deeply nested", "line": 0}
    return {**result, **looked.found, "left_out": looked.left_out}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look(sys.stdin.buffer.read())))
