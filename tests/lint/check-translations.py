# SPDX-License-Identifier: GPL-3.0-or-later
"""Every string for people reaches the translators, and every listed language is complete.

With --update, po/POTFILES is written anew instead.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import source_tree
from tap import Tap

C_STRING = re.compile(r"(?<![A-Za-z0-9_])(?:_|N_|C_|NC_|g_dngettext|ngettext|g_dpgettext2?)\s*\(\s*\"")
PO = source_tree.ROOT / "po"
# What these write is read by programs, whatever the language of their user; only their messages on stderr are for people.
PROTOCOLS = re.compile(r"src/cli/(?:mcp/.*|session-(?:command|order|answer|lines))\.c")
KEYWORDS = [
    "_", "N_", "C_:1c,2", "NC_:1c,2", "g_dcgettext:2", "g_dngettext:2,3", "g_dpgettext2:2c,3",
    "ngettext:1,2",
]


def has_strings(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".c", ".h"):
        return C_STRING.search(text)
    if path.suffix == ".ui":
        return 'translatable="yes"' in text
    if path.name.endswith((".gschema.xml", ".gschema.xml.in")):
        return "gettext-domain" in text
    return True


def translatable():
    candidates = source_tree.files(".c", ".h", ".ui", under="src")
    candidates += source_tree.files(
        ".desktop.in.in", ".metainfo.xml.in.in", ".gschema.xml", ".gschema.xml.in", under="data"
    )
    return sorted(source_tree.name(path) for path in candidates if has_strings(path))


def listed(name):
    if not (PO / name).exists():
        return []
    return [line for line in source_tree.lines(PO / name) if line and not line.startswith("#")]


def check_potfiles(tap):
    names = listed("POTFILES")
    expected = translatable()
    missing = [f"missing: {name}" for name in expected if name not in names]
    stale = [f"has no strings: {name}" for name in names if name not in expected]
    advice = ["to mend: PYTHONPATH=tests/harness python3 tests/lint/check-translations.py --update"]
    tap.ok(not missing + stale, "POTFILES lists every file with strings", missing + stale + advice)
    tap.ok(names == sorted(names), "POTFILES is sorted")
    tap.ok(listed("LINGUAS") == sorted(path.stem for path in PO.glob("*.po")), "LINGUAS lists every language")


def check_protocols(tap):
    translated = []
    for path in source_tree.files(".c", under="src/cli"):
        name = str(path.relative_to(source_tree.ROOT))
        if PROTOCOLS.fullmatch(name):
            text = path.read_text(encoding="utf-8")
            translated += [f"{name}:{text.count(chr(10), 0, found.start()) + 1}" for found in C_STRING.finditer(text)
                           if not text[:found.start()].endswith("fh_message (")]
    tap.ok(not translated, "texts of protocols are not translated", translated)


def extract(template):
    command = ["xgettext", "--from-code=UTF-8", "--add-comments", f"--output={template}", "--files-from=po/POTFILES"]
    command += [f"--keyword={word}" for word in KEYWORDS]
    return run(command)


def run(command):
    return subprocess.run(command, cwd=source_tree.ROOT, capture_output=True, text=True, check=False)


def check_languages(tap):
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "fumehood.pot"
        result = extract(template)
        # A warning is a string cut in the middle, which cannot be translated.
        good = result.returncode == 0 and template.exists() and "warning" not in result.stderr
        if not tap.ok(good, "strings can be extracted", result.stderr.splitlines()):
            return
        for language in listed("LINGUAS"):
            po = PO / f"{language}.po"
            result = run(["msgfmt", "--check", f"--output-file={folder}/{language}.mo", po])
            tap.ok(result.returncode == 0, f"{language}: msgfmt --check", result.stderr.splitlines())
            result = run(["msgcmp", po, template])
            tap.ok(result.returncode == 0, f"{language}: every string is translated", result.stderr.splitlines())


def main():
    tap = Tap()
    if "--update" in sys.argv:
        (PO / "POTFILES").write_text("".join(f"{name}\n" for name in translatable()), encoding="utf-8")
        return 0
    check_potfiles(tap)
    check_protocols(tap)
    if shutil.which("xgettext") is None:
        tap.skip("languages are complete", "gettext is not installed")
    elif listed("POTFILES"):
        check_languages(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
