# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the interpreter guard: report.py reports, restrict.py restricts. A message of the guest
channel says what to do; see wire-guest.h.
"""


def raise_guards(channel, load, wanted, main):
    import posix

    verdicts = {"denied": 0, "hidden": 1, "limited": 2, "observed": 3}
    attempt = 17

    def send(verdict, line, operation, subject):
        words = [word.replace("\0", "\\0").encode("utf-8", "surrogateescape")[:1000]
                 for word in (operation, subject)]
        data = bytes([attempt, verdicts[verdict]])
        data += min(line, 0xffffffff).to_bytes(4, "little") + b"\0".join(words)
        # Small enough to be written completely or not at all, so the program never waits.
        try:
            posix.write(channel, len(data).to_bytes(4, "little") + data)
        except BlockingIOError:
            pass

    posix.set_blocking(channel, False)
    options = dict([word.partition("=")[::2] for word in wanted.decode().split("\0")])
    begin_reports = None
    if options.pop("report", None) is not None:
        begin_reports = load("report.py")["install"](send, main)
    if options:
        load("restrict.py")["install"](send, main, options)
    return begin_reports
