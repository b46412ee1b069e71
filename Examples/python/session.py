"""Holds a conversation with herald through pipes: statements go in, answers and events come out, a line of JSON each."""
import json, subprocess, sys

class Herald:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            ["herald", "--json", "--answers", "--no-rc", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.events = []

    def __call__(self, statement):
        self.process.stdin.write(statement + "\n")
        self.process.stdin.flush()
        while "event" in (answer := json.loads(self.process.stdout.readline())):
            self.events.append(answer)
        return answer

herald = Herald(*sys.argv[1:])
herald("class Dog { id: int primary; name: string; age: int = 0 }")
herald("observe Dog where age > 3 as old")
print(herald('add Dog [{ id: 1, name: "Rex", age: 5 }, { id: 2, name: "Max" }]'))
print(herald("set Dog { age: age + 4 }"), herald("count Dog where age > 3"))
print(herald("set Dog { age: 1 / (id - 2) }")["error"]["message"])
print([(event["event"], event.get("insertions")) for event in herald.events])
