# SPDX-License-Identifier: GPL-3.0-or-later
"""What data/guest/look.py finds in programs, and that it bears any.

Argument: its folder.
"""

import sys

from tap import Tap, equal, must

sys.path.append(sys.argv[1])
import look  # pylint: disable=wrong-import-position

# The suite soak looks, with --long, at all of what is slow to look at.
IS_LONG = "--long" in sys.argv
SIZE = 1 << (18 if IS_LONG else 16)

# (name, language, code, what is found but imports: "LINE KIND REASON NAME")
PROGRAMS = [
    ("nothing", "python", "import json\nprint(json.dumps({'a': 1}))\n", []),
    ("names like those of calls", "python", "evaluate(1)\nself.exec_(2)\nre_compile('x')\nmy.open('f', 'w')\nos_system('ls')\n", []),
    ("only in comments and texts", "python",
     "# eval(input()); os.system('rm -rf /')\n'''rm -rf /\ncurl x | sh'''\nprint('rm -rf /', \"exec(1)\")\n", []),
    ("re.compile", "python", "from re import compile\nimport re\ncompile('a')\nre.compile('b')\n", []),
    ("eval and exec", "python", "eval('1')\n\nexec('2')\n", ["1 call dynamic-code eval", "3 call dynamic-code exec"]),
    ("another name for it", "python", "import os as o\nfrom os import system as s\nrun = eval\no.remove('x')\ns('true')\nrun('1')\n",
     ["4 call deletes-files os.remove", "5 call starts-program os.system", "6 call dynamic-code eval"]),
    ("by its text", "python", "getattr(__builtins__, 'eval')('1')\nglobals()['exec']('2')\n__import__('os').system('true')\n",
     ["1 call dynamic-code eval", "2 call dynamic-code exec", "3 call starts-program os.system", "3 call dynamic-import __import__"]),
    ("a member that is computed", "python", "import os\ngetattr(os, 'sys' + 'tem')('ls')\n", ["2 call dynamic-member getattr"]),
    ("decoded and run", "python", "import base64, zlib\nexec(zlib.decompress(base64.b64decode(b'eA==')))\n",
     ["2 call dynamic-code exec", "2 sign decoded-code exec"]),
    ("decoded before it is run", "python", "from base64 import b64decode\ncode = b64decode('eA==')\nexec(code)\n",
     ["3 call dynamic-code exec", "3 sign decoded-code exec"]),
    ("files", "python", "open('a')\nopen('b', 'w')\nopen('c', mode)\nimport pathlib, shutil\np = pathlib.Path('d')\np.unlink()\nshutil.rmtree('e')\n",
     ["2 call writes-file open", "3 call may-write-file open", "6 call deletes-files pathlib.Path.unlink",
      "7 call deletes-folders shutil.rmtree"]),
    ("places", "python", "open('/etc/passwd')\nopen('~/.ssh/id_rsa')\nopen('../x')\nopen('/workspace/a')\nopen('/tmp/b')\nopen('a..b')\n",
     ["1 call outside /etc/passwd", "2 call names-secret ~/.ssh/id_rsa", "3 call outside ../x"]),
    ("the network", "python", "import socket, urllib.request, requests\nsocket.create_connection(('a', 1))\nrequests.get('b')\nr = requests.get\nr('c').json()\n",
     ["2 call opens-connection socket.create_connection", "3 call opens-connection requests.get", "5 call opens-connection requests.get"]),
    ("the environment", "python", "import os\nos.environ['A']\nos.getenv('B')\n",
     ["2 call reads-environment os.environ", "3 call reads-environment os.getenv"]),
    ("later", "python", "import atexit, ctypes, pickle\natexit.register(f)\nctypes.CDLL('x')\npickle.loads(b'')\n",
     ["2 call runs-later atexit.register", "3 call native-code ctypes.CDLL", "4 call unpickles pickle.loads"]),
    ("a shell in Python", "python", "import os, subprocess\nos.system('curl x | sh')\nsubprocess.run(['rm', '-rf', '/'])\nsubprocess.run(f'rm -r {a}', shell=True)\n",
     ["2 call starts-program os.system", "2 call opens-connection curl", "2 call downloaded-code sh",
      "3 call starts-program subprocess.run", "3 call deletes-everything rm -rf /",
      "4 call starts-program subprocess.run", "4 call deletes-folders rm -r $"]),
    ("packages by Python", "python", "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', '-q', 'a==1', '-r', 'r.txt'])\n"
     "import pip\npip.main(['install', 'b'])\n",
     ["2 call starts-program subprocess.check_call", "2 package installs a==1", "2 package installs -r r.txt", "4 package installs b"]),
    ("lines of a notebook", "python", "!pip install a\nif x:\n    %pip install b\nimport os\nos.remove('c')\n",
     ["1 fault syntax invalid syntax", "1 package installs a", "3 package installs b", "5 call deletes-files os.remove"]),
    ("what a notebook assigns", "python", "n = !rm -rf /\nimport os\nos.remove('c')\n",
     ["1 fault syntax invalid syntax", "1 call deletes-everything rm -rf /", "3 call deletes-files os.remove"]),
    ("cells of a notebook", "python", "# %%\nimport os\nos.remove('c')\n# %%\n%%bash\nif true; then\n  curl x | sh\nfi\n# %%\nos.remove('d')\n",
     ["5 fault syntax invalid syntax", "7 call opens-connection curl", "7 call downloaded-code sh", "3 call deletes-files os.remove",
      "10 call deletes-files os.remove"]),
    ("no Python", "python", "print(1\n", ["1 fault syntax '(' was never closed"]),
    ("letters that look alike", "python", "p\u0430ssword = 1\n\u0394x = 2\nна = 3\n", ["1 sign twins p\u0430ssword"]),
    ("letters that Python reads as others", "python", "\U0001d41e\U0001d42f\U0001d41a\U0001d425('1')\n",
     ["1 sign twins \U0001d41e\U0001d42f\U0001d41a\U0001d425", "1 call dynamic-code eval"]),
    ("the order of text", "python", "a = 1  # \u202e\u2066x\n", ["1 sign bidi "]),
    ("what cannot be seen", "bash", "echo a\u200bb\nprintf '\x1b[1m'\n", ["1 sign unseen ", "2 sign control "]),
    ("an encoding that hides", "python", "# -*- coding: utf-7 -*-\n+AGUAdgBhAGw-(1)\n", ["1 sign encoding utf-7", "2 call dynamic-code eval"]),
    ("a long text", "python", "x = '" + "QUJD" * 200 + "'\n", ["1 sign packed "]),
    ("many numbers", "python", "x = " + " + ".join(["chr(65)"] * 20) + "\n", ["1 sign numbers "]),
    ("another language", "javascript", "eval('x')\nlet p\u0430 = 1\n", ["2 sign twins p\u0430"]),
    ("five that were refused once", "bash", "rm -rf /\nmv myFile /dev/null\ndd if=/dev/random of=/dev/sda\necho Hello > /dev/sda\n:(){ :|:& };:\n",
     ["1 call deletes-everything rm -rf /", "2 call loses-file mv myFile /dev/null",
      "3 call overwrites-disk dd if=/dev/random of=/dev/sda", "4 call overwrites-disk > /dev/sda", "5 call fork-bomb :"]),
    ("a shell's comments and texts", "sh", "# rm -rf /\necho 'rm -rf /' \"curl x | sh\" \\; rm\ncat <<E\nrm -rf /\nE\necho a#b\n", []),
    ("behind them", "sh", "echo a#b; rm x\ncat <<E; rm y\nE\necho \"$(rm z)\" `rm w`\n",
     ["1 call deletes-files rm x", "2 call deletes-files rm y", "4 call deletes-files rm z", "4 call deletes-files rm w"]),
    ("through a pipe", "bash", "curl -fsSL x | sudo -E bash -s -- -y\nwget -O- y | tee z | sh\ncurl data | python3 read.py\n",
     ["1 call opens-connection curl", "1 call gets-rights sudo", "1 call downloaded-code bash", "2 call opens-connection wget",
      "2 call downloaded-code sh", "3 call opens-connection curl"]),
    ("hidden", "bash", "eval \"$(echo cm0= | base64 -d)\"\n$'\\x72m' -rf ~\nr''m -r a\nbash -c 'rm b'\nbash <<E\nrm c\nE\n",
     ["1 call dynamic-code eval", "1 sign decoded-code eval", "2 call deletes-everything rm -rf ~", "3 call deletes-folders rm -r a",
      "4 call deletes-files rm b", "6 call deletes-files rm c"]),
    ("Python in a shell", "sh", "python3 - <<'E'\nimport os\nos.remove('x')\nE\npython3 -c 'eval(\"1\")'\n",
     ["3 call deletes-files os.remove", "5 call dynamic-code eval"]),
    ("packages", "bash", "pip3 install -U a 'b>1' --index-url http://c\nsudo apt-get install -y d\nnpm i e\nnpm install\npip list\n",
     ["1 package installs a", "1 package installs b>1", "2 call gets-rights sudo", "2 package installs d", "3 package installs e",
      "4 package installs npm"]),
    ("secrets, rights and what stays", "bash", "cat ~/.ssh/id_rsa\nchmod u+s x\nchmod +x y\necho z >> ~/.bashrc\nexec 3<>/dev/tcp/h/1\n",
     ["1 call names-secret ~/.ssh/id_rsa", "2 call gets-rights chmod u+s x", "4 call stays >> ~/.bashrc",
      "5 call opens-connection /dev/tcp/h/1"]),
    ("no shell script", "bash", "if true\nthen\n", ["3 fault syntax syntax error: unexpected end of file"]),
]

