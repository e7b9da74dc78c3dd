# SPDX-License-Identifier: GPL-3.0-or-later
"""How the interpreter of a session hears and answers, and when it may be interrupted; see wire-guest.h.

Loaded by bootstrap.py into the namespace of values.py, before session.py.
"""

import _thread

_signal, posix, select = own("_signal"), own("posix"), own("select")

CHANNEL_FILE = __file__
MORE = 18               # of wire-guest.h
# A message of this size is written completely or not at all (unix(7)), so that what other threads
# report never stands in the middle of it.
PIECE = 30000
PATIENCE_MS = 100       # of a thread that calls, before it looks whether its cell has ended


class Channel:
    """The guest channel. A message is read and written as a whole, whatever signal comes, and whatever
    other threads do."""

    def __init__(self, descriptor, interrupts):
        self.descriptor = descriptor
        self.interrupts = interrupts
        self.reads, self.sends = _thread.allocate_lock(), _thread.allocate_lock()
        self.waits_to_read, self.waits_to_write = select.poll(), select.poll()
        self.waits_to_read.register(descriptor, select.POLLIN)
        self.waits_to_write.register(descriptor, select.POLLOUT)

    def exactly(self, size):
        pieces = []
        while size:
            try:
                piece = posix.read(self.descriptor, min(size, 1 << 20))
            except BlockingIOError:
                self.readable(None)
                continue
            if not piece:
                posix._exit(0)
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def take(self, may_read):
        """The next message, or None if another thread has read it, or it is not for this one."""
        with self.reads:
            if not may_read() or not self.readable(0):
                return None
            message = self.exactly(int.from_bytes(self.exactly(4), "little"))
        return message[0], message[1:]

    def readable(self, milliseconds):
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        return bool(poll.poll(milliseconds))

    def receive(self, may_be_interrupted=False):
        """Kind and rest of the next message, for the first thread."""
        message = None
        while message is None:
            self.interrupts.allow(may_be_interrupted)
            self.waits_to_read.poll()
            self.interrupts.allow(False)
            message = self.take(lambda: True)
        return message

    def receive_while(self, goes_on):
        """The same for another thread. What comes when that is over is the first thread's."""
        while goes_on():
            if self.readable(PATIENCE_MS):
                message = self.take(goes_on)
                if message is not None:
                    return message
        raise RuntimeError("the cell has ended")

    def write(self, data):
        view = memoryview(data)
        while view:
            try:
                view = view[posix.write(self.descriptor, view):]
            except BlockingIOError:
                self.waits_to_write.poll()

    def send(self, kind, number, text):
        data = text.encode("ascii", "backslashreplace")
        head = number.to_bytes(4, "little")
        with self.sends:
            for at in range(0, len(data) - PIECE, PIECE):
                self.message(MORE, head + data[at:at + PIECE])
            rest = (len(data) - 1) // PIECE * PIECE if data else 0
            self.message(kind, head + data[rest:])

    def message(self, kind, rest):
        self.write((len(rest) + 1).to_bytes(4, "little") + bytes([kind]) + rest)


class Interrupts:
    """SIGINT is KeyboardInterrupt where the program runs, and waits elsewhere."""

    def __init__(self):
        self.are_allowed = False
        self.is_pending = self.was_caught = False
        self.thread = _thread.get_ident()

    def are_here(self):
        """Python handles signals in its first thread only."""
        return _thread.get_ident() == self.thread

    def install(self):
        _signal.signal(_signal.SIGINT, self.handle)

    def handle(self, *_):
        if self.are_allowed:
            self.are_allowed = False
            raise KeyboardInterrupt
        self.is_pending = True

    def handle_alarm(self, *_):
        if self.are_allowed:
            self.are_allowed = False
            raise TimeoutError("it took too long")

    def allow(self, are_allowed):
        if not self.are_here():
            return
        self.are_allowed = are_allowed
        if are_allowed and self.is_pending:
            self.is_pending = self.are_allowed = False
            raise KeyboardInterrupt

    def run(self, function, *arguments):
        """What the program's code returns, and what it raised."""
        if not self.are_here():
            try:
                return function(*arguments), None
            except BaseException as error:
                return None, error
        try:
            try:
                self.allow(True)
                return function(*arguments), None
            finally:
                self.are_allowed = False
        except BaseException as error:
            self.are_allowed = False
            self.was_caught = self.was_caught or is_a(error, KeyboardInterrupt)
            return None, error
