# SPDX-License-Identifier: GPL-3.0-or-later
"""The Job of data/cluster against what Kubernetes knows, job-schema.json, and against itself."""

import json
import sys
from pathlib import Path

import manifest
from tap import Tap, equal, must

SCHEMA = Path(__file__).resolve().with_name("job-schema.json")


def complaints(job):
    import jsonschema  # pylint: disable=import-outside-toplevel

    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(job)]


def is_valid(job):
    equal(complaints(job), [], "complaints")


def finds_faults():
    """The schema knows what is wrong."""
    for spoil in (lambda job: job["spec"].update(completionMode="indexed"),
                  lambda job: job["spec"].update(completions="4"),
                  lambda job: manifest.pod(job).update(restartPolicy="Always"),
                  lambda job: manifest.pod(job).pop("containers"),
                  lambda job: manifest.container(job).update(procMount="Unmasked"),
                  lambda job: manifest.container(job)["env"].append({"name": "N", "value": 4})):
        job = manifest.load()
        spoil(job)
        must(complaints(job), f"it has no complaint about {job}")


def fits_together(job):
    """What Kubernetes itself would refuse, or would let pass to do something else."""
    spec, pod, container = job["spec"], manifest.pod(job), manifest.container(job)
    equal(spec["completionMode"], "Indexed", "pods have numbers")
    equal(manifest.environment(job, 0)["JOB_COMPLETION_COUNT"], str(spec["completions"]), "how many parts there are")
    must("backoffLimitPerIndex" not in spec or pod["restartPolicy"] == "Never", "retries of an index take new pods")
    must(container["securityContext"].get("procMount") != "Unmasked" or pod["hostUsers"] is False,
         "an unmasked /proc takes a user namespace")
    equal({mount["name"] for mount in container["volumeMounts"]}, {volume["name"] for volume in pod["volumes"]}, "volumes")
    outputs = {word for index in range(spec["completions"]) for word in manifest.arguments(job, index)
               if word.startswith("--output=")}
    equal(len(outputs), spec["completions"], "each part has a file of its own")


def main():
    tap = Tap()
    reason = manifest.why_not()
    if reason is None:
        try:
            import jsonschema  # pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            reason = "python3-jsonschema is not installed"
    if reason is not None:
        tap.skip("the manifest for Kubernetes", reason)
        return tap.done()
    job = manifest.load()
    tap.case("Kubernetes knows all that is in it", is_valid, job)
    tap.case("faults are found", finds_faults)
    tap.case("its parts fit together", fits_together, job)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
