#!/usr/bin/env python3
"""attack.py SERVER [SEED]: what a server must survive: silence, slowness, noise, kills, guesses and other people's pages."""

import random
import resource
import select
import sys
import time
import urllib.parse

from reader import Reader, connect
from served import Served


def is_well(served, within=1.0):
    begin = time.monotonic()
    assert served.request("/health")[0] == 200
    assert time.monotonic() - begin < within, "slow"


def silence(served, count):
    """Connections that say nothing are closed, and others are served meanwhile."""
    connections = [connect(served) for _ in range(count)]
    is_well(served, within=10)
    memory = served.memory()
    deadline = time.monotonic() + 30
    waiting = set(connections)
    poll = select.epoll()
    by_number = {each.fileno(): each for each in connections}
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    while waiting and time.monotonic() < deadline:
        for number, _ in poll.poll(0.5):
            if by_number[number].recv(1) == b"":
                poll.unregister(number)
                waiting.discard(by_number[number])
    assert not waiting, f"{len(waiting)} are still open"
    for each in connections:
        each.close()
    return f"{count} silent connections: served meanwhile, all closed within 30 s, {memory // 1024} MB"


def slow_heads(served, count):
    """Heads that come a byte at a time."""
    connections = [connect(served) for _ in range(count)]
    begin = time.monotonic()
    closed = 0
    for step in range(200):
        for each in list(connections):
            try:
                each.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: yes"[step:step + 1] or b"x")
            except OSError:
                connections.remove(each)
                closed += 1
        if not connections:
            break
        is_well(served)
        time.sleep(0.2)
    assert closed == count, f"{count - closed} are still open"
    return f"{count} slow heads: all dropped after {time.monotonic() - begin:.0f} s"


def giant_lines(served):
    for text in (b"GET /" + b"x" * 10_000_000, b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000_000,
                 b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 1_000_000, b"\x00" * 1_000_000,
                 b"POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n"):
        each = connect(served)
        try:
            each.sendall(text)
            each.settimeout(15)
            while each.recv(1 << 16):
                pass
        except OSError:
            pass
        each.close()
        is_well(served)
    assert served.memory() < 200_000
    return "giant lines: all refused"


