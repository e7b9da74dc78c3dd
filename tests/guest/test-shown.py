# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program would show in a window is saved as a file: data/guest/shown.py, with stand-ins for matplotlib and
Pillow, and with the real ones where they are."""

import importlib.util
import sys
import shutil
import tempfile
from pathlib import Path

from comparison import guarded, same
from tap import Skip, Tap, equal, must

PYPLOT = '''
"""A stand-in."""
class Figure:
    def __init__(self, number): self.number = number
    def savefig(self, file, format, bbox_inches): file.write(b"%d as %s" % (self.number, format.encode()))
    def show(self, warn=True): print("a window")
figures = {}
backend = "Agg"
def get_backend(): return backend
def get_fignums(): return sorted(figures)
def figure(number=None):
    number = number or len(figures) + 1
    return figures.setdefault(number, Figure(number))
def close(number): del figures[number]
def show(block=None): print("windows")
'''
SHOW = '''
class Viewer:
    pass
_viewers = ["a program"]
def show(image): return _viewers[0].show(image)
'''
STAND_INS = {"matplotlib/__init__.py": "", "matplotlib/pyplot.py": PYPLOT, "PIL/__init__.py": "", "PIL/ImageShow.py": SHOW}
TEMPORARY = tempfile.TemporaryDirectory()
PNG = b"\x89PNG\r\n"


def ran(source, files=()):
    """How it ended, and the files it left."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in {"main.py": source, **dict(files)}.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        result, _ = guarded("/usr/bin/python3", folder, [], environment={"TMPDIR": TEMPORARY.name})
        left = {path.name: path.read_bytes() for path in folder.glob("*.png")}
        return result.returncode, result.stdout.decode(), result.stderr.decode(), left


def figures_are_saved():
    equal(ran("import matplotlib.pyplot as plt\nplt.figure()\nplt.figure()\nplt.show()\nprint(plt.get_fignums())\n"
              "plt.figure().show()\n", STAND_INS),
          (0, "[]\n", "", {"figure-1.png": b"1 as png", "figure-2.png": b"2 as png", "figure-3.png": b"1 as png"}), "figures")


def functions_look_as_before():
    equal(ran("from matplotlib import pyplot\nprint(pyplot.show.__name__, pyplot.Figure.show.__qualname__)\n"
              "print(pyplot.__loader__.__class__.__name__, 'exec_module' in vars(pyplot.__loader__))", STAND_INS)[:3],
          (0, "show Figure.show\nSourceFileLoader False\n", ""), "names")


def windows_stay_windows():
    equal(ran("from matplotlib import pyplot\npyplot.backend = 'GTK4Agg'\npyplot.figure().show()\npyplot.show()\n", STAND_INS),
          (0, "a window\nwindows\n", "", {}), "with a screen")


def files_of_the_program_stay():
    equal(ran("import matplotlib.pyplot as plt\nopen('figure-1.png', 'w').write('mine')\nplt.figure()\nplt.show()\n", STAND_INS)[3],
          {"figure-1.png": b"mine", "figure-2.png": b"1 as png"}, "files")


def caches_lie_elsewhere():
    equal(ran("import matplotlib, os\nprint(os.environ['MPLCONFIGDIR'])\n", STAND_INS)[1], f"{TEMPORARY.name}/matplotlib\n", "folder")
    equal(ran("import os\nos.environ['MPLCONFIGDIR'] = '/mine'\nimport matplotlib\nprint(os.environ['MPLCONFIGDIR'])\n",
              STAND_INS)[1], "/mine\n", "the program's own")


def images_are_saved():
    equal(ran("from PIL import ImageShow\n"
              "class Image:\n"
              "    def convert(self, mode): return self\n"
              "    def save(self, file, format): file.write(b'an image')\n"
              "print(ImageShow.show(Image()))\n", STAND_INS),
          (0, "1\n", "", {"image-1.png": b"an image"}), "images")


def there_is_an_end():
    left = ran("import matplotlib.pyplot as plt\nfor i in range(120):\n    plt.figure()\n    plt.show()\n", STAND_INS)
    equal((left[0], len(left[3])), (0, 100), "files")


def others_of_that_name_are_left_alone():
    equal(ran("import matplotlib.pyplot\nprint(matplotlib.pyplot.x)\n", {**STAND_INS, "matplotlib/pyplot.py": "x = 1"}),
          (0, "1\n", "", {}), "a module of that name")
    equal(ran("import matplotlib\n", {})[0], 0 if importlib.util.find_spec("matplotlib") else 1, "none of that name")


def others_pay_nothing():
    """Without that file there is no error: it is not even looked for."""
    import comparison
    with tempfile.TemporaryDirectory() as name:
        bootstrap = Path(name) / "bootstrap.py"
        for file in ("bootstrap.py", "program.py"):
            shutil.copy(Path(comparison.BOOTSTRAP).with_name(file), name)
        before, comparison.BOOTSTRAP = comparison.BOOTSTRAP, str(bootstrap)
        try:
            equal(ran("import json, email, asyncio, nothing.of_that_name\n")[:2], (1, ""), "status")
            same("/usr/bin/python3", b"import json, email\nprint(json.loads('1'))\nimport nothing\n", [])
        finally:
            comparison.BOOTSTRAP = before


def real(module):
    if importlib.util.find_spec(module) is None:
        raise Skip(f"{module} is not installed")


def a_real_figure():
    real("matplotlib")
    status, stdout, stderr, left = ran(
        "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()\nfigure, _ = plt.subplots()\nfigure.show()\n")
    equal((status, stdout, stderr, sorted(left)), (0, "", "", ["figure-1.png", "figure-2.png"]), "run")
    must(all(data.startswith(PNG) for data in left.values()), "PNG")


def a_real_image():
    real("PIL")
    status, _, stderr, left = ran("from PIL import Image\nImage.new('P', (2, 2)).show('title')\n")
    equal((status, stderr, sorted(left)), (0, "", ["image-1.png"]), "run")
    must(left["image-1.png"].startswith(PNG), "PNG")


def main():
    tap = Tap()
    for case in (figures_are_saved, functions_look_as_before, windows_stay_windows, files_of_the_program_stay,
                 caches_lie_elsewhere, images_are_saved, there_is_an_end, others_of_that_name_are_left_alone,
                 others_pay_nothing, a_real_figure, a_real_image):
        tap.case(case.__name__.replace("_", " "), case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
