# SPDX-License-Identifier: GPL-3.0-or-later
"""What software centers ask of an app beyond valid files: names, texts, pictures, and what the desktop entry promises.

Arguments: the folder with the built files, the application id, and the version.
"""

import configparser
import re
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import source_tree
from tap import Tap

DATA = source_tree.ROOT / "data"
LARGEST = (1000, 700)
VAGUE_CATEGORIES = {"GNOME", "GTK", "Utility", "Qt", "KDE"}
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def words(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def untranslated(nodes):
    return [node for node in nodes if LANGUAGE not in node.attrib]


class Metainfo:
    """Each check yields what is wrong."""

    def __init__(self, path, app_id, version):
        self.root, self.app_id, self.version = ElementTree.parse(path).getroot(), app_id, version

    def text(self, path):
        return words(next(iter(untranslated(self.root.findall(path))), None))

    def identity(self):
        parts = self.app_id.split(".")
        if not 3 <= len(parts) <= 5 or parts[-1] in ("desktop", "app", "linux"):
            yield f"the id {self.app_id}"
        if not all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", part) for part in parts):
            yield f"signs in the id {self.app_id}"
        if self.root.get("type") != "desktop-application" or self.text("id") != self.app_id:
            yield "type or id of the component"
        if self.text("launchable[@type='desktop-id']") != f"{self.app_id}.desktop":
            yield "launchable"
        for path, wanted in (("metadata_license", "CC0-1.0"), ("project_license", "GPL-3.0-or-later"),
                             ("translation[@type='gettext']", "fumehood")):
            if self.text(path) != wanted:
                yield f"{path} is not {wanted}"
        if not self.text("developer/name") or not self.root.find("developer").get("id"):
            yield "developer"

    def names(self):
        name, summary = self.text("name"), self.text("summary")
        if len(name) > 15 or " " in name:
            yield f"the name {name!r} is longer than a word of 15 letters"
        if not 10 <= len(summary) <= 35:
            yield f"the summary has {len(summary)} letters, which are not 10 to 35"
        if summary.endswith(".") or summary.split()[0] in ("A", "An", "The") or name in summary:
            yield f"the summary is {summary!r}"

    def description(self):
        paragraphs = untranslated(self.root.findall("description/p"))
        everything = " ".join(words(part) for part in paragraphs + untranslated(self.root.findall("description/ul/li")))
        if len(everything.split()) > 120:
            yield f"the description has {len(everything.split())} words"
        if not paragraphs or not all(60 <= len(words(paragraph)) <= 450 for paragraph in paragraphs):
            yield "paragraphs of the description"
        for items in self.root.findall("description/ul"):
            if len(untranslated(items.findall("li"))) > 10:
                yield "a list of more than 10 items"
        for kind in ("homepage", "bugtracker", "vcs-browser"):
            if not self.text(f"url[@type='{kind}']").startswith("https://"):
                yield f"the address of the {kind}"

    def screenshots(self):
        found = self.root.findall("screenshots/screenshot")
        if len(found) < 2 or [shot.get("type") for shot in found].count("default") != 1:
            yield "there are not several screenshots, one of them the default"
        for shot in found:
            caption = words(next(iter(untranslated(shot.findall("caption"))), None))
            address = words(shot.find("image[@type='source']"))
            if not 10 <= len(caption) <= 80 or caption.endswith("."):
                yield f"the caption {caption!r}"
            if f"/v{self.version}/data/screenshots/" not in address:
                yield f"{address} is not the file of a tag"
            yield from picture_errors(DATA / "screenshots" / address.rsplit("/", 1)[-1])

    def releases(self):
        found = self.root.findall("releases/release")
        dates = [release.get("date", "") for release in found]
        if not found or found[0].get("version") != self.version or found[0].get("type", "stable") != "stable":
            yield f"the newest release is not {self.version}"
        if dates != sorted(dates, reverse=True) or not all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for date in dates):
            yield f"dates of the releases: {dates}"
        yield from (f"what is new in {release.get('version')}" for release in found
                    if len(words(release.find("description"))) < 40 or len(release.findall("description/ul/li")) > 10)

    def hardware(self):
        needed, supported = self.root.find("requires"), self.root.find("supports")
        length = needed.find("display_length")
        if length is None or length.get("compare") != "ge" or words(length) != "360":
            yield "the smallest display"
        controls = {words(control) for control in supported.findall("control")}
        if controls != {"keyboard", "pointing", "touch"}:
            yield f"controls: {controls}"
        if words(self.root.find(".//internet")) != "offline-only":
            yield "whether it needs the internet"
        if self.root.find("content_rating").get("type") != "oars-1.1":
            yield "age rating"

    def branding(self):
        colors = {color.get("scheme_preference"): words(color) for color in self.root.findall("branding/color")}
        if set(colors) != {"light", "dark"} or not all(re.fullmatch("#[0-9a-f]{6}", color) for color in colors.values()):
            yield f"branding colors: {colors}"
        elif luminance(colors["light"]) <= luminance(colors["dark"]):
            yield "the light branding color is not the lighter one"


