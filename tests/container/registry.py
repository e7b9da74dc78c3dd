# SPDX-License-Identifier: GPL-3.0-or-later
"""A registry of images on the loopback address, which every Docker engine trusts; images that are made up for it; and
a slow line to it. Debian's docker-registry does the serving."""

import contextlib
import gzip
import hashlib
import http.client
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time

PROGRAM = shutil.which("docker-registry", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
START_S = 120
STEP = 1 << 13
DOCKER = "application/vnd.docker."
MANIFEST = DOCKER + "distribution.manifest.v2+json"
LIST = DOCKER + "distribution.manifest.list.v2+json"


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Layer:
    """One file of bytes that do not compress."""

    def __init__(self, size):
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w") as tar:
            entry = tarfile.TarInfo(f"file-{os.urandom(4).hex()}")
            entry.size = size
            tar.addfile(entry, io.BytesIO(os.urandom(size)))
        self.plain = content.getvalue()
        self.packed = gzip.compress(self.plain, compresslevel=1)


class Registry:
    def __init__(self, folder):
        self.port = free_port()
        settings = folder / "registry.yml"
        settings.write_text("version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\n"
                            f"storage: {{filesystem: {{rootdirectory: {folder}/blobs}}}}\n"
                            f'http: {{addr: "127.0.0.1:{self.port}"}}\n', encoding="ascii")
        with open(folder / "registry.log", "wb") as log:
            self.process = subprocess.Popen([PROGRAM, "serve", settings], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + START_S
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise OSError((folder / "registry.log").read_text(errors="replace")[-1000:])
            time.sleep(0.05)

    def answers(self):
        try:
            return self.ask("GET", "/v2/") == 200
        except OSError:
            return False

    def stop(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None, kind=None, good=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body, {"Content-Type": kind} if kind else {})
            answer = connection.getresponse()
            text = answer.read()
            if good is None:
                return answer.status
            if answer.status != good:
                raise OSError(f"{method} {path}: {answer.status} {text[:300]}")
            return answer.getheader("Location", "")

    def put_blob(self, name, data):
        place = self.ask("POST", f"/v2/{name}/blobs/uploads/", good=202)
        place = place[place.index("/v2/"):]
        self.ask("PUT", f"{place}&digest={digest(data)}", data, "application/octet-stream", 201)
        return {"size": len(data), "digest": digest(data)}

    def put_manifest(self, name, tag, kind, manifest):
        data = json.dumps({"schemaVersion": 2, "mediaType": kind, **manifest}).encode()
        self.ask("PUT", f"/v2/{name}/manifests/{tag or digest(data)}", data, kind, 201)
        return {"mediaType": kind, "size": len(data), "digest": digest(data)}

    def put(self, name, layers, tag="latest", architecture="amd64"):
        """The id of the image."""
        config = json.dumps({
            "architecture": architecture, "os": "linux", "config": {"Env": ["PATH=/bin", "WORD=here"]},
            "rootfs": {"type": "layers", "diff_ids": [digest(layer.plain) for layer in layers]},
        }).encode()
        manifest = {
            "config": {"mediaType": DOCKER + "container.image.v1+json", **self.put_blob(name, config)},
            "layers": [{"mediaType": DOCKER + "image.rootfs.diff.tar.gzip", **self.put_blob(name, layer.packed)}
                       for layer in layers],
        }
        self.last = self.put_manifest(name, tag, MANIFEST, manifest)
        return digest(config)

    def put_list(self, name, layers, architecture):
        """An image that is there for one kind of machine only, and says so beforehand."""
        self.put(name, layers, None, architecture)
        self.put_manifest(name, "latest", LIST, {
            "manifests": [{**self.last, "platform": {"architecture": architecture, "os": "linux"}}]})


class Line:
    """A way to a port that lets so many bytes through in a second, and counts them."""

    def __init__(self, port, rate):
        self.target, self.rate, self.count = port, rate, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
                target = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            threading.Thread(target=self.pump, args=(client, target, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(target, client, True), daemon=True).start()

    def pump(self, source, target, is_slow):
        with contextlib.suppress(OSError):
            while data := source.recv(STEP):
                if is_slow:
                    # One at a time: the rate is that of all together.
                    with self.lock:
                        self.count += len(data)
                        time.sleep(len(data) / self.rate)
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.server.close()


if __name__ == "__main__":
    sys.exit("registry.py is a module of the tests")
