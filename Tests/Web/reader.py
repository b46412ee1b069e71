"""A reader of server-sent events."""

import json
import socket
import urllib.parse


def connect(served):
    return socket.create_connection(("127.0.0.1", served.port))


class Reader:
    """A reader of events, who keeps rows."""

    def __init__(self, query):
        self.query, self.rows, self.version, self.last = query, [], None, 0

    def open(self, served):
        self.socket = connect(served)
        after = f"Last-Event-ID: {self.version}\r\n" if self.version is not None else ""
        self.socket.sendall(
            f"GET /live?q={urllib.parse.quote(self.query)} HTTP/1.1\r\nHost: localhost\r\n{after}\r\n".encode())
        self.text, self.has_head = b"", False

    def read(self):
        """Applies what has come; false at the end."""
        try:
            part = self.socket.recv(1 << 16)
        except OSError:
            return False
        if not part:
            return False
        self.text += part
        if not self.has_head:
            if b"\r\n\r\n" not in self.text:
                return True
            self.text = self.text.split(b"\r\n\r\n", 1)[1]
            self.has_head = True
        while b"\r\n" in self.text:
            size, rest = self.text.split(b"\r\n", 1)
            length = int(size, 16)
            if len(rest) < length + 2:
                break
            self.apply(rest[:length].decode())
            self.text = rest[length + 2:]
        return True

    def apply(self, chunk):
        lines = dict(line.split(": ", 1) for line in chunk.strip().split("\n"))
        version = int(lines["id"])
        assert self.version is None or version >= self.version, f"version {version} after {self.version}: {chunk[:60]}"
        if "data" in lines:
            assert self.version is None or version > self.version, "an event twice"
            event = json.loads(lines["data"])
            if event["event"] == "initial":
                assert self.version is None, event.get("anew")
                self.rows = event["rows"]
            else:
                for row in reversed(event["deletions"]):
                    del self.rows[row]
                for row, new in zip(event["insertions"], event["inserted"]):
                    self.rows.insert(row, new)
                for row, new in zip(event["modificationsNew"], event["modified"]):
                    self.rows[row] = new
        self.version = version
