# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of a sample whose program runs in another sandbox, and says how they ended.

Loaded by session.py into its namespace. The functions that tests call are stand-ins, which ask the program's sandbox. An
answer is made of the built-in types alone, and compared here, where the program cannot be. Tests that need more of the
program than its answers cannot be run like this; that is told, and is no verdict.
"""

import ast
import builtins
import marshal
import operator

DEPTH_MAX = 60
SIMPLE = {int, float, complex, bool, str, bytes, type(None)}
WORDS_MAX = 200

# Tests that name one of these look at more than answers, or change what the program uses.
NAMES = {"open", "input", "exec", "eval", "compile", "globals", "vars", "setattr", "delattr", "__import__", "patch", "mock", "Mock",
         "MagicMock", "redirect_stdout", "redirect_stderr", "capsys", "monkeypatch", "StringIO"}
MEMBERS = {"stdout", "stderr", "stdin", "argv", "modules", "settrace", "setrecursionlimit", "seed", "__code__", "__doc__", "__name__"}
MODULES = {"os", "io", "inspect", "subprocess", "pathlib", "tempfile", "shutil", "builtins", "importlib", "contextlib", "mock", "signal",
           "gc", "ctypes", "threading", "multiprocessing", "asyncio", "warnings", "logging", "unittest.mock"}


# So many calls are sent together at most: fumehoodctl keeps their answers, of up to 1 MiB each, until the tests ask for them.
AHEAD_MAX = 32
AHEAD_SIZE_MAX = 1 << 16    # characters of their arguments
OPERATORS = {ast.USub: operator.neg, ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
SEQUENCES = {ast.List: list, ast.Tuple: tuple}    # sets that are equal can differ in their order
PLAIN = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)
CHOICES = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await,
           ast.Yield, ast.YieldFrom)


class CannotSplit(BaseException):
    """The tests need more of the program than its answers."""


class OutOfTurn(BaseException):
    """The tests make other calls than those that were made for them."""


class Gone(BaseException):
    """The program has ended before it has answered."""


class Unreadable(Exception):
    """An answer that the program cannot have given by its own code alone."""


def read(value, depth=0):
    """The value of an answer: of exactly the built-in types."""
    if depth > DEPTH_MAX:
        raise ValueError
    if type(value) is list:
        return [read(item, depth + 1) for item in value]
    if type(value) is not dict:
        return value
    if "$" not in value:
        return {key: read(item, depth + 1) for key, item in value.items()}
    name, of = value["$"], read(value["of"], depth + 1)
    if name in READERS:
        return READERS[name](of)
    return {"bytearray": bytearray.fromhex, "range": lambda parts: range(*parts), "iterator": iter,
            "keys": lambda keys: dict.fromkeys(keys).keys(), "items": lambda pairs: dict(pairs).items(),
            "values": lambda values: dict(enumerate(values)).values()}[name](of)


def error_of(name, base, arguments):
    """The exception that the program has raised, as far as its name and arguments tell."""
    kind = getattr(builtins, base, None)
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        kind = Exception
    if name != base:
        module, _, last = name.rpartition(".")
        kind = type(last, (kind,), {"__module__": module or "__main__"})
    return kind(*arguments)


class Function:
    """Stands for a function of the program."""

    def __init__(self, ask, name):
        object.__setattr__(self, "own", (ask, name))

    def __call__(self, *arguments, **names):
        ask, name = object.__getattribute__(self, "own")
        return ask(name, arguments, names)

    def __getattr__(self, name):
        raise CannotSplit("they ask for “%s” of a function" % name)


class Asking:
    """The calls of one sample's tests. Those ahead have been made for them, and have to be theirs."""

    def __init__(self, session):
        self.session = session
        self.ahead, self.answers = [], []
        self.odd = []
        self.why = None
        self.is_gone = self.is_out_of_turn = False

    def cannot(self, why):
        self.why = self.why or why
        raise CannotSplit(why)

    def send(self, name, arguments):
        """Returns the answers that have come: at least one."""
        try:
            return self.session.call({"name": name, "is_tagged": True}, arguments)
        except TypeError:
            self.cannot("an argument cannot be sent to another sandbox")
        except RuntimeError as error:
            if str(error) == "gone":
                self.is_gone = True
                raise Gone from None
            self.cannot(str(error))

    def start(self, ahead):
        if ahead.calls:
            self.ahead = list(ahead.keys)
            self.answers = self.send("calls ahead", ahead.calls)

    def answer_to(self, name, arguments, names):
        if not self.ahead:
            return self.send(name, [list(arguments), names])[0]
        if self.ahead[0] != key_of(name, arguments, names):
            self.is_out_of_turn = True
            raise OutOfTurn
        if not self.answers:
            self.answers = self.send("more answers", [])
        self.ahead.pop(0)
        return self.answers.pop(0)

    def ask(self, name, arguments, names):
        text = self.answer_to(name, arguments, names)
        try:
            answer = decode(text, 0)[0]
            self.odd += [str(name)[:WORDS_MAX] for name in answer.get("odd", ())[:10]]
            why = str(answer["cannot"])[:WORDS_MAX] if "cannot" in answer else None
            raised = read(answer["raised"]) if "raised" in answer else None
            value = None if raised or why else read(answer["value"])
            changed = [(place, read(after)) for place, after in answer.get("changed", ())]
            if raised is not None:
                raised = error_of(*raised)
        except Exception:
            raise Unreadable("the program's answer cannot be read") from None
        if why is not None:
            self.cannot("the answer of a call is or has %s" % why)
        for place, after in changed:
            self.change(arguments[place], after)
        if raised is not None:
            raise raised
        return value

    def change(self, argument, after):
        """What the call has done to its argument. Others may have what is in it, and only the program knows what became of that."""
        items = argument.values() if type(argument) is dict else argument
        if type(argument) is not type(after) or type(argument) not in (list, dict, set, bytearray) \
                or any(type(item) not in SIMPLE for item in items):
            self.cannot("a call changes what is in an argument")
        if type(argument) in (list, bytearray):
            argument[:] = after
        else:
            argument.clear()
            argument.update(after)


