# SPDX-License-Identifier: GPL-3.0-or-later
"""G: files that a program makes, and those that it must not reach. Names that blocks give: test-answers.py."""

import os
import tempfile
from pathlib import Path

from guarded import command, environment, main, must, run, save


def names(result):
    return sorted(entry["path"] for entry in result.files)


def stays_inside():
    """G1: nothing is left in the folder in which the user is."""
    with tempfile.TemporaryDirectory() as folder:
        source = "open('landmine.txt', 'w').write('x'); print(open('landmine.txt').read())\n"
        result = run(source, cwd=folder).must_be(status="ok", stdout="x\n")
        must(names(result) == ["landmine.txt"] and not os.listdir(folder), f"{result} {os.listdir(folder)}")


def no_such_folder():
    """G2."""
    run("open('/nonexistent_dir/test.txt', 'w')\n").must_be(
        status="failed", exit_code=1, stderr=lambda text: "No such file or directory" in text or "Permission denied" in text)


def link_out():
    """G6: a link to a file of the user's is listed as a link; what it leads to is neither read nor sent."""
    with tempfile.NamedTemporaryFile(dir=Path.home(), prefix=".fh-secret-") as secret:
        secret.write(b"secret words")
        secret.flush()
        result = run(f"import os; os.symlink({secret.name!r}, 'link'); print(os.path.exists('link'))\n")
        must(result.stdout == "False\n" and b"secret words" not in result.raw, str(result))
        must([entry["kind"] for entry in result.files] == ["link"], str(result))


def comments_are_no_names():
    """G7, G8, G12: a name needs the word "filename", so that an ordinary comment is none."""
    for comment in ("# This script prints hello", "# Step 1/2: load", "# test.py", "# -*- coding: utf-8 -*-"):
        path = save(f"```python\n{comment}\nimport os; print(os.listdir())\n```\n", ".md")
        answer = command("run", "--no-history", path)
        must((answer.returncode, answer.stdout) == (0, b"['main.py']\n"), f"{comment}: {answer}")


def locked_folder():
    """G14: a folder that cannot be entered is no trouble, and does not stay."""
    before = set(os.listdir(os.environ.get("TMPDIR", "/tmp")))
    run("import os; os.makedirs('locked/in'); open('locked/in/x', 'w'); os.chmod('locked', 0)\n").must_be(status="ok")
    left = [name for name in set(os.listdir(os.environ.get("TMPDIR", "/tmp"))) - before if name.startswith("fumehood")]
    must(not left, f"left behind: {left}")


def artefacts():
    """G16, G17: what a program draws is a file that is handed out as it is; HTML is never run."""
    source = """
import base64
png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
open("plot.png", "wb").write(png)
open("page.html", "w").write("<script>document.title = 'ran'</script>")
"""
    with tempfile.TemporaryDirectory() as folder:
        answer = command("run", "--no-history", "--save-files", folder, save(source))
        must(answer.returncode == 0 and sorted(os.listdir(folder)) == ["page.html", "plot.png"], f"{answer}")
        must((Path(folder) / "plot.png").read_bytes().startswith(b"\x89PNG"), "the picture")


def temporary_folders():
    """G18: they work, and what is in them is not among the files."""
    source = """
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "x"), "w").write("y")
    print(open(os.path.join(folder, "x")).read(), os.path.isdir(folder))
print(os.path.exists(folder))
"""
    result = run(source).must_be(status="ok", stdout="y True\nFalse\n")
    must(names(result) == [], str(result))


def pip_is_not_changed():
    """H9, H10: commands run as they are written; nothing is added to them."""
    fake = "pip() { echo \"$@\"; }\npip3() { echo \"$@\"; }\npip install numpy\n  pip install numpy\npip3 install numpy\n"
    answer = command("run", "--no-history", "--language", "sh", save(fake, ".sh"), env=environment())
    must(answer.stdout == b"install numpy\n" * 3, f"{answer}")


def package_that_is_missing():
    """H11."""
    source = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', 'import numpy_of_nobody']))\n"
    run(source).must_be(status="failed", stderr=lambda text: "No module named 'numpy_of_nobody'" in text)


if __name__ == "__main__":
    main({
        "G1: the user's folder": stays_inside,
        "G2: a folder that is not there": no_such_folder,
        "G6: a link to a file of the user's": link_out,
        "G7, G8, G12: comments": comments_are_no_names,
        "G14: a locked folder": locked_folder,
        "G16, G17: pictures and pages": artefacts,
        "G18: temporary folders": temporary_folders,
        "H9, H10: pip": pip_is_not_changed,
        "H11: a missing package": package_that_is_missing,
    })
