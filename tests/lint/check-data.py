# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop reads is valid: desktop entry, metainfo, settings schema, icons, UI files.

Arguments: the folder with the built desktop entry and metainfo, and the application id.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import source_tree
from tap import Tap

SVG = "{http://www.w3.org/2000/svg}svg"


class Validators:
    """Runs the validators that are installed and says which are not."""

    def __init__(self, tap):
        self.tap = tap

    def check(self, name, command):
        if shutil.which(command[0]) is None:
            self.tap.skip(name, f"{command[0]} is not installed")
            return
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        output = (result.stdout + result.stderr).splitlines()
        self.tap.ok(result.returncode == 0 and result.stderr == "", name, output)


def icon_errors(app_id):
    icons = source_tree.ROOT / "data" / "icons" / "hicolor"
    wanted = {
        icons / "scalable" / "apps" / f"{app_id}.svg": 128,
        icons / "symbolic" / "apps" / f"{app_id}-symbolic.svg": 16,
    }
    for path, size in wanted.items():
        if not path.exists():
            yield f"{source_tree.name(path)} is missing"
            continue
        root = ElementTree.parse(path).getroot()
        if root.tag != SVG:
            yield f"{source_tree.name(path)} is no SVG"
        elif {root.get("width"), root.get("height")} != {str(size)}:
            yield f"{source_tree.name(path)} is not {size} by {size}"


def main():
    built, app_id = Path(sys.argv[1]), sys.argv[2]
    tap = Tap()
    validators = Validators(tap)
    validators.check("desktop entry", ["desktop-file-validate", str(built / f"{app_id}.desktop")])
    validators.check(
        "metainfo",
        ["appstreamcli", "validate", "--no-net", "--explain", str(built / f"{app_id}.metainfo.xml")],
    )
    validators.check(
        "settings schema",
        ["glib-compile-schemas", "--strict", "--dry-run", str(source_tree.ROOT / "data")],
    )
    for path in source_tree.files(".ui", ".gresource.xml", ".svg", ".gschema.xml", ".metainfo.xml.in.in", ".page"):
        validators.check(f"well-formed: {source_tree.name(path)}", ["xmllint", "--noout", "--nonet", str(path)])
    offenders = list(icon_errors(app_id))
    tap.ok(not offenders, "icons", offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
