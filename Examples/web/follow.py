#!/usr/bin/env python3
"""follow.py QUERY [URL]: prints the rows of a query after each change, also after the server was away."""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

query = sys.argv[1]
url = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080"
rows, version = [], None

while True:
    headers = {"Last-Event-ID": str(version)} if version is not None else {}
    request = urllib.request.Request(f"{url}/live?q={urllib.parse.quote(query)}", headers=headers)
    try:
        with urllib.request.urlopen(request) as stream:
            for line in stream:
                name, _, text = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    version = int(text)
                if name != "data":
                    continue
                event = json.loads(text)
                if event["event"] == "initial":
                    rows = event["rows"]
                elif event["event"] == "update":
                    for row in reversed(event["deletions"]):
                        del rows[row]
                    for row, new in zip(event["insertions"], event["inserted"]):
                        rows.insert(row, new)
                    for row, new in zip(event["modificationsNew"], event["modified"]):
                        rows[row] = new
                print(version, json.dumps(rows), flush=True)
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode().strip())
    except OSError as error:
        print(f"{error}; trying again", file=sys.stderr)
    time.sleep(0.5)
