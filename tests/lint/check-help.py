# SPDX-License-Identifier: GPL-3.0-or-later
"""The help book: complete in each language, with a page for each guard, links that lead somewhere, exhibits that
exist, and words that are those of the window."""

import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import source_tree
from tap import Tap

HELP = source_tree.ROOT / "data" / "help"
PO = source_tree.ROOT / "po"
MALLARD = "{http://projectmallard.org/1.0/}"
GUARD = re.compile(r'^  \[FH_GUARD_(?!LEVEL_)(\w+)\] = "([a-z-]+)",', re.MULTILINE)
EXHIBIT = re.compile(r'\{ "([\w-]+)\.\w+",(?:(?!\n  \{).)*?GUARD \((\w+), \d, "[^"]*", (NULL|"[^"]*")\)', re.DOTALL)
TRY = re.compile(r"fumehoodctl exhibits (show|run|bare|compare) (\S+)")
# Texts shorter than this may be alike in two languages.
ALIKE = 25
PROSE = {f"{MALLARD}{tag}" for tag in ("desc", "p", "title")}


def languages():
    return ["C", *(path.stem for path in sorted(PO.glob("*.po")))]


def pages(language):
    return {path.stem: ElementTree.parse(path).getroot() for path in sorted((HELP / language).glob("*.page"))}


def text(node):
    return " ".join("".join(node.itertext()).split())


def shape(page):
    """What must be the same in each language: elements in their order, ids, links, and what is typed."""
    return [(node.tag, node.get("id"), node.get("xref"), text(node) if node.tag == f"{MALLARD}screen" else None)
            for node in page.iter() if node.tag not in (f"{MALLARD}key", f"{MALLARD}code")]


def incomplete(books):
    for language, book in books.items():
        for name in sorted(books["C"].keys() ^ book.keys()):
            yield f"{language}: {name} is in one language only"
        for name in books["C"].keys() & book.keys():
            if shape(books["C"][name]) != shape(book[name]):
                yield f"{language}: {name} has not the elements of the English page"


def untranslated(books):
    for language, book in books.items():
        for name in books["C"].keys() & book.keys() if language != "C" else ():
            for there, here in zip(books["C"][name].iter(), book[name].iter()):
                if here.tag in PROSE and text(there) == text(here) and len(text(here)) >= ALIKE:
                    yield f"{language}: {name}: {text(here)}"


def dead_links(books):
    for language, book in books.items():
        places = {name: {node.get("id") for node in page.iter(f"{MALLARD}section")} for name, page in book.items()}
        for name, page in book.items():
            if page.get("id") != name:
                yield f"{language}: {name} calls itself {page.get('id')}"
            for link in page.iter(f"{MALLARD}link"):
                target, _, section = link.get("xref").partition("#")
                if target not in places or (section and section not in places[target]):
                    yield f"{language}: {name} links to {link.get('xref')}"
            guides = [link for link in page.iter(f"{MALLARD}link") if link.get("type") == "guide"]
            if name != "index" and not guides:
                yield f"{language}: no way leads to {name}"


def not_installed(book):
    listed = set(re.findall(r"^    '([a-z-]+)',$", (HELP / "meson.build").read_text(encoding="utf-8"), re.MULTILINE))
    for name in sorted(listed ^ book.keys()):
        yield f"{name} is a page, or a line of meson.build, but not both"


def guards_without_help(book):
    """Each has a page, with exhibits of that very guard to be tried."""
    options = source_tree.ROOT / "src" / "model" / "options"
    exhibits = {name: (guard, bare) for name, guard, bare in
                EXHIBIT.findall((options / "exhibit.c").read_text(encoding="utf-8"))}
    table = dict(GUARD.findall((options / "guard-state.c").read_text(encoding="utf-8")))
    if len(table) < 11 or len(exhibits) < 30:
        yield f"{len(table)} guards and {len(exhibits)} exhibits were found in src/model"
    if {name for name in book if name.startswith("guard-")} != {f"guard-{word}" for word in table.values()}:
        yield "the pages of guards are not those of the table of guards"
    for guard, word in table.items():
        if f"guard-{word}" in book and not any(
            exhibits.get(name, (None,))[0] == guard for _, name in TRY.findall(text(book[f"guard-{word}"]))
        ):
            yield f"guard-{word} shows no exhibit of that guard"
    for name, page in book.items():
        for verb, exhibit in TRY.findall(text(page)):
            if exhibit not in exhibits:
                yield f"{name}: there is no exhibit {exhibit}"
            elif verb in ("bare", "compare") and exhibits[exhibit][1] == "NULL":
                yield f"{name}: {exhibit} is not run without its guard"


def text_of_po(language):
    return (PO / f"{language}.po").read_text(encoding="utf-8")


def foreign_words(books):
    """Names of buttons and menus that the window does not have."""
    for language in books.keys() - {"C"}:
        entries = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', text_of_po(language), re.MULTILINE)
        if f'msgctxt "folder of the help"\nmsgid "C"\nmsgstr "{language}"\n' not in text_of_po(language):
            yield f"{language}: the window would open the help in another language"
        words = {(here.replace("_", ""), there.replace("_", "")) for here, there in entries}
        for name, page in books["C"].items():
            for here, there in zip(page.iter(f"{MALLARD}gui"), books[language][name].iter(f"{MALLARD}gui")):
                if (text(here), text(there)) not in words:
                    yield f"{name}: “{text(here)}” is not “{text(there)}” in {language}"


class Anchors(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids.add(attributes.get("id"))
        if "href" in attributes:
            self.links.append(attributes["href"])


def faults_of_html(books):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, HELP / "make-html.py", HELP, folder], check=True)
        made = {path.resolve(): Anchors(path) for path in Path(folder).rglob("*.html")}
        if len(made) != sum(len(book) for book in books.values()):
            yield f"{len(made)} pages were made"
        for path, anchors in made.items():
            for link in anchors.links:
                name, _, section = link.partition("#")
                target = (path.parent / name).resolve()
                if not target.is_file() or (section and section not in made[target].ids):
                    yield f"{path.name} links to {link}"
        for language, book in books.items():
            index = made[(Path(folder) / language / "index.html").resolve()]
            for name in sorted(book.keys() - {"index"} - {link.removesuffix(".html") for link in index.links}):
                yield f"{language}: the index does not link to {name}"


def main():
    tap = Tap()
    books = {language: pages(language) for language in languages()}
    for name, found in (
        ("each language has the same pages", incomplete(books)),
        ("what is to be translated is", untranslated(books)),
        ("links lead somewhere", dead_links(books)),
        ("all pages are installed", not_installed(books["C"])),
        ("each guard has a page with exhibits", guards_without_help(books["C"])),
        ("buttons and menus have the names of the window", foreign_words(books)),
        ("the folder of HTML has all pages, and its links lead somewhere", faults_of_html(books)),
    ):
        offenders = list(found)
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
