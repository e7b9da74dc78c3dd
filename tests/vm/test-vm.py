# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the virtual machine of build-image.sh with what was just built in it, and passes on what
inside.py sees there. Without an image, or without qemu, that is skipped and says so."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parent.parent
FOLDER = Path(os.environ.get("FH_VM_DIR") or "/var/tmp/fumehood-vm")
QEMU = "qemu-system-x86_64"
GUEST = ["forked_runs.py", "guest.sh", "inside.py", "other_tiers.py", "runs.py", "shared_with_all.py", "traces.py",
         "with_systemd.py", "without_systemd.py"]
HARNESS = ["leftovers.py", "tap.py"]
# One kind of user prints one plan.
KINDS = 3
LIMIT_S = 3600
# The C library has to be that of the machine, which is the same; all else comes along.
SYSTEM_LIBRARIES = re.compile(r"^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv)\b")
LINE = re.compile(r"^(ok|not ok) \d+ (.*)$")


def why_not():
    if os.uname().machine != "x86_64":
        return "the machine is built for x86_64 only"
    if shutil.which(QEMU) is None:
        return f"{QEMU} is not installed"
    if not (FOLDER / "stamp").is_file():
        return f"there is no image in {FOLDER}; as root: sh tests/vm/build-image.sh"
    if os.environ.get("FH_SANITIZED") == "1":
        return "a sanitized build needs libraries that are not in the machine"
    return None


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE):
        if not SYSTEM_LIBRARIES.match(name):
            yield name, path


def pack(path):
    """What the machine gets as its second disk."""
    runner, ctl = os.environ["FH_RUNNER"], os.environ["FH_CTL"]
    with tarfile.open(path, "w", dereference=True, format=tarfile.GNU_FORMAT) as archive:
        for name in GUEST:
            archive.add(HERE / name, name)
        for name in HARNESS:
            archive.add(SOURCE / "tests" / "harness" / name, name)
        archive.add(SOURCE / "data" / "guest", "data/guest")
        archive.add(runner, "fumehood-runner")
        archive.add(Path(runner).parent / "fumehood-fork.so", "fumehood-fork.so")
        archive.add(ctl, "fumehoodctl")
        for name, library in libraries(ctl):
            archive.add(library, f"lib/{name}")
    with open(path, "ab") as file:
        file.truncate((os.path.getsize(path) + 511) // 512 * 512)


def can_use_kvm():
    """A processor that emulates for others may offer the device, but no kernel starts on that."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    return re.search(r"\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace"))


def command(work, kvm):
    speed = ["-accel", "kvm", "-cpu", "host"] if kvm else ["-accel", "tcg,thread=multi", "-cpu", "max,la57=off"]
    return [
        QEMU, *speed, "-machine", "q35", "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config",
        "-no-reboot", "-display", "none", "-nic", "none", "-monitor", "none",
        "-kernel", FOLDER / "kernel", "-initrd", FOLDER / "initrd",
        "-append", "console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on audit=0 "
                   "no_timer_check systemd.show_status=0 systemd.firstboot=0",
        "-drive", f"file={FOLDER / 'disk'},format=raw,if=virtio,snapshot=on,cache=unsafe",
        "-drive", f"file={work / 'guest.tar'},format=raw,if=virtio,readonly=on",
        "-serial", f"file:{work / 'console'}", "-serial", f"file:{work / 'results'}",
    ]


class Results:
    """Renumbers the lines of all plans into one."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        self.plans = 0
        self.partial = ""

    def check(self, passed, name):
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} {name}", flush=True)

    def take(self, text):
        *lines, self.partial = (self.partial + text.replace("\r", "")).split("\n")
        for line in lines:
            match = LINE.match(line)
            if match:
                self.check(match[1] == "ok", match[2])
            elif line.startswith("1.."):
                self.plans += 1
            else:
                print(line if line.startswith("#") else f"# {line}", flush=True)


def follow(process, path, results):
    deadline = time.monotonic() + LIMIT_S
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        while process.poll() is None and time.monotonic() < deadline:
            results.take(file.read())
            time.sleep(0.2)
        results.take(file.read() + "\n")


def run(work, results):
    kvm = can_use_kvm()
    begun = time.monotonic()
    pack(work / "guest.tar")
    (work / "results").touch()
    with open(work / "qemu", "wb") as log:
        process = subprocess.Popen(command(work, kvm), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env={**os.environ, "TMPDIR": str(work)})
    try:
        follow(process, work / "results", results)
    finally:
        process.kill()
        process.wait()
    print(f"# {'KVM' if kvm else 'emulated'}, {time.monotonic() - begun:.0f} s", flush=True)
    results.check(results.plans == KINDS, "the virtual machine went through to its end")
    if results.plans != KINDS:
        for name in ("qemu", "console"):
            text = (work / name).read_text(encoding="utf-8", errors="replace")
            print("".join(f"# {name}: {line}\n" for line in text.splitlines()[-30:]), end="", flush=True)


def main():
    reason = why_not()
    if reason is not None:
        print(f"1..0 # SKIP {reason}")
        return 0
    results = Results()
    with tempfile.TemporaryDirectory(prefix="fumehood-vm-") as work:
        run(Path(work), results)
    print(f"1..{results.count}")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
