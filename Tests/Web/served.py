"""A server of a store in a folder of its own."""

import json
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request


class Served:
    def __init__(self, program, *options, folder=None, port=0):
        self.program, self.options = program, options
        self.place = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self.place.name
        self.start(port)

    def start(self, port):
        self.process = subprocess.Popen(
            [self.program, self.folder + "/pets.hdb", "--listen", f"127.0.0.1:{port}", *self.options],
            stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert " at " in line, line
        self.url = line.split(" at ")[1].strip()
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])

    def request(self, path, body=None, **headers):
        """The status and the text of an answer."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            headers.setdefault("Content-Type", "application/x-herald")
        request = urllib.request.Request(self.url.rstrip("/") + path, body and body.encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def write(self, text):
        status, answer = self.request("/write", text)
        assert status == 200, answer
        return json.loads(answer.splitlines()[-1])["version"]

    def query(self, text):
        status, answer = self.request("/query?q=" + urllib.parse.quote(text))
        assert status == 200, answer
        return json.loads(answer)["result"]

    def memory(self):
        """In kB."""
        with open(f"/proc/{self.process.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.terminate()
        status = self.process.wait(30)
        assert status == 0, f"the server ended with {status}"
        if self.place:
            self.place.cleanup()