# Each is repeated up to this size.
HOSTILE = [
    ("python", "("), ("python", "-"), ("python", "1+"), ("python", "a()."), ("python", "!a\n"), ("python", "eval(x)\n"), ("python", "x=y;"),
    ("python", "\u202e\n"), ("python", "x\u0430 "), ("python", "["), ("python", "lambda:"), ("python", "\r"), ("python", "\\\n"),
    ("python", "f'{"), ("python", "os.system('$(a');"), ("python", "\U0001f600"), ("python", "\0"),
    ("bash", "$("), ("bash", "$(a)"), ("bash", "("), ("bash", "(("), ("bash", "a=b "), ("bash", "sudo "), ("bash", "a|sh"), ("bash", ";"),
    ("bash", "<<a "), ("bash", "<<a\n"), ("bash", "`a`"), ("bash", "${"), ("bash", "$'"), ("bash", "\"\\"), ("bash", "a()"), ("bash", "{ "),
    ("bash", "bash -c '"), ("bash", "\ufffd"), ("other", "\u200b\n"), ("other", "A"),
]


def told(language, code):
    return [f"{row['line']} {row['kind']} {row['reason']} {row['name']}" for row in look.look(language, code.encode())["rows"]
            if row["kind"] != "import"]


def program(language, code, expected):
    equal(told(language, code), expected, "found")


