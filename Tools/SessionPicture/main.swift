// Runs the session in the script on standard input and writes its picture to standard output.

var script = ""
while let line = readLine(strippingNewline: false) { script += line }
print(TerminalPicture(RecordedSession(script: script)).text, terminator: "")
