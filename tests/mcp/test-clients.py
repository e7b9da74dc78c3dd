# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that others wrote drive `fumehoodctl mcp`: that of the official TypeScript SDK, and the command line of the
Inspector. npm fetches them into the folder that is the argument, the first time."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import Tap, equal, must

HERE = Path(__file__).resolve().parent
FOLDER = Path(sys.argv[1])
# The last version of the Inspector that goes with node 18, which Debian 12 has.
PACKAGES = {"@modelcontextprotocol/sdk": "1.32.2", "@modelcontextprotocol/inspector-cli": "0.16.8"}
CASES = {
    "greeting": "the SDK's client connects and lists tools",
    "runs": "it runs programs, and results are as their schemas say",
    "sessions": "it runs cells, and lists variables",
    "resources": "it reads past runs",
    "looks": "it looks at code",
    "refusals": "what cannot be done",
    "progress": "progress and cancellation",
    "malformed": "lines that are none between its own",
    "closing": "it goes away while a program runs",
}


def is_installed(name, version):
    path = FOLDER / "node_modules" / name / "package.json"
    return path.exists() and json.loads(path.read_text(encoding="utf-8"))["version"] == version


def why_not():
    """None, or why there are no clients."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "node and npm are not installed"
    if all(is_installed(name, version) for name, version in PACKAGES.items()):
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    answer = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
                             "--save-exact", *(f"{name}@{version}" for name, version in PACKAGES.items())],
                            cwd=FOLDER, capture_output=True, text=True, check=False, timeout=900)
    if answer.returncode == 0:
        return None
    return "npm could not fetch them: " + " ".join(answer.stderr.split())[-200:]


def node(environment, *words):
    return subprocess.run(["node", *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          cwd=FOLDER, check=False, timeout=900)


def sdk(environment):
    """What went wrong in each case of the SDK's client, all of which are of one process; and what else was said."""
    # Modules are looked for beside the file.
    script = FOLDER / "sdk.mjs"
    shutil.copy(HERE / "sdk.mjs", script)
    answer = node(environment, str(script), *CASES)
    return dict(map(json.loads, answer.stdout.splitlines())), answer.stderr


def inspect(environment, *words):
    """What the Inspector prints, with the server of a configuration as assistants have it."""
    config = FOLDER / "config.json"
    server = {"command": environment["FH_CTL"], "args": ["mcp", "--timeout", "20"]}
    config.write_text(json.dumps({"mcpServers": {"fumehood": server}}), encoding="utf-8")
    cli = FOLDER / "node_modules" / "@modelcontextprotocol" / "inspector-cli" / "build" / "cli.js"
    answer = node(environment, str(cli), "--cli", "--config", str(config), "--server", "fumehood", *words)
    must(answer.returncode == 0, answer.stdout + answer.stderr)
    return json.loads(answer.stdout)


def inspector(environment):
    tools = inspect(environment, "--method", "tools/list")["tools"]
    must("execute_code_blocks" in {tool["name"] for tool in tools}, str(tools))
    result = inspect(environment, "--method", "tools/call", "--tool-name", "execute_python_code",
                     "--tool-arg", "code=print(6 * 7)", "timeout=5")
    equal((result["isError"], result["structuredContent"]["stdout"]), (False, "42\n"), str(result))


def main():
    tap = Tap()
    reason = why_not()
    with tempfile.TemporaryDirectory(prefix="fh-mcp-") as place:
        environment = {**os.environ, "XDG_STATE_HOME": place, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
        told, errors = ({}, "") if reason else sdk(environment)
        for case, name in CASES.items():
            if reason:
                tap.skip(name, reason)
            else:
                wrong = told.get(case, f"node ended before it: {errors}")
                tap.ok(wrong is None, name, (wrong or "").splitlines())
        if reason:
            tap.skip("the Inspector's command line", reason)
        else:
            tap.case("the Inspector's command line", inspector, environment)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