def imports():
    rows = look.look("python", b"import os.path, json\nfrom urllib import request\nfrom . import a\nimport importlib\n")["rows"]
    equal([(row["name"], row["line"], row["reaches"]) for row in rows],
          [("os.path", 1, ["processes", "files"]), ("json", 1, []), ("urllib", 2, ["network"]), (".", 3, []), ("importlib", 4, ["dynamic"])],
          "imports")


def left_out():
    seen = look.look("python", b"".join(b"os.remove(%d)\n" % i for i in range(500)))
    equal((len(seen["rows"]), seen["left_out"]), (look.MOST["call"], 500 - look.MOST["call"]), "rows of a kind")
    seen = look.look("python", b"".join(b"import a%d\n" % i for i in range(50)), 20)
    equal((len(seen["rows"]), seen["left_out"]), (20, 30), "rows of a block")


def apart():
    """What ends the parser's process, or goes on too long, is told of that block only."""
    equal(look.look_apart("python", b"eval(1)", 100, 4)["depth"], "parsed", "a harmless one")
    equal(look.look_apart("bash", b"a|sh" * (1 << 18), 100, 0.05), {"depth": "failed", "rows": [], "left_out": 0}, "a long one")


def hostile(language, piece):
    code = (piece * (SIZE // len(piece.encode()))).encode()
    # Less than a second; a way of looking that takes the square of the size would need minutes.
    seen = look.look_apart(language, code, look.MOST_ROWS, 60 if IS_LONG else 20)
    must(seen["depth"] != "failed", "it ended")
    must(len(seen["rows"]) <= sum(look.MOST.values()), "rows")


def main():
    tap = Tap()
    for name, language, code, expected in PROGRAMS:
        tap.case(name, program, language, code, expected)
    tap.case("imports", imports)
    tap.case("many findings", left_out)
    tap.case("blocks are apart", apart)
    for language, piece in HOSTILE:
        tap.case(f"{language}: {piece!r}", hostile, language, piece)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
