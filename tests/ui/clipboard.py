# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program that has something in the clipboard of a screen, as X11 wants it (ICCCM, section 2)."""

import contextlib
import os
import select
import threading

from Xlib import X, Xatom, display as xdisplay
from Xlib.error import ConnectionClosedError
from Xlib.protocol import event as xevent

from waiting import wait_for


class Clipboard:
    """Owns the clipboard from the first copy() on. One thread does everything with the connection: two that share one
    may wait for each other forever."""

    def __init__(self, display_name):
        self.connection = xdisplay.Display(display_name)
        self.window = self.connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.names = {name: self.connection.intern_atom(name)
                      for name in ("CLIPBOARD", "TARGETS", "UTF8_STRING", "text/html")}
        self.connection.sync()
        self.data = {}
        self.is_owner = threading.Event()
        self.wakes, self.waker = os.pipe()
        threading.Thread(target=self._serve, daemon=True).start()

    def copy(self, text, html=None):
        """`html`: the same as a browser has it, which offers both."""
        kinds = {"text/html": html, "UTF8_STRING": text}
        self.data = {self.names[kind]: data.encode() for kind, data in kinds.items() if data is not None}
        self.is_owner.clear()
        os.write(self.waker, b"x")
        if not self.is_owner.wait(60):
            raise AssertionError("the clipboard was not taken")

    def _serve(self):
        # The screen ends before the program that has something in its clipboard.
        with contextlib.suppress(ConnectionClosedError):
            self._serve_for_good()

    def _serve_for_good(self):
        while True:
            while self.connection.pending_events():
                event = self.connection.next_event()
                if event.type == X.SelectionRequest:
                    self._answer(event)
            ready, _, _ = select.select([self.connection.fileno(), self.wakes], [], [])
            if self.wakes in ready:
                os.read(self.wakes, 1)
                self.window.set_selection_owner(self.names["CLIPBOARD"], X.CurrentTime)
                self.connection.sync()
                self.is_owner.set()

    def _answer(self, event):
        place = event.property or event.target
        if event.target == self.names["TARGETS"]:
            event.requestor.change_property(place, Xatom.ATOM, 32, [self.names["TARGETS"], *self.data])
        elif event.target in self.data:
            event.requestor.change_property(place, event.target, 8, self.data[event.target])
        else:
            place = X.NONE
        event.requestor.send_event(xevent.SelectionNotify(
            time=event.time, requestor=event.requestor, selection=event.selection, target=event.target, property=place))
        self.connection.flush()


def paste(display_name, kind):
    """What is in the clipboard as another program gets it: bytes of that kind, none if it is not offered. It must be
    small enough to come in one piece."""
    connection = xdisplay.Display(display_name)
    window = connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    place = connection.intern_atom("PASTED")

    def answered():
        while connection.pending_events():
            event = connection.next_event()
            if event.type == X.SelectionNotify:
                return event
        return None

    window.convert_selection(
        connection.intern_atom("CLIPBOARD"), connection.intern_atom(kind), place, X.CurrentTime)
    connection.sync()
    event = wait_for(answered, f"{kind} of the clipboard")
    data = window.get_full_property(place, X.AnyPropertyType).value if event.property != X.NONE else b""
    connection.close()
    return data
