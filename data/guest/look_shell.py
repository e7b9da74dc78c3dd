# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the commands of a shell script without running them, and tells those that are worth a look.

Its scanner knows quotes, comments, substitutions and here-documents, so a word in a string or a comment is
not taken for a command. What it does not know, such as patterns of "case", it reads as words.
"""

import re

DEPTH_MAX = 40
WRAPPED_MAX = 8
OPERATOR = re.compile(r"<<[<-]?|&>>|&&|\|\||;;|\|&|>>|&>|>&|<&|>\||<>|[;|&()<>\n]")
PLAIN = re.compile(r"[^\s;|&()<>\\'\"`$]+")
ARITHMETIC = re.compile(r"\(\([^\n]{0,300}?\)\)")
PARAMETERS = re.compile(r"\([ \t]*\)")
ASSIGNMENT = re.compile(r"\w+\+?=")
KEYWORDS = set("if then elif else fi while until do done ! { } time esac coproc".split())
SHELLS = set("sh bash dash zsh ksh ash".split())
INTERPRETERS = SHELLS | set("python python2 python3 perl ruby node php osascript pwsh".split())
# They run the command that follows their options.
WRAPPERS = set("sudo doas env nohup exec command nice ionice builtin xargs timeout setsid stdbuf chroot unshare busybox".split())
NAMES = {
    "opens-connection": "curl wget nc ncat netcat socat ssh scp sftp rsync ftp telnet nmap",
    "gets-rights": "sudo su doas pkexec setcap",
    "overwrites-disk": "mkfs fdisk sfdisk parted wipefs blkdiscard mkswap",
    "deletes-files": "rm rmdir unlink shred",
    "changes-files": "mv chown chgrp truncate",
    "ends-processes": "kill killall pkill shutdown reboot halt poweroff",
    "stays": "crontab at systemctl launchctl",
    "dynamic-code": "eval source .",
    "reads-environment": "printenv",
    "native-code": "insmod modprobe",
}
REASONS = {name: reason for reason, names in NAMES.items() for name in names.split()}
SHOWN = set("rm dd mv chmod git find mkfs tee cp".split())       # with their arguments
DECODERS = set("base64 base32 xxd openssl gunzip zcat uudecode rev".split())
DISK = re.compile(r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk|mapper/|dm-|md|mem\b|kmem)")
SECRET = re.compile(r"(^|[/~=@])(\.ssh/|\.ssh$|\.gnupg|\.aws/|\.netrc|\.git-credentials|\.kube/config|\.docker/config|id_(rsa|ed25519|ecdsa)\b)"
                    r"|/etc/(shadow|sudoers|gshadow)|/proc/(self|\d+)/(environ|mem)|(cookies|logins)\.(sqlite|json)$|Login Data")
STAYS = re.compile(r"(^|/)\.(bashrc|bash_profile|profile|zshrc|zshenv)$|/etc/(cron|profile|rc|init|systemd|ld\.so)|authorized_keys|/autostart/"
                   r"|\.config/systemd/")
EVERYTHING = re.compile(r"(/|~|\$HOME|\$\{HOME\}|/home|/usr|/etc|/var|/root)?/?\*?$")
INSTALL = {"pip": "install", "pipx": "install", "uv": "add install", "conda": "install", "mamba": "install", "poetry": "add",
           "apt": "install", "apt-get": "install", "aptitude": "install", "dnf": "install", "yum": "install", "zypper": "install",
           "apk": "add", "brew": "install", "snap": "install", "gem": "install", "cargo": "install add", "go": "install get",
           "npm": "install i add ci", "pnpm": "install i add", "yarn": "add install", "bun": "add install", "npx": ""}
WITH_VALUE = set("-i --index-url --extra-index-url -t --target -c --constraint -f --find-links --prefix -n --name --channel".split())


class Command:
    def __init__(self, line, words=()):
        self.line = line
        self.words = list(words)
        self.redirects = []     # (operator, target)
        self.inside = []        # the commands of its substitutions
        self.heredocs = []      # (line, text)
        self.fed_by = None      # the command whose output it reads


class Scanner:
    def __init__(self, text, line=1, depth=0):
        self.text = text
        self.at = 0
        self.line = line
        self.depth = depth
        self.found = []
        self.functions = set()
        self.waiting = []       # here-documents whose text begins after this line: (command, delimiter, strips tabs)

    def commands(self):
        while self.at < len(self.text):
            self.read_list(None)
        return self.found

    def read_list(self, end):
        """The commands up to `end`, which is ")" in a substitution."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise RecursionError
        feeder = None
        command = Command(self.line)
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\r\f\v":
                self.at += 1
                continue
            if self.text.startswith("\\\n", self.at):
                self.at += 2
                self.line += 1
                continue
            if char == "#":
                self.at = self.find("\n")
                continue
            operator = OPERATOR.match(self.text, self.at)
            if operator is None:
                self.read_word(command)
                continue
            operator = operator.group()
            if "<" in operator or ">" in operator:
                self.redirect(command, operator)
                continue
            skipped = (PARAMETERS if len(command.words) == 1 else ARITHMETIC).match(self.text, self.at)
            if skipped and (command.words or operator == "("):
                if command.words:
                    self.functions.add(command.words.pop())
                self.at = skipped.end()
                continue
            self.at += len(operator)
            feeder = self.finish(command, feeder, operator)
            if operator == "\n":
                self.line += 1
                self.read_heredocs()
            command = Command(self.line)
            if operator == end:
                break
        self.finish(command, feeder, "")
        self.depth -= 1

    def finish(self, command, feeder, operator):
        """Returns the command whose output the next one reads."""
        first = next((i for i, word in enumerate(command.words) if word not in KEYWORDS and not ASSIGNMENT.match(word)), None)
        command.words = command.words[first:] if first is not None else []
        if command.words or command.redirects:
            self.found.append(command)
            if feeder is not None:
                command.fed_by = feeder
            return command if operator in ("|", "|&") else None
        return feeder if operator == "\n" else None

    def find(self, what, start=None):
        at = self.text.find(what, self.at if start is None else start)
        return len(self.text) if at < 0 else at

    def redirect(self, command, operator):
        if self.text.startswith("(", self.at + len(operator)) and operator in "<>":
            self.at += 2        # a process substitution
            self.substitution(command)
            return
        # "2>file": the number is not a word.
        if command.words and command.words[-1].isdigit() and self.text[self.at - 1].isdigit():
            command.words.pop()
        self.at += len(operator)
        while self.text[self.at:self.at + 1] in (" ", "\t"):
            self.at += 1
        words = Command(self.line)
        if self.at < len(self.text) and self.text[self.at] not in "\n;|&()<>":
            self.read_word(words)
        target = words.words[0] if words.words else ""
        command.inside += words.inside
        if operator in ("<<", "<<-"):
            self.waiting.append((command, target, operator == "<<-"))
        elif operator == "<<<":
            command.heredocs.append((self.line, target))
        else:
            command.redirects.append((operator, target))

    def read_heredocs(self):
        for command, delimiter, strips in self.waiting:
            start, first = self.at, self.line
            body = []
            while self.at < len(self.text):
                end = self.find("\n")
                line = self.text[self.at:end]
                self.at = end + 1
                self.line += 1
                if (line.lstrip("\t") if strips else line) == delimiter:
                    break
                body.append(line)
            if start < len(self.text):
                command.heredocs.append((first, "\n".join(body)))
        self.waiting = []

    def read_word(self, command):
        parts = []
        while self.at < len(self.text):
            char = self.text[self.at]
            plain = PLAIN.match(self.text, self.at)
            if plain:
                parts.append(plain.group())
                self.at = plain.end()
            elif char == "\\":
                following = self.text[self.at + 1:self.at + 2]
                self.line += following == "\n"
                parts.append("" if following == "\n" else following)
                self.at += 2
            elif char == "'":
                end = self.find("'", self.at + 1)
                parts.append(self.text[self.at + 1:end])
                self.line += parts[-1].count("\n")
                self.at = end + 1
            elif char == '"':
                self.at += 1
                self.read_quoted(command, parts, '"')
            elif char in "$`":
                self.expansion(command, parts)
            else:
                break
        command.words.append("".join(parts))

    def read_quoted(self, command, parts, end):
        """Up to the closing quote, or the brace of "${"."""
        while self.at < len(self.text) and self.text[self.at] != end:
            char = self.text[self.at]
            if char in "$`":
                self.expansion(command, parts)
                continue
            if char == "\\":
                self.at += 1
                char = self.text[self.at:self.at + 1]
            self.line += char == "\n"
            parts.append(char)
            self.at += 1
        self.at += 1

    def expansion(self, command, parts):
        if self.text[self.at] == "`":
            end = self.find("`", self.at + 1)
            inner = Scanner(self.text[self.at + 1:end], self.line, self.depth + 1)
            command.inside += inner.commands()
            self.found += inner.found
            self.line += self.text.count("\n", self.at, end)
            self.at = end + 1
            parts.append("$()")
            return
        following = self.text[self.at + 1:self.at + 2]
        arithmetic = ARITHMETIC.match(self.text, self.at + 1)
        if arithmetic:
            parts.append("$")
            self.at = arithmetic.end()
        elif following == "(":
            self.at += 2
            self.substitution(command)
            parts.append("$()")
        elif following == "{":
            self.at += 2
            self.depth += 1
            if self.depth > DEPTH_MAX:
                raise RecursionError
            parts.append("${")
            self.read_quoted(command, parts, "}")
            parts.append("}")
            self.depth -= 1
        elif following == "'":
            end = self.at + 2
            while end < len(self.text) and self.text[end] != "'":
                end += 2 if self.text[end] == "\\" else 1
            parts.append(unescape(self.text[self.at + 2:end]))
            self.line += self.text.count("\n", self.at, end)
            self.at = end + 1
        else:
            parts.append("$")
            self.at += 1

    def substitution(self, command):
        before = len(self.found)
        self.read_list(")")
        command.inside += self.found[before:]