def luminance(color):
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def picture_errors(path):
    if not path.exists():
        yield f"{source_tree.name(path)} is missing"
        return
    header = path.read_bytes()[:26]
    width, height = struct.unpack(">II", header[16:24])
    if header[:8] != b"\x89PNG\r\n\x1a\n" or width > LARGEST[0] or height > LARGEST[1] or header[25] != 6:
        yield f"{source_tree.name(path)} is not a PNG with transparency of at most {LARGEST}; it is {width} by {height}"


def read_entry(path):
    entry = configparser.ConfigParser(interpolation=None, delimiters="=")
    entry.optionxform = str
    entry.read(path, encoding="utf-8")
    return entry


def entry_errors(entry, app_id):
    main = entry["Desktop Entry"]
    wanted = {"Type": "Application", "Icon": app_id, "DBusActivatable": "true", "StartupNotify": "true",
              "X-GNOME-UsesNotifications": "true", "Exec": "fumehood %U"}
    yield from (f"{key} is not {value}" for key, value in wanted.items() if main.get(key) != value)
    yield from (f"{key} is there" for key in ("NoDisplay", "Hidden", "OnlyShowIn") if key in main)
    yield from (f"{key} is missing" for key in ("Name", "Comment", "Keywords") if not main.get(key))
    if not set(main["Categories"].strip(";").split(";")) - VAGUE_CATEGORIES:
        yield "categories"
    # An address on a web page must not be able to start anything.
    types = main["MimeType"].strip(";").split(";")
    yield from (f"{kind} is taken" for kind in types if kind.startswith("x-scheme-handler/"))
    for kind in ("text/x-python", "application/x-shellscript", "text/markdown", "text/plain"):
        if kind not in types:
            yield f"{kind} is not taken"
    source = (source_tree.ROOT / "src" / "app" / "application.c").read_text(encoding="utf-8")
    for action in main["Actions"].strip(";").split(";"):
        if f"Desktop Action {action}" not in entry or f'.name = "{action}"' not in source:
            yield f"the action {action} is not one of the application"


def named_errors(built, app_id):
    """Files that call the application by its id."""
    path = "/" + app_id.replace(".", "/")
    provider = read_entry(built / f"{app_id}.search-provider.ini")["Shell Search Provider"]
    wanted = {"DesktopId": f"{app_id}.desktop", "BusName": app_id, "ObjectPath": f"{path}/SearchProvider", "Version": "2",
              # Titles of past runs are private.
              "DefaultDisabled": "true"}
    yield from (f"search provider: {key} is not {value}" for key, value in wanted.items() if provider.get(key) != value)
    service = read_entry(built / f"{app_id}.service")["D-BUS Service"]
    if service["Name"] != app_id or not service["Exec"].endswith("/fumehood --gapplication-service"):
        yield "D-Bus service"
    schema = ElementTree.parse(DATA / f"{app_id}.gschema.xml").getroot().find("schema")
    if schema.get("id") != app_id or schema.get("path") != f"{path}/":
        yield "settings schema"


def main():
    built, app_id, version = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    metainfo = Metainfo(built / f"{app_id}.metainfo.xml", app_id, version)
    entry = read_entry(built / f"{app_id}.desktop")
    tap = Tap()
    for check in (metainfo.identity, metainfo.names, metainfo.description, metainfo.screenshots, metainfo.releases,
                  metainfo.hardware, metainfo.branding):
        offenders = list(check())
        tap.ok(not offenders, f"metainfo: {check.__name__}", offenders)
    for name, offenders in (("desktop entry", list(entry_errors(entry, app_id))),
                            ("files that name the application", list(named_errors(built, app_id)))):
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
