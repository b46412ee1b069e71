import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// What the prompt shows of transactions, waits and questions, and what it starts.
@Suite(.serialized) struct PromptStateTests {
  private static let prompt = RunningProgram.prompt
  private static let widths = [40, 80, 140]

  private func start(
    _ arguments: [String] = [], home: TemporaryFolder? = nil, _ environment: [String: String] = [:],
    columns: Int = 80
  ) throws -> RunningProgram {
    try RunningProgram(
      ["--quiet"] + arguments, home: home, environment: environment, columns: columns
    )
    .atPrompt()
  }

  @Test(arguments: ["\u{4}", "exit\r", "quit\r"])
  func `The prompt shows an open transaction, and leaving says what is lost`(leave: String) throws {
    let program = try start()
    try program.terminal.send("class D { n: int }\radd D [{n: 1}, {n: 2}]\rbegin\r")
    try program.terminal.waitForLine("memory main*>")
    try program.terminal.send("add D {n: 3}\rset D#1.n = 9\rdelete D#2\r")
    try program.terminal.waitForText("deleted 1 object\nmemory main*>")
    try program.terminal.send(leave)
    #expect(program.exitStatus() == 0)
    program.terminal.readWhatCame()
    #expect(
      program.terminal.screen.text.contains(
        "the open transaction is rolled back; lost: 1 object inserted, 1 object modified, 1 object deleted"
          .wrapped(at: 80)))
  }

  @Test(arguments: [
    ("class D { n: int }", "lost: changes of the schema"), ("print 1", "it changed nothing"),
  ])
  func `Leaving says whether the schema was changed`(statement: String, lost: String) throws {
    let program = try start()
    try program.terminal.send("begin\r\(statement)\r")
    try program.terminal.waitForLine("memory main*>")
    try program.terminal.send("quit\r")
    #expect(program.exitStatus() == 0)
    program.terminal.readWhatCame()
    #expect(
      program.terminal.screen.text.contains("the open transaction is rolled back; \(lost)"))
  }

  @Test func `A transaction that ends takes its star with it`() throws {
    let program = try start()
    try program.terminal.send("begin\rrollback\rbegin\rcommit\r")
    try program.terminal.waitForText(
      "memory main*> rollback\nrolled back\nmemory main> begin\nmemory main*> commit\ncommitted\n\(Self.prompt)"
    )
    try program.leave()
  }

  @Test(arguments: widths) func `The prompt shows which brackets are open`(columns: Int) throws {
    let program = try start(columns: columns)
    try program.terminal.send("write {\rif 1 == 1 {\rprint [(1\r")
    try program.terminal.waitForText(".........{{> print [(1\n.......{{[(>")
    try program.terminal.send(")\r]\r}\r}\r")
    try program.terminal.waitForText("}\n[1]\n\(Self.prompt)")
    try program.leave()
  }

  @Test func `A wait for another process says for which`() throws {
    let folder = try TemporaryFolder()
    let store = folder.path + "/s.hdb"
    let other = try Conversation([store])
    try other.send("class D { n: int }\nbegin\nprint 1\n")
    #expect(try other.readLine() == "1\n")
    let program = try RunningProgram(["--quiet", store], columns: 140)
    try program.terminal.waitForLine("s.hdb main>")
    try program.terminal.send("add D { n: 1 }\r")
    try program.terminal.waitForText(
      "waiting for process \(other.process) (herald) to end its transaction; Ctrl-C stops")
    try other.send("commit\nprint 2\n")
    try program.terminal.waitForText("added D#1\ns.hdb main>")
    // Nobody commits this one: the wait lasts until somebody ends it.
    try other.send("begin\nprint 3\n")
    #expect(try other.read(until: "3\n").hasSuffix("3\n"))
    try program.terminal.send("add D { n: 2 }\r")
    try program.terminal.waitForText(
      "add D { n: 2 }\nwaiting for process \(other.process) (herald) to end its transaction; Ctrl-C stops"
    )
    try program.terminal.send("\u{3}")
    try program.terminal.waitForText("Ctrl-C stops\nerror: interrupted\ns.hdb main>")
    #expect(other.leave() == 0)
    try program.leave()
  }

  @Test func `edit opens the last statement and runs what was saved, and Up finds it`() throws {
    let home = try TemporaryFolder()
    let editor = home.path + "/my editor"
    try FileTree.save("#!/bin/sh\nsed -i s/1/2/ \"$1\"\n", to: editor)
    chmod(editor, 0o700)
    let program = try start(home: home, ["VISUAL": "'\(editor)'", "EDITOR": "false"])
    try program.terminal.send("print [\r1, 3\r]\r")
    try program.terminal.waitForText("\n[1, 3]\n")
    try program.terminal.send("edit\r")
    try program.terminal.waitForText("\n[2, 3]\n\(Self.prompt)")
    try program.terminal.send("\u{1B}[A")
    try program.terminal.waitForText("\(Self.prompt) print [\n2, 3\n]")
    try program.terminal.send("\u{3}")
    try program.leave()
    let kept = HistoryFile(path: home.path + "/state/herald/history").load()
    #expect(kept == ["print [\n1, 3\n]", "edit", "print [\n2, 3\n]"])
  }

  @Test func `edit opens an alias or a query by its name, and runs nothing that was not saved`()
    throws
  {
    let home = try TemporaryFolder()
    let program = try start(home: home, ["VISUAL": "sed -i s/3/4/"], columns: 140)
    try program.terminal.send(
      "class D { n: int }\rdefine Big as D where n > 3\ralias b = count Big where n < 3\r")
    try program.terminal.send("edit b\redit Big\rschema Big\ralias\r")
    try program.terminal.waitForText("define Big as D where n > 4\n")
    try program.terminal.waitForText("alias b = count Big where n < 4\n\(Self.prompt)")
    try program.terminal.send("edit Bgi\r")
    try program.terminal.waitForText("no alias, query or projection 'Bgi'; did you mean 'Big'?")
    try program.leave()
    let lazy = try start([], ["VISUAL": "true"])
    try lazy.terminal.send("print 1\redit\r")
    try lazy.terminal.waitForText("\nnothing was saved, so nothing runs\n\(Self.prompt)")
    try lazy.leave()
    let broken = try start([], ["VISUAL": "false"])
    try broken.terminal.send("edit\r")
    try broken.terminal.waitForText("error: cannot edit: 'false' has failed")
    try broken.leave()
  }

  @Test func `Aliases of the start-up file are there at the prompt, and complete`() throws {
    let home = try TemporaryFolder()
    mkdir(home.path + "/config", 0o700)
    mkdir(home.path + "/config/herald", 0o700)
    try FileTree.save("alias p = print 1 +\n", to: home.path + "/config/herald/rc")
    let program = try start(home: home, ["XDG_CONFIG_HOME": home.path + "/config"])
    try program.terminal.send("p 2\rlet $number = 4\rp $num\t\r")
    try program.terminal.waitForText("p 2\n3\n")
    try program.terminal.waitForText("p $number\n5\n\(Self.prompt)")
    try program.terminal.send("unalias p\rp 2\r")
    try program.terminal.waitForText("error: no command 'p'")
    try program.leave()
  }

  @Test func `delete asks above a thousand objects`() throws {
    let program = try start()
    try program.terminal.send("class N { n: int = 0 }\rfor $x in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] { ")
    let objects = Array(repeating: "{}", count: 101).joined(separator: ",")
    try program.terminal.send("add N [\(objects)] }\rdelete N\r")
    try program.terminal.waitForLine("Delete 1010 objects? y/N")
    try program.terminal.send("n")
    try program.terminal.waitForText("Delete 1010 objects? y/N n\nnothing was deleted\n")
    // What was typed ahead does not answer.
    try program.terminal.send("delete N\rcount N\r")
    try program.terminal.waitForLine("Delete 1010 objects? y/N")
    try program.terminal.send("y")
    try program.terminal.waitForText(
      "Delete 1010 objects? y/N y\ndeleted 1010 objects\nmemory main> count N\n0\n")
    try program.terminal.send("undo\rdrop N\r")
    try program.terminal.waitForLine("Drop N and its 1010 objects? y/N")
    try program.terminal.send("n")
    try program.terminal.waitForText("Drop N and its 1010 objects? y/N n\nnothing was dropped\n")
    try program.leave()
  }

  @Test(arguments: [("tour", "'herald -c tour'"), ("x.herald", "'herald -f x.herald'")])
  func `A store named like a command or a script is created after a question`(
    name: String, suggestion: String
  ) throws {
    let folder = try TemporaryFolder()
    let before = FileTree.names(in: ".")
    let program = try RunningProgram([name], columns: 140)
    try program.terminal.waitForText(suggestion)
    try program.terminal.waitForLine("Create a new store '\(name)'? y/N")
    try program.terminal.send("\r")
    #expect(program.exitStatus() == 2)
    #expect(FileTree.names(in: ".") == before)
    // A path is an answer.
    let other = try RunningProgram(["\(folder.path)/tour"])
    try other.terminal.waitForLine("tour main>")
    try other.leave()
  }

  /// A hint stands apart from the text, and what the store does not have is red.
  @Test(arguments: widths) func `Hints, colours and values at every width`(columns: Int) throws {
    let program = try RunningProgram(
      ["--quiet"], environment: ["NO_COLOR": ""], columns: columns
    ).atPrompt()
    let terminal = program.terminal
    try terminal.send("class D { id: int primary; name: string }\radd D { id: 1, name: \"Max\" }\r")
    try terminal.waitForText("added D#1\nmemory main>")
    try terminal.send("alter D {")
    let hint =
      columns == 40
      ? " add | change | …" : " add | change | drop | rename | link | …"
    try terminal.wait(for: "the hint") {
      $0.styledCursorLine == "<1;32 memory main>> <1;34 alter> <33 D> {<2 \(hint)>"
    }
    try terminal.send("\u{15}count D where nmae ")
    try terminal.wait(for: "a word in red") { $0.styledCursorLine.contains("<31 nmae>") }
    try terminal.send("\u{15}print D#1.name == \"M\t\r")
    try terminal.waitForText("print D#1.name == \"Max\"\ntrue\nmemory main>")
    try terminal.send("add D { id: 2 }")
    try terminal.wait(for: "the hint") {
      $0.styledCursorLine.hasSuffix("}<2  as>") || columns == 40 && $0.text.hasSuffix("} as")
    }
    try terminal.send("\u{3}")
    try program.leave()
  }

  @Test(arguments: widths) func `The greeting and help are wrapped by words`(columns: Int) throws {
    let program = try RunningProgram(rows: 60, columns: columns).atPrompt()
    try program.terminal.send("help\r")
    try program.terminal.waitForText("leaves.\n\(Self.prompt)")
    let lines = program.terminal.screen.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("herald 0.1.0: 'help' lists the"))
    for line in lines { #expect(line.count < columns) }
    // No word is torn: each line begins where a word does.
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("'tour' explains them, Ctrl-D leaves memory main> help A statement ends"))
    try program.leave()
  }
}

extension String {
  /// The text as a terminal of this width wraps it.
  fileprivate func wrapped(at width: Int) -> String {
    var rows: [Substring] = []
    var rest = self[...]
    while !rest.isEmpty {
      rows.append(rest.prefix(width))
      rest = rest.dropFirst(width)
    }
    return rows.map { String($0).trimmed }.joined(separator: "\n")
  }

  private var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