class Names(ast.NodeVisitor):
    """What the tests define, what they use, and in which way."""

    def __init__(self):
        self.bound, self.called, self.used, self.stored, self.why = set(), set(), set(), set(), None

    def note(self, why):
        self.why = self.why or why

    def visit_Constant(self, node):
        pass

    def visit_Name(self, node):
        (self.used if isinstance(node.ctx, ast.Load) else self.stored).add(node.id)
        if node.id in NAMES:
            self.note("they use “%s”" % node.id)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id not in NAMES:
            self.called.add(node.func.id)
        else:
            self.visit(node.func)
        for child in (*node.args, *node.keywords):
            self.visit(child)

    def visit_Attribute(self, node):
        if node.attr in MEMBERS:
            self.note("they use “%s”" % node.attr)
        if not isinstance(node.ctx, ast.Load):
            self.note("they change “%s” of something" % node.attr)
        self.generic_visit(node)

    def visit_arg(self, node):
        self.bound.add(node.arg)

    def define(self, node):
        self.bound.add(node.name)
        self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = define

    def visit_ExceptHandler(self, node):
        self.bound.add(node.name)
        self.generic_visit(node)

    def take_imports(self, node, module):
        for name in node.names:
            if name.name == "*" or (module or name.name) in MODULES or name.name.split(".")[0] in MODULES:
                self.note("they import “%s”" % (module or name.name))
            self.bound.add(name.asname or name.name.split(".")[0])

    def visit_Import(self, node):
        self.take_imports(node, None)

    def visit_ImportFrom(self, node):
        self.take_imports(node, node.module or ".")


def key_of(name, arguments, names):
    """The same for two calls only if their arguments are the same and of the same types."""
    try:
        return name, marshal.dumps((tuple(arguments), names), 2)
    except ValueError:
        return None


class Enough(Exception):
    """What comes now depends on answers, or is not plain to see."""


class Ahead:
    """The calls that tests make whatever is answered, in their order: those of constants, in statements one after the other.

    A guess: the tests run all the same, and what they call is compared with it.
    """

    def __init__(self, tree, functions, imports):
        self.keys, self.calls, self.size = [], [], 0
        self.defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        try:
            if imports:
                self.add("", [imports], {})
            self.read_all(tree.body, dict(zip(functions, functions)))
        except (Enough, RecursionError):
            pass

    def read_all(self, statements, functions):
        for statement in statements:
            if isinstance(statement, ast.Assert):
                self.read(statement.test, functions)
            elif isinstance(statement, (ast.Expr, ast.Assign)):
                self.read_body_of(statement.value, functions) or self.read(statement.value, functions)
            elif not isinstance(statement, PLAIN):
                raise Enough

    def read_body_of(self, node, functions):
        """Whether it gives functions of the program to one of the tests, such as "check(candidate)"."""
        function = self.defined.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        if function is None or not node.args or not all(isinstance(arg, ast.Name) and arg.id in functions for arg in node.args):
            return False
        names = [arg.arg for arg in function.args.args]
        self.read_all(function.body, {**functions, **dict(zip(names, (functions[arg.id] for arg in node.args)))})
        return True

    def read(self, node, functions):
        """Looks for calls in an expression, in the order in which they are made."""
        if type(node) in (ast.Constant, ast.Name):
            return
        if isinstance(node, CHOICES):
            if any(isinstance(part, ast.Name) and part.id in functions for part in ast.walk(node)):
                raise Enough
            return
        for child in ast.iter_child_nodes(node):
            self.read(child, functions)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
            try:
                arguments, names = [value_of(arg) for arg in node.args], {word.arg: value_of(word.value) for word in node.keywords}
            except Exception:
                raise Enough from None
            self.add(functions[node.func.id], arguments, names)

    def add(self, name, arguments, names):
        key = key_of(name, arguments, names)
        try:
            text = encode([arguments, names], AHEAD_SIZE_MAX - self.size, True, True)
        except TooLong:
            raise Enough from None
        if key is None or len(self.calls) == AHEAD_MAX or None in names:
            raise Enough
        self.size += len(text)
        self.keys.append(key)
        self.calls.append([name, text])


