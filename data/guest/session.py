# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cells of a session in one namespace, and answers each; see wire-guest.h.

A hint, never evidence: the program can say the same, or something else. What is needed here is kept
in names of our own, as cells may replace sys.stdout, builtins or json. Loaded by bootstrap.py into
the namespace of values.py, which has a copy of builtins.
"""

import _ast
import _thread
import linecache
import sys

_signal, posix, select = own("_signal"), own("posix"), own("select")

# Numbers of wire-guest.h.
CELL, SETUP, REPLY = 5, 6, 7
OUT_OF_MEMORY, MORE, CALL, ANSWER = 16, 18, 19, 20
OUR_FILE = __file__
# A message of this size is written completely or not at all (unix(7)), so that what other threads
# report never stands in the middle of it.
PIECE = 30000
ANSWER_MAX = 4 << 20

REPR_MAX = 500          # of a variable's
NAMES_MAX = 200         # variables in one answer
ROWS_MAX = 100          # of a closer look
DEPTH_MAX = 50          # of its path
KEY_MAX = 80
SOURCES_MAX = 1000      # cells whose lines are kept for tracebacks
COROUTINE = 0x80        # CO_COROUTINE, inspect
PARSE = _ast.PyCF_ONLY_AST | _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
RUN = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

PATIENCE_MS = 100       # of a thread that calls, before it looks whether its cell has ended

get_pid = posix.getpid


def is_ours(file):
    return file == OUR_FILE or file[:10] == "<function "


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
        self.is_pending = False

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
        self.are_allowed = are_allowed
        if are_allowed and self.is_pending:
            self.is_pending = self.are_allowed = False
            raise KeyboardInterrupt

    def run(self, function, *arguments):
        """What the program's code returns, and what it raised."""
        try:
            try:
                self.allow(True)
                return function(*arguments), None
            finally:
                self.are_allowed = False
        except BaseException as error:
            self.are_allowed = False
            return None, error


