import Glibc
import Herald
import TestSupport
import Testing

@testable import HeraldShell

struct ReferenceTests {
  @Test func `the manual pages in the repository are those that the description makes`() throws {
    try Recording.check(ManualPage.text, against: "man/herald.1")
    try Recording.check(LanguagePage.text, against: "man/herald-language.7")
  }

  @Test(arguments: PredicateReference.forms.map(\.example))
  func `a predicate of the manual page finds something`(example: String) {
    let run = ScriptRun(
      PredicateReference.classes + "\n" + PredicateReference.objects + "\ncount Dog where "
        + example)
    #expect(run.errors == "")
    #expect(Int(run.output.dropLast()) ?? 0 > 0)
  }

  @Test(arguments: Relation.allCases.map(\.rawValue))
  func `an operator has a form in the manual page`(text: String) {
    #expect(PredicateReference.forms.contains { "\($0.example) \($0.meaning)".contains(text) })
  }

  @Test(arguments: TypeKeyword.allCases)
  func `help on classes names a type`(keyword: TypeKeyword) throws {
    let text = try #require(HelpText().topic("class"))
    #expect(text.split { !$0.isLetter }.contains { $0 == keyword.rawValue })
  }

  @Test func `every statement that can be carried out is described`() {
    for word in CommandReference.words where word != "@" {
      #expect(StatementTable.command(named: word)?.word == word)
    }
  }

  @Test(arguments: CommandReference.commands)
  func `help on a command shows its forms and its purpose`(command: Command) throws {
    let text = try #require(HelpText().topic(command.word))
    #expect(text.hasPrefix(command.synopsis[0]))
    #expect(text.contains(command.summary))
    #expect(
      HelpText().overview.split(whereSeparator: \.isWhitespace).contains { $0 == command.word })
  }

  @Test func `help fits a screen`() {
    let lines = HelpText().overview.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 22)
    #expect(lines.allSatisfy { $0.count < 80 })
  }

  @Test func `help observe shows its forms, its rules in a sentence each, and examples`()
    throws
  {
    let text = try #require(HelpText().topic("observe"))
    #expect(text.hasPrefix("observe store [as NAME]"))
    let rules = text.split(separator: "\n").filter { $0.hasPrefix("  - ") }
    #expect(rules.count == 16)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("    observe ") } >= 3)
  }

  /// Each of them on the store that `help examples` prints, after those before it.
  @Test(arguments: CommandReference.commands.filter { !$0.examples.isEmpty })
  func `examples in help can be pasted`(command: Command) throws {
    let folder = try TemporaryFolder()
    let files = [
      "access.log": "h - - [30/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" 5\n",
      "dogs.csv": "id,name\n21,Bo\n", "a.json": "[{\"id\": 31}]", "b.json": "[{\"id\": 41}]",
      "people.csv": "id,full name\n1,Bo\n", "towns.csv": "post code;name;note\n01;Bree;x\n",
      "ages.csv": "id,age\n11,4\n", "pups.csv": "id,boss\n51,9\n",
      "2026-*.csv": "Account\nn;day\n1,5;31.01.2026\n",
    ]
    let made = ["pets.hdb", "pets.hdb-lock", "pets.herald", "pets.json", "names.csv"]
    for (name, text) in files { try FileTree.save(text, to: "\(folder.path)/\(name)") }
    var script = CommandReference.scene
    for example in command.examples {
      var statement = example
      for name in files.keys + made.reversed() where name != "pets.hdb-lock" {
        statement = statement.replacing(" \(name)", with: " \(folder.path)/\(name)")
      }
      script += "\n" + statement
    }
    let errors = ScriptRun(script).errors.split(separator: "\n").filter { !$0.contains(": note: ") }
    #expect(errors.isEmpty)
  }

  @Test func `a misspelled topic suggests the nearest one, and examples is a topic`() {
    #expect(
      ScriptRun("help observ").errors.contains("no help on 'observ'; did you mean 'observe'?"))
    #expect(ScriptRun("help exmples").errors.contains("did you mean 'examples'?"))
    #expect(ScriptRun("help examples").output == CommandReference.scene + "\n")
  }

  @Test(arguments: [
    ("SELECT * FROM Dog", "SELECT", "show Dog"), ("\\q", "\\q", "quit"),
    (".tables", ".tables", "schema"), (":q", ":q", "quit"), ("?", "?", "help"),
    ("\\?", "\\?", "help"), ("cuont Dog", "cuont", "count"), ("Show Dog", "Show", "show"),
  ])
  func `a command of other shells suggests the one of this shell`(
    statement: String, word: String, meant: String
  ) {
    let errors = ScriptRun(statement).errors
    #expect(errors.contains("error: no command '\(word)'; did you mean '\(meant)'?"))
  }

  @Test func `help on a command of other shells suggests a topic`() {
    #expect(ScriptRun("help bye").errors.contains("no help on 'bye'; did you mean 'quit'?"))
    #expect(ScriptRun("\\").errors.contains("expected a statement, found '\\'"))
  }

  @Test func `history shows what was typed, in text and as JSON, and is empty in a script`() {
    #expect(ScriptRun("history").output == "")
    let sink = Typed()
    var options = Interpreter.Options()
    options.history = { ["count Dog", "write {\n}"] }
    let interpreter = Interpreter(options: options, sink: sink)
    interpreter.run(Source(name: "prompt", text: "history; mode json; history"))
    interpreter.finish()
    #expect(sink.text == "count Dog\nwrite {\n}\n{\"result\":[\"count Dog\",\"write {\\n}\"]}\n")
  }

  @Test func `a file that is read at the prompt is confirmed once, as a whole`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/script"
    try FileTree.save("class N { n: int }\nadd N { n: 1 }\nprint \"inside\"\n", to: path)
    let sink = Typed()
    var options = Interpreter.Options()
    options.isInteractive = true
    let interpreter = Interpreter(options: options, sink: sink)
    interpreter.run(Source(name: "prompt", text: "read \"\(path)\"; add N { n: 2 }"))
    interpreter.finish()
    #expect(sink.text == "inside\nread \(path)\nadded N#2\n")
  }

  @Test func `the session in the manual page's examples runs unchanged`() throws {
    #expect(ManualPage.text.contains(ManualPage.walk))
    let run = ScriptRun(ManualPage.walk)
    #expect(run.errors == "")
    #expect(
      run.output == """
        old: initial 1 row
        old: insertions [1]
        max: change name "Max" -> "Wolfie"
        max: change age 3 -> 6

        """)
  }
}

private final class Typed: OutputSink {
  var text = ""
  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    self.text += text
    return text.endIndex
  }
  func writeError(_ text: String) { self.text += text }
}
