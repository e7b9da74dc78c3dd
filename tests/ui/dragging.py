# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program from which something is dragged, as X11 wants it (XDND 5)."""

import time

from Xlib import X, Xatom, display as xdisplay
from Xlib.protocol import event as xevent

from waiting import wait_for

VERSION = 5


class Drag:
    """One thing that is dragged to a place of a window and dropped there."""

    def __init__(self, display_name, kind, data):
        self.connection = xdisplay.Display(display_name)
        self.source = self.connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.kind, self.data = self._atom(kind), data
        self.source.set_selection_owner(self._atom("XdndSelection"), X.CurrentTime)
        self.connection.sync()

    def _atom(self, name):
        return self.connection.intern_atom(name)

    def drop(self, window, x, y):
        """At a place of the screen."""
        window = self.connection.create_resource_object("window", window.id)
        self._send(window, "XdndEnter", VERSION << 24, self.kind, 0, 0)
        self._wait_for(window, "XdndStatus", lambda told: told[1] & 1,
                       "XdndPosition", 0, x << 16 | y, X.CurrentTime, self._atom("XdndActionCopy"))
        self._wait_for(window, "XdndFinished", lambda told: True, "XdndDrop", 0, X.CurrentTime, 0, 0)
        self.connection.close()

    def _wait_for(self, window, name, is_wanted, message, *data):
        """Says something and serves the other side until its answer comes."""
        wanted = self._atom(name)
        self._send(window, message, *data)
        deadline = time.monotonic() + 1

        def answered():
            nonlocal deadline
            while self.connection.pending_events():
                event = self.connection.next_event()
                if event.type == X.SelectionRequest:
                    self._answer(event)
                elif event.type == X.ClientMessage and event.client_type == wanted and is_wanted(event.data[1]):
                    return True
            # What is below the pointer may take it only when it was asked again.
            if message == "XdndPosition" and time.monotonic() > deadline:
                deadline = time.monotonic() + 1
                self._send(window, message, *data)
            return False

        wait_for(answered, f"{name} after {message}")

    def _send(self, window, name, *data):
        window.send_event(xevent.ClientMessage(
            window=window, client_type=self._atom(name), data=(32, [self.source.id, *data])))
        self.connection.sync()

    def _answer(self, event):
        place = event.property or event.target
        if event.target == self._atom("TARGETS"):
            event.requestor.change_property(place, Xatom.ATOM, 32, [event.target, self.kind])
        elif event.target == self.kind:
            event.requestor.change_property(place, event.target, 8, self.data)
        else:
            place = X.NONE
        event.requestor.send_event(xevent.SelectionNotify(
            time=event.time, requestor=event.requestor, selection=event.selection, target=event.target, property=place))
        self.connection.flush()