def unescape(text):
    """$'\\x72m' is rm."""
    try:
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except ValueError:
        return text


class ShellLook:
    """`tell (kind, reason, line, name)` is called for what is found; `python (text, line)` for Python within."""

    def __init__(self, tell, python, depth=0):
        self.tell = tell
        self.python = python
        self.depth = depth

    def look(self, text, line=1):
        if self.depth > 5:
            raise RecursionError
        scanner = Scanner(text, line)
        for command in scanner.commands():
            self.command(command)
            name = command.words[0] if command.words else ""
            if name in scanner.functions and command.fed_by is not None and command.fed_by.words[:1] == [name]:
                self.tell("call", "fork-bomb", command.line, name)

    def deeper(self, text, line):
        ShellLook(self.tell, self.python, self.depth + 1).look(text, line)

    def command(self, command):
        words = command.words
        for _ in range(WRAPPED_MAX):
            if not words:
                break
            name = base_name(words[0])
            self.named(command, name, words)
            if name not in WRAPPERS:
                break
            first = next((i for i, word in enumerate(words) if i > 0 and not word.startswith("-") and not ASSIGNMENT.match(word)
                          and not word[:1].isdigit()), len(words))
            words = words[first:]
        for operator, target in command.redirects:
            self.target(command, operator, target)
        for word in command.words:
            if SECRET.search(word):
                self.tell("call", "names-secret", command.line, word)

    def target(self, command, operator, target):
        if re.match(r"/dev/(tcp|udp)/", target):
            self.tell("call", "opens-connection", command.line, target)
        elif ">" in operator and DISK.match(target):
            self.tell("call", "overwrites-disk", command.line, operator + " " + target)
        elif ">" in operator and STAYS.search(target):
            self.tell("call", "stays", command.line, operator + " " + target)
        elif SECRET.search(target):
            self.tell("call", "names-secret", command.line, target)

    def named(self, command, name, words):
        arguments = words[1:]
        for package in find_packages(words):
            self.tell("package", "installs", command.line, package)
        reason = REASONS.get(name) or REASONS.get(name.split(".")[0]) or self.special(name, arguments)
        if name == "rm":
            reason = look_at_rm(arguments)
        elif name == "mv" and "/dev/null" in arguments:
            reason = "loses-file"
        elif name == "systemctl" and "enable" not in arguments:
            reason = None
        if reason:
            shown = arguments[:4] if name in SHOWN else []
            self.tell("call", reason, command.line, " ".join([name, *shown]))
        if name in INTERPRETERS or name in ("eval", "source", "."):
            self.interpreter(command, name, arguments)

    def special(self, name, arguments):
        if name == "dd":
            return "overwrites-disk" if any(DISK.match(word[3:]) for word in arguments if word.startswith("of=")) else "writes-raw"
        if name in ("tee", "cp") and any(DISK.match(word) for word in arguments):
            return "overwrites-disk"
        if name == "chmod" and any(re.fullmatch(r"[ugoa]*\+[rwxXt]*s[rwxXst]*|0?[4-7]\d{3}", word) for word in arguments):
            return "gets-rights"
        if name == "chmod" and any(re.fullmatch(r"0?777|a\+rwx|-\w*R\w*", word) for word in arguments):
            return "changes-files"
        if name == "git" and set(arguments[:3]) & {"clone", "pull", "fetch", "push"}:
            return "opens-connection"
        if name == "find" and "-delete" in arguments:
            return "deletes-files"
        if name == "env" and not arguments:
            return "reads-environment"
        return None

    def interpreter(self, command, name, arguments):
        """What it runs: its argument, what is piped to it, or its here-document."""
        code = next((arguments[i + 1] for i, word in enumerate(arguments[:-1]) if re.fullmatch(r"-\w*[ce]", word)), None)
        sources = list(command.inside)
        reads_input = code is None and (set(arguments) & {"-", "-s"} or all(word.startswith("-") for word in arguments))
        fed_by = command.fed_by if reads_input else None
        for _ in range(WRAPPED_MAX):
            if fed_by is not None:
                sources.append(fed_by)
                fed_by = fed_by.fed_by
        names = {base_name(one.words[0]) for one in sources if one.words}
        if names & {"curl", "wget", "fetch"}:
            self.tell("call", "downloaded-code", command.line, name)
        if names & DECODERS:
            self.tell("sign", "decoded-code", command.line, name)
        for line, text in [(command.line, code)] if code else command.heredocs if reads_input else []:
            if name in SHELLS:
                self.deeper(text, line)
            elif name.startswith("python"):
                self.python(text, line)


