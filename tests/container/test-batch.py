# SPDX-License-Identifier: GPL-3.0-or-later
"""The image of data/cluster, built from its Containerfile, and the parts of a batch in it as the Job there runs them.
It is no sandbox: Fumehood makes its own in it, or runs with weaker guards where it may not.

The suite container puts the programs into it that are built already, container-long compiles them as the Containerfile
says."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import containers
import manifest
from containers import call
from tap import Skip, equal, must

ROOT = Path(os.environ["FH_SOURCE_ROOT"])
IMAGE = "fumehood-batch:latest"
BASE = "build:latest"
SAMPLES = [{"id": f"n{number}", "task_id": f"t{number % 4}", "source": f"assert {number} % 3"} for number in range(24)]
# The security context of the Job in the engine's words; it has no user namespace to give.
CONTEXT = ("--security-opt=seccomp=unconfined", "--security-opt=systempaths=unconfined",
           "--security-opt=no-new-privileges", "--cap-drop=ALL", "--read-only", "--user=65532:65532", "--tmpfs=/tmp")
PLACE = tempfile.TemporaryDirectory(prefix="fh-container-batch-")


def compiled():
    """Names what a clone has, and the base with all that compiling takes. A build in the clone is large."""
    subprocess.run([sys.executable, ROOT / "tests" / "container" / "build-images.py", BASE], check=True, timeout=600)
    parts = ["COPYING", "meson.build", "meson_options.txt", "data", "po", "src", "tests"]
    archive = subprocess.Popen(["tar", "--create", f"--directory={ROOT}", *parts], stdout=subprocess.PIPE)
    make_image(BASE, "data/cluster/Containerfile", stdin=archive.stdout)
    archive.stdout.close()
    equal(archive.wait(), 0, "tar")


def programs():
    """Returns where in an image lies what is built already, and the libraries that it takes."""
    ctl = Path(os.environ["FH_CTL"])
    installed = json.loads((ctl.parents[2] / "meson-info" / "intro-installed.json").read_text(encoding="utf-8"))
    prefix = installed[str(ctl)].removesuffix("/bin/fumehoodctl")
    found = {f"/usr{target.removeprefix(prefix)}": source for source, target in installed.items()
             if target.startswith((f"{prefix}/bin/fumehoodctl", f"{prefix}/libexec/", f"{prefix}/share/fumehood/"))}
    listed = subprocess.run(["ldd", ctl], capture_output=True, text=True, check=True).stdout
    return found | {f"/usr{path.removeprefix('/usr')}": path for path in re.findall(r" => (/\S+)", listed)}


def put_together():
    """The Containerfile's first part has nothing to do. The programs that are built know another prefix."""
    text = (ROOT / "data" / "cluster" / "Containerfile").read_text(encoding="utf-8")
    begin, end = text.index("COPY . /source"), text.index("\n\nFROM ${BASE}\n")
    where = "ENV FH_RUNNER=/usr/libexec/fumehood-runner FH_DATA_DIR=/usr/share/fumehood"
    text = f"{text[:begin]}COPY installed /installed{text[end:]}{where}\n".encode()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", dereference=True) as tar:
        entry = tarfile.TarInfo("Containerfile")
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text))
        for target, source in programs().items():
            tar.add(source, f"installed{target}", recursive=False)
    make_image(containers.PYTHON, "Containerfile", stdin=None, input=archive.getvalue(), text=False, errors=None)


def make_image(base, file, **options):
    """Builds as the Containerfile says, but for the packages: there is no network to fetch them by."""
    call("build", "--quiet", "--network=none", f"--build-arg=BASE={base}", "--build-arg=PREPARED=yes", f"--file={file}",
         f"--tag={IMAGE}", "-", timeout=900, env={**os.environ, "DOCKER_BUILDKIT": "0"}, **options)


def build():
    if not os.environ.get("FH_TEST_ENGINE"):
        raise Skip("only an engine of the tests gets images that are built")
    if manifest.why_not():
        raise Skip(manifest.why_not())
    (put_together if containers.IS_SHORT else compiled)()


def place(name):
    """A folder that the image's user may write to, which is not ours."""
    folder = Path(PLACE.name) / name
    if not folder.exists():
        folder.mkdir()
        folder.chmod(0o777)
    return folder


def pod(job, index, results, *context):
    """One of the Job's pods, to its end."""
    if call("image", "inspect", IMAGE, check=False).returncode != 0:
        raise Skip("its image was not built")
    samples = place("samples")
    (samples / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in SAMPLES), encoding="utf-8")
    variables = [f"--env={name}={value}" for name, value in manifest.environment(job, index).items()]
    return call("run", "--rm", "--network=none", *context, *variables, f"--volume={samples}:/samples:ro",
                f"--volume={results}:/results", IMAGE, *manifest.arguments(job, index), timeout=300)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def runs_parts():
    job, results = manifest.load(), place("results")
    count = job["spec"]["completions"]
    for index in range(count):
        told = pod(job, index, results, *CONTEXT).stderr
        must(f"part {index + 1} of {count}" in told, told)
    parts = [lines_of(results / f"part-{index}.jsonl") for index in range(count)]
    equal({result["tier"] for part in parts for result in part}, {"A"}, "tiers")
    equal(sorted(result["id"] for part in parts for result in part), sorted(sample["id"] for sample in SAMPLES), "samples")
    merged = results / "all.jsonl"
    answer = subprocess.run([os.environ["FH_CTL"], "batch", "merge", "--score", "--output", merged,
                             *results.glob("part-*.jsonl")], capture_output=True, text=True, timeout=60, check=False)
    equal((answer.returncode, len(lines_of(merged))), (0, len(SAMPLES)), answer.stderr)


def goes_on():
    """A pod of the same index finds the results of the one before it."""
    job, results = manifest.load(), place("results")
    before = (results / "part-1.jsonl").read_bytes()
    pod(job, 1, results, *CONTEXT)
    equal((results / "part-1.jsonl").read_bytes(), before, "results")


def needs_no_permission():
    """With the engine's own filter it gets no namespaces."""
    job, results = manifest.load(), place("other-results")
    pod(job, 0, results, "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges")
    equal({result["tier"] for result in lines_of(results / "part-0.jsonl")}, {"B"}, "tiers")


if __name__ == "__main__":
    try:
        containers.main({
            "the image is built": build,
            "the parts of a Job": runs_parts,
            "a part that is begun again": goes_on,
            "where a container may make no namespaces": needs_no_permission,
        })
    finally:
        shutil.rmtree(PLACE.name, ignore_errors=True)
