# SPDX-License-Identifier: GPL-3.0-or-later
"""A screen of the test's own: Xvfb, a compositor for round corners and shadows, and what eyes and
hands do there: look at a window, resize it, press keys, count frames."""

import contextlib
import os
import select
import struct
import subprocess
import threading
import time
import zlib
from pathlib import Path

from waiting import wait_for
from Xlib import X, XK, Xatom, display as xdisplay
from Xlib.error import BadDrawable, BadWindow
from Xlib.ext import damage, res, xtest
from Xlib.protocol import event as xevent

WALL = 0xA8A7A4
# Where windows are put: popovers need room on the left as well.
PLACE = (140, 40)
# A window rests when it is seen to do so often, at intervals of so many seconds: together longer than GTK holds a button
# down that is pressed through accessibility, before which nothing comes of that.
REST_LOOKS, REST_S = 4, 0.1
RESTLESS_LOOKS = 15
MODIFIERS = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}


class Display:
    """Xvfb and xcompmgr, ended by close()."""

    def __init__(self, width=1600, height=1000):
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{width}x{height}x24", "-noreset",
             "-nolisten", "tcp"],
            pass_fds=[write_end], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(write_end)
        with os.fdopen(read_end) as stream:
            number = stream.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number}"
        self.connection = xdisplay.Display(self.name)
        self.root = self.connection.screen().root
        self._pids = {}
        self.compositor = subprocess.Popen(
            ["xcompmgr", "-n", "-d", self.name], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.connection.set_close_down_mode(X.RetainPermanent)
        self.paint_wall(WALL)
        self._pose_as_window_manager()

    def close(self):
        self.connection.close()
        for process in (self.compositor, self.server):
            process.terminate()
            process.wait()

    def paint_wall(self, color):
        """One color behind everything: without a root pixmap the compositor shows a stipple."""
        pixmap = self.root.create_pixmap(1, 1, self.connection.screen().root_depth)
        pixmap.fill_rectangle(pixmap.create_gc(foreground=color), 0, 0, 1, 1)
        for name in ("_XROOTPMAP_ID", "_XSETROOT_ID"):
            self.root.change_property(self.connection.intern_atom(name), Xatom.PIXMAP, 32, [pixmap.id])
        self.connection.sync()

    def set_dpi(self, dpi):
        """How large text is, for programs that are started from now on; 96 is usual."""
        self.root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, f"Xft.dpi:\t{dpi}\n".encode())
        self.connection.sync()

    def _pose_as_window_manager(self):
        """GTK draws its round corners and shadows only where a window manager knows about them."""
        window = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        check = self.connection.intern_atom("_NET_SUPPORTING_WM_CHECK")
        for holder in (self.root, window):
            holder.change_property(check, Xatom.WINDOW, 32, [window.id])
        supported = self.connection.intern_atom("_NET_SUPPORTED")
        self.root.change_property(supported, Xatom.ATOM, 32, [self.connection.intern_atom("_GTK_FRAME_EXTENTS")])
        self.connection.sync()

    def windows(self):
        """Visible top-level windows, the topmost last."""
        found = []
        for window in self.root.query_tree().children:
            try:
                attributes = window.get_attributes()
                geometry = window.get_geometry()
            except (BadWindow, BadDrawable):
                # It went while it was asked.
                continue
            if attributes.map_state == X.IsViewable and geometry.width > 50 and not attributes.override_redirect:
                found.append(window)
        return found

    def focus(self, window):
        """Makes a window the active one; there is no window manager to do it."""
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.connection.sync()

    def shadow(self, window):
        """(left, right, top, bottom): how far the window's shadow reaches around what people see."""
        found = window.get_full_property(self.connection.intern_atom("_GTK_FRAME_EXTENTS"), Xatom.CARDINAL)
        return tuple(found.value) if found else (0, 0, 0, 0)

    def size(self, window):
        """(width, height) of what people see."""
        place, (left, right, top, bottom) = window.get_geometry(), self.shadow(window)
        return place.width - left - right, place.height - top - bottom

    def resize(self, window, width, height):
        """Asks like a window manager; the program may refuse to become that small."""
        left, right, top, bottom = self.shadow(window)
        window.configure(x=PLACE[0], y=PLACE[1], width=width + left + right, height=height + top + bottom)
        self.connection.sync()

    def key(self, combination):
        """Presses and releases keys by name: "ctrl+Return", "shift+F5"."""
        names = [MODIFIERS.get(name, name) for name in combination.split("+")]
        codes = [self.connection.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
        for code in codes:
            xtest.fake_input(self.connection, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.connection, X.KeyRelease, code)
        self.connection.sync()

    def catch_up(self):
        """Waits until the server has done what others had written to it before. It takes turns with its clients."""
        self.connection.sync()
        self.connection.sync()

    def click(self, window, x, y, times=1):
        """Clicks there in what people see of a window."""
        place, (left, _, top, _) = window.get_geometry(), self.shadow(window)
        xtest.fake_input(self.connection, X.MotionNotify, x=place.x + left + x, y=place.y + top + y)
        for _ in range(times):
            xtest.fake_input(self.connection, X.ButtonPress, 1)
            xtest.fake_input(self.connection, X.ButtonRelease, 1)
        self.connection.sync()

    def close_window(self, window):
        """What the close button of a title bar asks for."""
        message = xevent.ClientMessage(
            window=window,
            client_type=self.connection.intern_atom("WM_PROTOCOLS"),
            data=(32, [self.connection.intern_atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0]),
        )
        window.send_event(message)
        self.connection.sync()

    def picture(self, window):
        """(width, height, RGB bytes) of what the screen shows at the place of the window and of the
        popovers that reach beyond it."""
        screen = self.root.get_geometry()
        places = [window.get_geometry(), *self._popovers()]
        left = max(min(place.x for place in places), 0)
        top = max(min(place.y for place in places), 0)
        right = min(max(place.x + place.width for place in places), screen.width)
        bottom = min(max(place.y + place.height for place in places), screen.height)
        return right - left, bottom - top, self._pixels(left, top, right - left, bottom - top)

    def _popovers(self):
        """(x, y, width, height), as the server says it."""
        for window in self.root.query_tree().children:
            with contextlib.suppress(BadWindow, BadDrawable):
                attributes = window.get_attributes()
                if attributes.override_redirect and attributes.map_state == X.IsViewable:
                    yield window.get_geometry()

    def _pixels(self, left, top, width, height):
        image = self.root.get_image(left, top, width, height, X.ZPixmap, 0xFFFFFFFF).data
        pixels = bytearray(width * height * 3)
        for channel in range(3):
            pixels[channel::3] = image[2 - channel :: 4]
        return bytes(pixels)

    def cutout(self, window):
        """(width, height, RGBA bytes): the window and its shadow without the wall. What shines
        through shows how much when the wall is once black and once white."""
        return wait_for(lambda: self._cutout(window), "the window to be the same on every wall")

    def _cutout(self, window):
        """None when the window itself changed between the pictures."""
        pictures = [self._picture_on(window, wall) for wall in (0x000000, 0xFFFFFF, 0x000000)]
        self.paint_wall(WALL)
        (width, height, black), (_, _, white), last = pictures
        return (width, height, _remove_wall(black, white)) if last == pictures[0] else None

    def _picture_on(self, window, wall):
        wait_for(lambda: self._is_painted(window, wall), "the wall to be painted", interval=0.2)
        self.settle(window)
        return self.picture(window)

    def _is_painted(self, window, wall):
        """Asks again and again: a busy compositor has been seen to miss a change."""
        if self.picture(window)[2][0] == wall & 0xFF:
            return True
        self.paint_wall(wall)
        return False

    def settle(self, window, timeout=5):
        """Waits until nothing in the window moves: neither its program nor who paints the screen had anything to do for a
        while. Who waits for a processor does not rest, however long that takes. Some windows draw again and again what is
        there already: of them three equal pictures tell."""
        pids = [self._pid_of(window), self.server.pid, self.compositor.pid]
        seen, pictures = [], []

        def still():
            seen.append([turns(pid) for pid in pids])
            if len(seen) >= RESTLESS_LOOKS:
                pictures.append(zlib.adler32(self.picture(window)[2]))
            return pictures[-3:].count(pictures[-1]) == 3 if pictures else \
                None not in seen[-1] and seen[-REST_LOOKS:].count(seen[-1]) == REST_LOOKS

        wait_for(still, "the window to stand still", timeout, interval=REST_S)

    def _pid_of(self, window):
        """Returns the number that the server knows: a program in a sandbox has another one for itself."""
        if window.id not in self._pids:
            answer = self.connection.res_query_client_ids([{"client": window.id, "mask": res.LocalClientPIDMask}])
            self._pids[window.id] = answer.ids[0].value[0]
        return self._pids[window.id]


def turns(pid):
    """Returns how often the threads of a process got a processor; None while one has it or waits for it."""
    count = 0
    for path in Path(f"/proc/{pid}/task").glob("*/status"):
        with contextlib.suppress(OSError):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                name, _, value = line.partition(":")
                if name == "State" and value.split()[0] != "S":
                    return None
                if name.endswith("_ctxt_switches"):
                    count += int(value)
    return count


def _remove_wall(black, white):
    pixels = bytearray(len(black) // 3 * 4)
    opacity = bytes(255 - (over_white - over_black) for over_black, over_white in zip(black[1::3], white[1::3]))
    for channel in range(3):
        pixels[channel::4] = bytes(
            min(255, value * 255 // alpha) if alpha else 0 for value, alpha in zip(black[channel::3], opacity)
        )
    pixels[3::4] = opacity
    return bytes(pixels)


def write_png(path, width, height, pixels, level):
    """A PNG with nothing but the pixels in it, RGB or RGBA."""
    depth = len(pixels) // (width * height)
    stride = width * depth
    rows = b"".join(b"\0" + pixels[row * stride : (row + 1) * stride] for row in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2 if depth == 3 else 6, 0, 0, 0)
    with open(path, "wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        stream.write(chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND", b""))


class PaintWatch(threading.Thread):
    """Notes when a window was painted, on a connection of its own."""

    def __init__(self, display_name, window):
        super().__init__(daemon=True)
        self.connection = xdisplay.Display(display_name)
        self.window = self.connection.create_resource_object("window", window.id)
        self.connection.damage_query_version()
        self.damage = self.window.damage_create(damage.DamageReportNonEmpty)
        self.times = []
        self.wakes, self.waker = os.pipe()
        self.start()

    def run(self):
        while True:
            while self.connection.pending_events():
                self.connection.next_event()
                self.times.append(time.monotonic())
                self.connection.damage_subtract(self.damage)
                self.connection.flush()
            ready, _, _ = select.select([self.connection.fileno(), self.wakes], [], [])
            if self.wakes in ready:
                break

    def stop(self):
        os.close(self.waker)
        self.join()
        os.close(self.wakes)
        self.connection.close()

    def frames(self, begin, end):
        """(frames per second, longest gap in seconds) between two moments of time.monotonic(). Starved
        painting is what a flood does to a careless program long before its main loop blocks."""
        times = [begin, *(moment for moment in self.times if begin < moment < end), end]
        gaps = [later - earlier for earlier, later in zip(times, times[1:])]
        return (len(times) - 2) / (end - begin), max(gaps)