def value_of(node):
    kind = type(node)
    if kind is ast.Constant:
        return node.value
    if kind in SEQUENCES:
        return SEQUENCES[kind](map(value_of, node.elts))
    if kind is ast.Dict:
        return dict(zip(map(value_of, node.keys), map(value_of, node.values)))
    if kind is ast.UnaryOp:
        return OPERATORS[type(node.op)](value_of(node.operand))
    if kind is ast.BinOp:
        return OPERATORS[type(node.op)](value_of(node.left), value_of(node.right))
    raise Enough


def begin_of(text):
    """The beginning of a program as code. It may end within a function."""
    for rest in ("", "\n    pass\n"):
        try:
            return compile(text + rest, "<problem>", "exec", dont_inherit=True)
        except SyntaxError:
            continue
    raise CannotSplit("the problem's own text is not a program")


class Prepared:
    """The tests of a problem as code: the same for all of its samples."""

    def __init__(self, order):
        self.texts = order["problem"], order["tests"], order.get("entry")
        try:
            tree = ast.parse(order["tests"], "<tests>")
        except (SyntaxError, ValueError):
            raise CannotSplit("they are not a program") from None
        self.names = Names()
        self.names.visit(tree)
        self.problem = begin_of(order["problem"])
        self.code = compile(tree, "<tests>", "exec", dont_inherit=True)
        self.tree, self.ahead = tree, None
        imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.imports = "\n".join(ast.get_source_segment(order["tests"], node) for node in imports)

    def begin(self, asking, is_in_turn):
        """The namespace of one sample's tests: with the problem's own text, and what stands for the program's functions."""
        namespace = {"__name__": "__main__", "__builtins__": dict(vars(builtins))}
        names = self.names
        exec(self.problem, namespace)
        entry = {self.texts[2]} - {None}
        free = (names.called | names.used) - names.bound - set(namespace) - set(vars(builtins)) - entry
        # A name that is called and gets a value may stand for a function of the program before that.
        for name in sorted(free & names.stored & names.called):
            names.note("they give “%s” a value" % name)
        free -= names.stored
        for name in sorted(free & names.used):
            names.note("they use “%s” of the program" % name)
        if names.why is not None:
            raise CannotSplit(names.why)
        for name in free | entry:
            namespace[name] = Function(asking.ask, name)
        if not is_in_turn:
            asking.start(self.find_ahead(free | entry))
        # The program may use what they import.
        if self.imports:
            asking.ask("", [self.imports], {})
        return namespace

    def find_ahead(self, functions):
        if self.ahead is None:
            self.ahead = Ahead(self.tree, functions, self.imports)
        return self.ahead


prepared = None             # that of the last sample


def prepare(order):
    global prepared
    if prepared is None or prepared.texts != (order["problem"], order["tests"], order.get("entry")):
        prepared = Prepared(order)
    return prepared


def explained(session, order, error):
    session.register("<tests>", order["tests"])
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != "<tests>":
        trace = trace.tb_next
    end = trace
    while end is not None and end.tb_next is not None:
        if end.tb_next.tb_frame.f_code.co_filename not in ("<tests>", "<problem>"):
            end.tb_next = None
        end = end.tb_next
    error.__traceback__ = trace
    return tell(type(error), error, trace)


def readable(value):
    """Returns texts that JSON has as they are: a program's words may have NUL in them, or half of a character."""
    if type(value) is list:
        return [readable(text) for text in value]
    return value.replace("\0", "\u2400").encode("utf-8", "replace").decode() if type(value) is str else value


def run_tests(session, order):
    asking = Asking(session)
    answer = {"verdict": "passed"}
    try:
        tests = prepare(order)
        exec(tests.code, tests.begin(asking, "is_in_turn" in order))
        asking.is_out_of_turn = asking.is_out_of_turn or bool(asking.ahead)
    except CannotSplit as why:
        asking.why = asking.why or str(why)
    except (Gone, OutOfTurn):
        pass
    except BaseException as error:
        answer["verdict"] = "failed"
        answer["exception"], answer["error"] = explained(session, order, error)
    if asking.is_out_of_turn:
        answer = {"verdict": "again"}
    elif asking.is_gone:
        answer = {"verdict": "gone"}
    elif asking.why is not None:
        answer = {"verdict": "shared", "why": asking.why}
    if asking.odd:
        answer["odd"] = sorted(set(asking.odd))[:10]
    if asking.ahead:
        answer["has_unread"] = True
    return {name: readable(value) for name, value in answer.items()}
