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

# Numbers of wire-guest.h.
CELL, SETUP, REPLY = 5, 6, 7
OUT_OF_MEMORY, CALL, ANSWER = 16, 19, 20
OUR_FILES = (CHANNEL_FILE, __file__)
ANSWER_MAX = 4 << 20

REPR_MAX = 500          # of a variable's
NAMES_MAX = 200         # variables in one answer
SOURCES_MAX = 1000      # cells whose lines are kept for tracebacks
COROUTINE = 0x80        # CO_COROUTINE, inspect
PARSE = _ast.PyCF_ONLY_AST | _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
RUN = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

get_pid = posix.getpid


def is_ours(file):
    return file in OUR_FILES or file[:10] == "<function "


class Session:
    def __init__(self, channel, interrupts, namespace, file_system):
        self.channel = channel
        self.interrupts = interrupts
        self.namespace = namespace
        self.builtins = file_system
        self.process = get_pid()
        self.number = 0
        self.calls = 0
        self.one_call, self.caller = _thread.allocate_lock(), None
        self.shown = []
        self.final = self.loop = self.begin_reports = None
        self.before = {}
        self.sources = []
        self.pictures = Pictures(interrupts)
        self.ours = set(namespace)
        self.builtins["display"] = lambda *values, **_: [self.display(value) for value in values] and None

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

    # The other files are only loaded if they are needed.
    def load(self, name, function):
        if function not in globals():
            path = __file__.rpartition("/")[0] + "/" + name
            exec(code_of(path), globals())
        return globals()[function]

    def parse(self, code, name):
        try:
            return compile(code, name, "exec", PARSE, True)
        except SyntaxError as error:
            original = error
        try:
            found = self.load("notebook.py", "read_as_notebook")(code, lambda text: compile(text, name, "exec", PARSE, True))
        except SyntaxError as error:
            error.filename, original, found = name, error, None
        except OSError:     # such as that the program has used up all descriptors
            found = None
        if found is None:
            raise original
        tree, self.notebook_lines, self.left_out_lines = found
        self.builtins["_notebook"] = self.load("notebook.py", "Notebook")(self.namespace)
        return tree

    # With `tells_assigned`, the value is also that of a variable which the last statement sets.
    def execute_code(self, code, name, tells_assigned):
        tree = self.parse(code, name)
        last, variable = None, None
        if tree.body and isinstance(tree.body[-1], _ast.Expr):
            last = _ast.Expression(tree.body.pop().value)
        elif tree.body and tells_assigned:
            variable = assigned_by(tree.body[-1])
        if tree.body:
            self.evaluate(compile(tree, name, "exec", RUN, True))
        if last is None:
            return self.namespace.get(variable)
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
            if kind == "function":
                rows[-1]["signature"], rows[-1]["doc"] = shown.guarded(describe, value, (None, None))
        if changed_only:
            self.before = now
        return rows, left_out

    def add_value(self, answer, value, offset=0, limit=VALUE_MAX):
        text, length = Shown(self.interrupts).text(value, min(offset + limit, 64 * VALUE_MAX), True)
        answer["value"], answer["value_length"] = text[offset:offset + limit], length
        answer["type"] = name_of(type(value))
        answer["value_json"], answer["has_json"] = None, False
        if offset:
            return
        plain = None
        for member, is_tagged in (("value_json", False), ("value_tagged", True)):
            try:
                text = encode(value, VALUE_MAX, True, is_tagged)
                if text != plain:
                    answer[member], answer["has_json"] = decode(text, 0)[0], True
                plain = text
            except Exception:
                pass

    def display(self, value):
        """As IPython's: what its value would be if the cell ended here, and files as that has."""
        sys.stdout.write(repr(value) + "\n")
        self.pictures.display(value, self.cell, self.shown)

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
        name, answer = order["name"], {"shown": []}
        self.register(name, order["code"])
        self.shown, self.cell = answer["shown"], name[6:-1]
        self.notebook_lines, self.left_out_lines = (), ()
        value, error = self.interrupts.run(self.execute_code, order["code"], name, order.get("is_assigned_told", False))
        self.interrupts.run(self.pictures.show, value, self.cell, answer["shown"])
        has_exited = type(error) is Ended or is_a(error, SystemExit) and error.code in (None, 0)
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
        answer["notebook_lines"], answer["left_out_lines"] = list(self.notebook_lines), list(self.left_out_lines)
        answer["final"] = self.find_final()
        answer["variables"], answer["variables_left_out"] = self.variables(True, False)
        return answer

    def do_set(self, order):
        value = order.get("value")
        if order.get("is_tagged"):
            value = untagged(value)
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

    def do_test(self, order):
        """Tests of samples, whose programs run elsewhere: one after the other, as long as there are any."""
        run_tests = self.load("tests.py", "run_tests")
        verdict = None
        while True:
            sample = self.call({"name": "next sample", "is_tagged": True}, [verdict])
            if sample is None:
                return {"success": True}
            verdict = run_tests(self, sample)

    def do_end(self, order):
        """What Python does when a program ends. It tells itself what goes wrong."""
        import atexit
        self.interrupts.run(atexit._run_exitfuncs)
        self.flush()
        return {"success": True}

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
            own = {"call": lambda arguments: self.call(order, arguments)}
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
    def call(self, order, arguments):
        name = order["name"]
        if self.caller == _thread.get_ident():
            raise RuntimeError("%s cannot be called while a call waits" % name)
        with self.one_call:
            self.interrupts.allow(False)
            self.caller = _thread.get_ident()
            try:
                value = self.ask(order, arguments)
            finally:
                self.caller = None
                if self.interrupts.are_here():
                    self.interrupts.are_allowed = True
        if order.get("ends"):
            raise Ended
        return value

    def ask(self, order, arguments):
        cell, name, is_tagged = self.number, order["name"], order.get("is_tagged", False)
        if cell == 0 or get_pid() != self.process:
            raise RuntimeError("%s can only be called while a cell runs, and in its own process" % name)
        self.calls += 1
        number = self.calls
        try:
            text = encode(arguments, ANSWER_MAX, True, is_tagged)
        except TooLong:
            raise TypeError("the arguments of %s must be JSON%s, and not too long"
                            % (name, " or simple values" if is_tagged else "")) from None
        self.channel.send(CALL, cell, '{"call": %d, "name": %s, "arguments": %s}' % (number, quote(name), text))
        reply = self.reply_to(number, cell)
        while "order" in reply:
            self.interrupts.was_caught = False
            answer = self.answer_text(self.obey(reply["order"]))
            # The program is told of an interruption when it goes on.
            self.interrupts.is_pending = self.interrupts.is_pending or self.interrupts.was_caught
            self.channel.send(CALL, cell, '{"call": %d, "answer": %s}' % (number, answer))
            reply = self.reply_to(number, cell)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return untagged(reply.get("value")) if is_tagged else reply.get("value")

    def reply_to(self, number, cell):
        pieces, has_more = [], True
        while has_more:
            kind, rest = self.channel.receive(True) if self.interrupts.are_here() \
                else self.channel.receive_while(lambda: self.number == cell)
            if kind == REPLY and int.from_bytes(rest[:4], "little") == number:
                pieces.append(rest[5:])
                has_more = rest[4]
        return decode(b"".join(pieces).decode("utf-8", "replace"), 0)[0]

    # The conversation.

    def obey(self, order):
        try:
            return {"execute": self.do_execute, "set": self.do_set, "get": self.do_get, "list": self.do_list,
                    "declare": self.do_declare, "test": self.do_test, "end": self.do_end}[order["do"]](order)
        except BaseException as error:
            return {"success": False, "error": "%s: the session could not do this" % name_of(type(error)),
                    "error_type": name_of(type(error)), "exception": None}

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
        answer = self.obey(order)
        answer["cell"] = self.number
        text = self.answer_text(answer)
        number, self.number = self.number, 0
        if get_pid() != self.process:
            posix._exit(0)
        self.channel.send(ANSWER, number, text)

    def answer_text(self, answer):
        try:
            return encode(answer, ANSWER_MAX, False)
        except Exception:
            return encode({"success": answer.get("success") is True, "cell": self.number,
                           "error": "the answer of the session was too long", "exception": None}, ANSWER_MAX, False)


class Ended(BaseException):
    """A function whose call ends its cell has returned."""


def assigned_by(statement):
    """The variable that it sets, or None."""
    targets = statement.targets if isinstance(statement, _ast.Assign) else [getattr(statement, "target", None)]
    is_one = isinstance(statement, (_ast.Assign, _ast.AugAssign, _ast.AnnAssign))
    return next((target.id for target in targets if is_one and isinstance(target, _ast.Name)), None)


def describe(function):
    """Its signature, and the first line of its text."""
    try:
        signature = str(__import__("inspect").signature(function))[:REPR_MAX]
    except ValueError:
        signature = None
    doc = function.__doc__
    return signature, doc.strip().partition("\n")[0][:REPR_MAX] if type(doc) is str else None


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