def base_name(word):
    return word.rsplit("/", 1)[-1]


def look_at_rm(arguments):
    flags = "".join(word for word in arguments if word.startswith("-"))
    if not re.search(r"r|R", flags):
        return "deletes-files"
    targets = [word for word in arguments if not word.startswith("-")]
    return "deletes-everything" if any(EVERYTHING.fullmatch(word) and word for word in targets) else "deletes-folders"


def find_packages(words):
    """What the command would install: "requests==2.0", "-r requirements.txt", or "" for all that a project needs."""
    name = re.sub(r"(?<=pip)[\d.]+$", "", base_name(words[0]))
    rest = words[1:]
    if "-m" in rest[:3] and (name in ("?", "$") or name.startswith("python")):
        rest = rest[rest.index("-m") + 1:]
        name, rest = (rest[0], rest[1:]) if rest else ("", [])
    found = []
    waits = None
    for word in rest:
        if waits is not None:
            found += [f"{waits} {word}"] if waits in ("-r", "--requirement") else []
            waits = None
        elif word in WITH_VALUE or word in ("-r", "--requirement"):
            waits = word
        elif not word.startswith("-"):
            found.append(word)
    if name == "uv" and found[:1] == ["pip"]:
        found.pop(0)
    if name == "npx":
        return found[:1]
    if name not in INSTALL or not found or found[0] not in INSTALL[name].split():
        return []
    return found[1:] or [name]
