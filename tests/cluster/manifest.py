# SPDX-License-Identifier: GPL-3.0-or-later
"""data/cluster/fumehood-batch-job.yaml as Kubernetes takes it apart."""

import os
import sys
from pathlib import Path

PATH = Path(os.environ["FH_SOURCE_ROOT"]) / "data" / "cluster" / "fumehood-batch-job.yaml"


def why_not():
    try:
        import yaml  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return "python3-yaml is not installed"
    return None


def load():
    import yaml  # pylint: disable=import-outside-toplevel

    return yaml.safe_load(PATH.read_text(encoding="utf-8"))


def pod(job):
    return job["spec"]["template"]["spec"]


def container(job):
    (only,) = pod(job)["containers"]
    return only


def environment(job, index):
    """That of one pod: its own, and what the controller of indexed Jobs adds."""
    return {**{one["name"]: one["value"] for one in container(job)["env"]}, "JOB_COMPLETION_INDEX": str(index)}


def arguments(job, index):
    """Kubernetes puts in the values of known variables."""
    words = container(job)["args"]
    for name, value in environment(job, index).items():
        words = [word.replace(f"$({name})", value) for word in words]
    return words


if __name__ == "__main__":
    sys.exit("manifest.py is a module of the tests")