class Session:
    def __init__(self, channel, interrupts, namespace, file_system):
        self.channel = channel
        self.interrupts = interrupts
        self.namespace = namespace
        self.builtins = file_system
        self.process = get_pid()
        self.number = 0
        self.calls = 0
        self.thread = _thread.get_ident()
        self.one_call = _thread.allocate_lock()
        self.final = self.loop = self.begin_reports = None
        self.before = {}
        self.sources = []
        self.pictures = Pictures(interrupts)
        self.ours = set(namespace)

    # One cell's code.

    def register(self, name, code):
        linecache.cache[name] = (len(code), None, [line + "\n" for line in code.splitlines()], name)
        self.sources.append(name)
        if len(self.sources) > SOURCES_MAX:
            linecache.cache.pop(self.sources.pop(0), None)

    def evaluate(self, code):
        value = eval(code, self.namespace)
        return self.wait_for(value) if code.co_flags & COROUTINE else value

    def wait_for(self, coroutine):
        if self.loop is None:
            import asyncio
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        task = self.loop.create_task(coroutine)
        try:
            return self.loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            try:
                self.loop.run_until_complete(task)
            except BaseException:
                pass
            raise

    def execute_code(self, code, name):
        tree = compile(code, name, "exec", PARSE, True)
        last = None
        if tree.body and isinstance(tree.body[-1], _ast.Expr):
            last = _ast.Expression(tree.body.pop().value)
        if tree.body:
            self.evaluate(compile(tree, name, "exec", RUN, True))
        if last is None:
            return None
        value = self.evaluate(compile(last, name, "eval", RUN, True))
        if value is not None:
            self.builtins["_"] = value
        return value

    # The traceback as outside: from the cell's first line on, and without our frames at its end.
    def explain(self, error, name):
        kind = type(error)
        last = "%s: %s" % (name_of(kind), UNREPRESENTABLE)
        try:
            trace = error.__traceback__
            while trace is not None and trace.tb_frame.f_code.co_filename[:6] != "<cell ":
                trace = trace.tb_next
            last_one = trace
            while last_one is not None and last_one.tb_next is not None:
                if is_ours(last_one.tb_next.tb_frame.f_code.co_filename):
                    last_one.tb_next = None
                last_one = last_one.tb_next
            told, failed = self.interrupts.run(tell, kind, error, trace)
            return (last, last) if failed is not None else told
        except BaseException:
            return last, last

    # What the answer says.

    def variables(self, changed_only, with_all):
        shown = Shown(self.interrupts)
        now, rows, left_out = {}, [], 0
        for name, value in list(self.namespace.items()):
            if type(name) is not str or name in self.ours:
                continue
            kind = kind_of(name, value)
            if kind != "variable" and not (with_all or (changed_only and kind == "module")):
                continue
            text, _ = shown.text(value, REPR_MAX + 1)
            if len(text) > REPR_MAX:
                text = text[:REPR_MAX] + "..."
            now[name] = (id(value), text)
            before = self.before.get(name)
            state = "new" if before is None else "changed" if before != now[name] else "same"
            if changed_only and state == "same":
                continue
            if len(rows) == NAMES_MAX:
                left_out += 1
                continue
            rows.append({"name": name, "type": name_of(type(value)), "kind": kind, "size": shown.size(value),
                         "repr": text, "state": state})
        if changed_only:
            self.before = now
        return rows, left_out

    def add_value(self, answer, value, offset=0, limit=VALUE_MAX):
        text, length = Shown(self.interrupts).text(value, min(offset + limit, 64 * VALUE_MAX), True)
        answer["value"], answer["value_length"] = text[offset:offset + limit], length
        answer["type"] = name_of(type(value))
        try:
            answer["value_json"] = decode(encode(value, VALUE_MAX), 0)[0] if offset == 0 else None
            answer["has_json"] = offset == 0
        except Exception:
            answer["value_json"], answer["has_json"] = None, False

    def find_final(self):
        answer = self.namespace.get("answer")
        if self.final is None and type(answer) is dict and answer.get("ready") is True:
            self.final = answer.get("content")
        return None if self.final is None else self.as_text(self.final)

    def as_text(self, value):
        if type(value) is str:
            return value[:VALUE_MAX]
        return Shown(self.interrupts).text(value, VALUE_MAX, True)[0]

    def flush(self):
        for stream in (sys.stdout, sys.stderr):
            self.interrupts.run(lambda stream: stream.flush(), stream)

    def do_execute(self, order):
        name, answer = order["name"], {}
        self.register(name, order["code"])
        value, error = self.interrupts.run(self.execute_code, order["code"], name)
        answer["shown"] = []
        self.interrupts.run(self.pictures.show, value, name[6:-1], answer["shown"])
        has_exited = is_a(error, SystemExit) and error.code in (None, 0)
        answer["success"] = error is None or has_exited
        self.flush()
        if get_pid() != self.process:
            posix._exit(0 if answer["success"] else 1)
        if not answer["success"]:
            answer["exception"], answer["error"] = self.explain(error, name)
            answer["error_type"] = name_of(type(error))
            if is_a(error, MemoryError):
                self.channel.send(OUT_OF_MEMORY, 0, "")
        if value is not None:
            self.add_value(answer, value)
        error = value = None
        answer["final"] = self.find_final()
        answer["variables"], answer["variables_left_out"] = self.variables(True, False)
        return answer

    def do_set(self, order):
        value = order.get("value")
        if "literal" in order:
            import ast
            value, error = self.interrupts.run(ast.literal_eval, order["literal"].strip())
            if error is not None:
                return {"success": False, "error": "%s: this is no value" % name_of(type(error)),
                        "error_type": name_of(type(error)), "exception": None}
        self.namespace[order["name"]] = value
        return {"success": True}

    def do_get(self, order):
        answer = {"success": True, "found": order["name"] in self.namespace}
        if answer["found"]:
            self.add_value(answer, self.namespace[order["name"]], order.get("offset", 0),
                           min(order.get("limit", VALUE_MAX), VALUE_MAX))
        return answer

    def do_list(self, order):
        rows, left_out = self.variables(False, bool(order.get("all")))
        return {"success": True, "variables": rows, "variables_left_out": left_out}

    def do_end(self, order):
        """What Python does when a program ends. It tells itself what goes wrong."""
        import atexit
        self.interrupts.run(atexit._run_exitfuncs)
        self.flush()
        return {"success": True}

    def do_look(self, order):
        """What is in a variable, or in what is in it: a path of places."""
        shown, answer = Shown(self.interrupts), {"success": True, "found": False}
        value, names = self.namespace.get(order["name"], shown), [order["name"]]
        for place in order.get("path", [])[:DEPTH_MAX]:
            page = None if value is shown else shown.page(value, place, 1)
            if page is None or page[0] == "text" or not page[2]:
                return answer
            key, value = page[2][0]
            is_member = page[0] == "object" and type(key) is str
            names.append("." + key[:KEY_MAX] if is_member else "[%s]" % shown.text(key, KEY_MAX)[0])
        if value is shown:
            return answer
        offset, limit = order.get("offset", 0), min(order.get("limit", ROWS_MAX), ROWS_MAX)
        page = shown.page(value, offset, limit)
        kind, total, found = page if page is not None else ("value", 1, shown.text(value, VALUE_MAX)[0])
        answer.update(found=True, name="".join(names), type=name_of(type(value)), kind=kind, total=max(total, 0),
                      offset=offset, size=shown.size(value))
        if type(found) is str:
            answer["text"] = found
            return answer
        answer["rows"] = [{"key": key[:KEY_MAX] if kind == "object" and type(key) is str else shown.text(key, KEY_MAX)[0],
                           "type": name_of(type(item)), "size": shown.size(item),
                           "repr": shown.text(item, REPR_MAX)[0]} for key, item in found]
        return answer

    # Functions that are answered from outside.

    def declare(self, order):
        name, doc = order["name"], order.get("doc")
        if order.get("source") is not None:
            file = "<cell %s>" % name
            self.register(file, order["source"])
            self.evaluate(compile(order["source"], file, "exec", 0, True))
            return
        if order.get("is_final"):
            make = self.final_variable if name == "FINAL_VAR" else self.final_value
            own = {"call": make}
            source = "def %s(value):\n return call(value)" % name
        else:
            own = {"call": lambda arguments: self.call(name, arguments)}
            source = "def %s(%s):\n return call(locals())" % (name, order.get("parameters") or "")
        tree = compile(source, "<function %s>" % name, "exec", _ast.PyCF_ONLY_AST, True)
        if len(tree.body) != 1 or not isinstance(tree.body[0], _ast.FunctionDef) or len(tree.body[0].body) != 1:
            raise ValueError("the parameters of %s are not a list of parameters" % name)
        own["__builtins__"], own["locals"] = dict(self.builtins), locals_of
        exec(compile(tree, "<function %s>" % name, "exec", 0, True), own)
        function = own[name]
        function.__doc__, function.__module__ = doc, "__main__"
        self.namespace[name] = function

    def do_declare(self, order):
        _, error = self.interrupts.run(self.declare, order)
        if error is None:
            return {"success": True}
        text, last = self.explain(error, order["name"])
        return {"success": False, "exception": text, "error": last, "error_type": name_of(type(error))}

    def final_value(self, value):
        self.final = value
        return value

    def final_variable(self, name):
        self.final = self.namespace[name]
        return self.final

    # From any thread, one after the other. Signals come to the first one only.
    def call(self, name, arguments):
        is_first = _thread.get_ident() == self.thread
        with self.one_call:
            if is_first:
                self.interrupts.allow(False)
            try:
                return self.ask(name, arguments, is_first)
            finally:
                if is_first:
                    self.interrupts.are_allowed = True

    def ask(self, name, arguments, is_first):
        cell = self.number
        if cell == 0 or get_pid() != self.process:
            raise RuntimeError("%s can only be called while a cell runs, and in its own process" % name)
        self.calls += 1
        number, pieces = self.calls, []
        try:
            text = encode({"call": number, "name": name, "arguments": arguments}, ANSWER_MAX)
        except TooLong:
            raise TypeError("the arguments of %s must be JSON, and not too long" % name) from None
        self.channel.send(CALL, cell, text)
        while True:
            kind, rest = self.channel.receive(True) if is_first \
                else self.channel.receive_while(lambda: self.number == cell)
            if kind != REPLY or int.from_bytes(rest[:4], "little") != number:
                continue
            pieces.append(rest[5:])
            if not rest[4]:
                break
        reply = decode(b"".join(pieces).decode("utf-8", "replace"), 0)[0]
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply.get("value")

    # The conversation.

    def obey(self, order):
        return {"execute": self.do_execute, "set": self.do_set, "get": self.do_get, "list": self.do_list,
                "declare": self.do_declare, "look": self.do_look, "end": self.do_end}[order["do"]](order)

    def serve(self, kind, rest):
        if kind == SETUP:
            for order in decode(rest.decode(), 0)[0]:
                self.obey(order)
            return
        if kind != CELL:
            return
        self.number = int.from_bytes(rest[:4], "little")
        self.interrupts.is_pending = False
        self.interrupts.install()
        if self.begin_reports is not None:
            self.begin_reports()
        order = decode(rest[4:].decode(), 0)[0]
        rest = None
        try:
            answer = self.obey(order)
        except BaseException as error:
            answer = {"success": False, "error": "%s: the session could not do this" % name_of(type(error)),
                      "error_type": name_of(type(error)), "exception": None}
        answer["cell"] = self.number
        self.answer(answer)

    def answer(self, answer):
        try:
            text = encode(answer, ANSWER_MAX, False)
        except Exception:
            text = encode({"success": answer.get("success") is True, "cell": self.number,
                           "error": "the answer of the session was too long", "exception": None}, ANSWER_MAX, False)
        number, self.number = self.number, 0
        if get_pid() != self.process:
            posix._exit(0)
        self.channel.send(ANSWER, number, text)


locals_of = locals


def serve(descriptor, namespace, builtins, kind, rest, begin_reports):
    """Runs cells for ever, beginning with this message."""
    interrupts = Interrupts()
    interrupts.install()
    channel = Channel(descriptor, interrupts)
    session = Session(channel, interrupts, namespace, builtins)
    session.begin_reports = begin_reports
    while True:
        session.serve(kind, rest)
        kind, rest = channel.receive()