def noise(served, rng, rounds):
    """Requests of random pieces: no answer is a failure of the server itself."""
    pieces = ["Dog", "where", "age", ">", "3", "sort(", ")", "{", "}", "group", "by", "value", "sections", "at", "1", "-1",
              "\x00", "é", "\"", "'", "#", "$x", "@count", ".", ";", "\n", "|", "&", "%", "=", "undo", "let", "if", "for",
              "show", "log", "diff", "(", "[", "]", "1e999", "nil", "limit(99999999999999999999)", "LIKE", "*" * 50, "((((" * 60]
    targets = ["/query?q=", "/live?q=", "/live?value=", "/live?group=", "/live?q=Dog&sections=", "/complete?q=", "/log?n=",
               "/log?class=", "/log?version=", "/schema?at=", "/write", "/", "/nowhere?", "/live?q=Dog&after="]
    statuses = {}
    for _ in range(rounds):
        text = " ".join(rng.choice(pieces) for _ in range(rng.randint(0, 8)))
        target = rng.choice(targets)
        each = connect(served)
        each.settimeout(20)
        if target == "/write":
            body = text.encode()
            head = f"POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-herald\r\nContent-Length: {len(body)}\r\n\r\n"
            each.sendall(head.encode() + body)
        else:
            quoted = urllib.parse.quote(text) if rng.random() < 0.9 else "".join(
                c for c in text if c not in "\r\n ").encode("utf-8").decode("latin-1")
            each.sendall(f"GET {target}{quoted} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode("latin-1", "replace"))
        answer = each.recv(65536)
        each.close()
        status = answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/1.1 ") else "none"
        statuses[status] = statuses.get(status, 0) + 1
        assert status in ("200", "400", "404", "405", "503"), (status, target, text, answer[:200])
        assert served.process.poll() is None, (target, text)
    return f"{rounds} random requests: {dict(sorted(statuses.items()))}"


def kills(program, rng, count, rounds):
    """kill -9 under readers who come back: nothing is lost, nothing comes twice."""
    served = Served(program)
    served.write("class Dog { id: int primary; age: int }")
    readers = [Reader(query) for query in ["Dog", "Dog sort(age)", "Dog where age > 50 sort(age desc) limit(5)",
                                           "Dog where age < 20"] for _ in range(count // 4)]
    keys, killed = [], 0
    for turn in range(rounds):
        for reader in readers:
            reader.open(served)
        by_number = {reader.socket.fileno(): reader for reader in readers}
        poll = select.epoll()
        for number in by_number:
            poll.register(number, select.EPOLLIN)
        is_last = turn == rounds - 1
        for _ in range(rng.randint(5, 20)):
            text = []
            for _ in range(rng.randint(1, 4)):
                if not keys or rng.random() < 0.4:
                    keys.append(len(keys) + 1)
                    text.append(f"upsert Dog {{ id: {keys[-1]}, age: {rng.randint(0, 99)} }}")
                else:
                    text.append(f"upsert Dog {{ id: {rng.choice(keys)}, age: {rng.randint(0, 99)} }}")
            served.write("\n".join(text))
            for number, _ in poll.poll(0):
                by_number[number].read()
        if not is_last:
            served.kill()
            killed += 1
            for reader in readers:
                while reader.read():
                    pass
                reader.socket.close()
            served.start(served.port)
    expected = {reader.query: served.query("show " + reader.query) for reader in readers}
    deadline = time.monotonic() + 20
    while any(reader.rows != expected[reader.query] for reader in readers) and time.monotonic() < deadline:
        for number, _ in poll.poll(0.2):
            by_number[number].read()
    wrong = [reader for reader in readers if reader.rows != expected[reader.query]]
    assert not wrong, f"{len(wrong)} readers have other rows: {wrong[0].query}"
    served.close()
    return f"{killed} kills under {len(readers)} readers: each has the rows of the store, no event twice"


def guesses(program):
    token = "correct-horse-battery-staple"
    import tempfile
    with tempfile.NamedTemporaryFile("w", suffix=".token") as file:
        file.write(token + "\n")
        file.flush()
        served = Served(program, "--token-file", file.name)
        times = {}
        for guess in (token[:-1] + "x", "x" + token[1:], "x" * len(token)):
            begin = time.perf_counter()
            for _ in range(200):
                assert served.request("/schema", Authorization="Bearer " + guess)[0] == 401
            times[guess] = (time.perf_counter() - begin) / 200
        assert served.request("/schema", Authorization="Bearer " + token)[0] == 200
        served.close()
    return "600 guesses of the token refused; a request takes " + ", ".join(f"{t * 1000:.2f} ms" for t in times.values())


def other_pages(served):
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"},
                    {"Sec-Fetch-Site": "cross-site"}):
        assert served.request("/schema", **headers)[0] in (403, 421), headers
        assert served.request("/write", "delete Dog", **headers)[0] in (403, 421), headers
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert served.request("/write", "delete Dog", Content_Type=kind)[0] == 415
    return "other people's pages: all refused"


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rng = random.Random(seed)
    print("seed", seed)
    served = Served(program)
    served.write("class Dog { id: int primary; name: string; age: int }; add Dog { id: 1, name: \"Max\", age: 4 }")
    print(other_pages(served), flush=True)
    print(giant_lines(served), flush=True)
    print(noise(served, rng, 2_000), flush=True)
    print(slow_heads(served, 200), flush=True)
    print(silence(served, min(10_000, most - 100)), flush=True)
    served.close()
    print(guesses(program), flush=True)
    print(kills(program, rng, 200, 6), flush=True)


if __name__ == "__main__":
    main()
