# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a folder of HTML from the pages of the help book, for computers without a help browser.

Arguments: the folder with the Mallard pages, one folder for each language, and the folder to make.
It knows the few elements that the pages use, and fails at any other.
"""

import os
import sys
from html import escape
from pathlib import Path
from xml.etree import ElementTree

MALLARD = "{http://projectmallard.org/1.0/}"
STYLE = """\
:root { color-scheme: light dark; }
body { font: 1.1rem/1.6 Cantarell, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1rem; }
pre { padding: 0.8rem; overflow-x: auto; border-radius: 6px; background: rgba(128, 128, 128, 0.15); }
aside { padding: 0 1rem; border-left: 4px solid rgba(128, 128, 128, 0.5); }
dt, b { font-weight: bold; }
"""
# What an element becomes. The title of a page and of what is inside are headings.
TAGS = {"p": "p", "code": "code", "gui": "b", "key": "kbd", "list": "ul", "steps": "ol", "item": "li",
        "terms": "dl", "screen": "pre", "note": "aside", "section": "section"}


def plain(tag):
    if not tag.startswith(MALLARD):
        raise SystemExit(f"{tag} is no element of Mallard")
    return tag[len(MALLARD):]


def inside(node, parent):
    """The HTML of what a node contains, without blanks that are only there for the source."""
    parts = [escape(node.text or "")]
    for child in node:
        parts += [element(child, parent), escape(child.tail or "")]
    return "".join(parts)


def element(node, parent):
    tag = plain(node.tag)
    if tag == "info":
        return ""
    if tag == "title":
        name = {"page": "h1", "section": "h2", "item": "dt"}[parent]
        return f"<{name}>{inside(node, tag)}</{name}>"
    if tag == "link":
        page, _, section = node.get("xref").partition("#")
        return f'<a href="{escape(page)}.html{"#" * bool(section)}{escape(section)}">{inside(node, tag)}</a>'
    if tag == "item" and parent == "terms":
        title, *rest = node
        return element(title, "item") + "<dd>" + "".join(element(child, tag) for child in rest) + "</dd>"
    name = TAGS[tag]
    id_text = f' id="{escape(node.get("id"))}"' if node.get("id") else ""
    return f"<{name}{id_text}>{inside(node, tag)}</{name}>"


def find_text(page, path):
    return escape(" ".join("".join(page.find(path.replace("m:", MALLARD)).itertext()).split()))


def topics(pages, guide):
    """The links of a section of the index, to the pages that say they belong there."""
    found = []
    for name, page in sorted(pages.items()):
        if any(link.get("xref") == guide for link in page.iter(f"{MALLARD}link") if link.get("type") == "guide"):
            title, text = find_text(page, "m:title"), find_text(page, "m:info/m:desc")
            found.append(f'<li><a href="{name}.html">{title}</a>: {text}</li>')
    return f"<ul>{''.join(found)}</ul>" if found else ""


def html(name, pages, language):
    page = pages[name]
    body = []
    for child in page:
        text = element(child, "page")
        if name == "index" and plain(child.tag) == "section":
            text = text.replace("</section>", topics(pages, f"index#{child.get('id')}") + "</section>")
        body.append(text)
    back = "" if name == "index" else f'<p><a href="index.html">{find_text(pages["index"], "m:title")}</a></p>\n'
    return (f'<!DOCTYPE html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{find_text(page, 'm:title')}</title>\n<link rel=\"stylesheet\" href=\"../style.css\">\n"
            f"{back}{''.join(body)}\n</html>\n")


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        pages = {path.stem: ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.page"))}
        (target / folder.name).mkdir(parents=True, exist_ok=True)
        for name in pages:
            language = "en" if folder.name == "C" else folder.name
            (target / folder.name / f"{name}.html").write_text(html(name, pages, language), encoding="utf-8")
    (target / "style.css").write_text(STYLE, encoding="utf-8")
    os.utime(target)


if __name__ == "__main__":
    main()
