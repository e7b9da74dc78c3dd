# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of `fumehoodctl mcp`: every result of a tool is held against the schema that the server gave for it."""

import json
import os
import select
import subprocess
import sys
import tempfile
import time

import jsonschema
from tap import PATIENCE, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-mcp-")
VERSION = "2025-06-18"


class Client:
    def __init__(self, *words, version=VERSION, status=0, messages=b"", environment=None, **variables):
        own = {**os.environ, "XDG_STATE_HOME": PLACE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
        environment = {**(environment or own), **variables}
        self.process = subprocess.Popen([CTL, "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.status, self.messages = status, messages
        self.received = b""
        self.heard = []     # what came while something else was waited for
        self.number = 0
        self.schemas = {}
        if version:
            self.hello = self.ask("initialize", protocolVersion=version, capabilities={},
                                  clientInfo={"name": "test", "version": "1"})["result"]
            equal(self.hello["protocolVersion"], version, "version")
            self.say({"method": "notifications/initialized"})
            self.schemas = {tool["name"]: tool.get("outputSchema") for tool in self.ask("tools/list")["result"]["tools"]}

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        if kind is None:
            equal((status, self.process.stderr.read()), (self.status, self.messages), "exit status and messages")

    def line(self, data):
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def say(self, message):
        self.line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def hear(self, wanted=lambda message: True, timeout=PATIENCE):
        """The first message that is wanted; the others wait in `heard`."""
        for number, message in enumerate(self.heard):
            if wanted(message):
                return self.heard.pop(number)
        end = time.monotonic() + timeout
        while True:
            while b"\n" not in self.received:
                ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
                piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
                must(piece, f"nothing more came after {self.heard[-3:]!r} {self.received[-300:]!r}")
                self.received += piece
            line, _, self.received = self.received.partition(b"\n")
            message = json.loads(line)
            for part in message if isinstance(message, list) else [message]:
                equal(part["jsonrpc"], "2.0", "jsonrpc")
            if wanted(message):
                return message
            self.heard.append(message)

    def answer(self, number):
        return self.hear(lambda message: isinstance(message, dict) and "method" not in message and message["id"] == number)

    def request(self, method, **params):
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        return self.number

    def ask(self, method, **params):
        return self.answer(self.request(method, **params))

    def begin(self, tool, token=None, **arguments):
        meta = {"_meta": {"progressToken": token}} if token is not None else {}
        return self.request("tools/call", name=tool, arguments=arguments, **meta)

    def progress(self, token, wanted=lambda params: True):
        return self.hear(lambda message: isinstance(message, dict) and message.get("method") == "notifications/progress"
                         and message["params"]["progressToken"] == token and wanted(message["params"]))["params"]

    def cancel(self, number):
        self.say({"method": "notifications/cancelled", "params": {"requestId": number, "reason": "a test"}})

    def ended(self, number, tool):
        result = self.answer(number)["result"]
        equal([block["type"] for block in result["content"]], ["text"], "content")
        if self.schemas[tool] and "structuredContent" in result:
            jsonschema.Draft202012Validator(self.schemas[tool]).validate(result["structuredContent"])
        must(result["isError"] or not self.schemas[tool] or "structuredContent" in result, str(result))
        return result

    def call(self, tool, **arguments):
        return self.ended(self.begin(tool, **arguments), tool)

    def run(self, tool, **arguments):
        """The object about a run that was possible."""
        result = self.call(tool, **arguments)
        must(not result["isError"], str(result))
        return result["structuredContent"]

    def refused(self, tool, **arguments):
        """The message of an error of the protocol."""
        answer = self.answer(self.begin(tool, **arguments))
        equal(answer["error"]["code"], -32602, str(answer))
        return answer["error"]["message"]


if __name__ == "__main__":
    sys.exit("mcp_client.py is a module of the tests")
