import Glibc
import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Collects what a run prints.
final class CollectingSink: OutputSink {
  private(set) var output = ""
  private(set) var errors = ""

  func write(_ text: String) { output += text }
  func writeError(_ text: String) { errors += text }
}

/// What a run of a script printed and left.
struct Run {
  var output: String
  var errors: String
  var status: Int32

  init(_ text: String, named name: String = "test", _ options: Interpreter.Options = .init()) {
    let sink = CollectingSink()
    let interpreter = Interpreter(options: options, sink: sink)
    interpreter.run(Source(name: name, text: text))
    interpreter.finishChecked()
    (output, errors, status) = (sink.output, sink.errors, interpreter.exitStatus)
  }
}

extension Interpreter {
  /// Finishes, and records every inconsistency that a recount of the store finds.
  func finishChecked() {
    for problem in main.store?.check() ?? [] { Issue.record("the store: \(problem)") }
    finish()
  }
}

enum Transcripts {
  static let folder = "Tests/Transcripts"

  /// The scripts by name, such as `language/2-alter`. A name begins with the number of the rule that it holds.
  static let names = ["observation", "language"].flatMap { part in
    names(in: "\(folder)/\(part)").map { "\(part)/\($0)" }
  }

  private static func names(in folder: String) -> [String] {
    FileTree.names(in: Recording.path(folder)).filter { $0.hasSuffix(".herald") }
      .map { String($0.dropLast(7)) }.sorted()
  }
}

/// Each transcript is a script; beside it are what it prints as text (`.out`), as JSON (`.jsonl`),
/// and what goes to standard error (`.err`), none where that is nothing.
@Suite struct TranscriptTests {
  @Test(arguments: Transcripts.names)
  func `a transcript prints its recorded output`(name: String) throws {
    let path = "\(Transcripts.folder)/\(name)"
    let script = try #require(Recording.read(path + ".herald"))
    let run = Run(script, named: "\(name).herald")
    try Recording.check(run.output, against: path + ".out")
    try Recording.check(run.errors, against: path + ".err")
    var options = Interpreter.Options()
    options.mode = .json
    let json = Run(script, named: "\(name).herald", options)
    try Recording.check(json.output, against: path + ".jsonl")
    #expect(json.status == run.status)
    #expect((run.status == 0) == run.errors.isEmpty)
  }

  @Test(arguments: Transcripts.names)
  func `a transcript begins with the rule that it holds`(name: String) throws {
    let script = try #require(Recording.read("\(Transcripts.folder)/\(name).herald"))
    #expect(script.hasPrefix("# observation ") || script.hasPrefix("# language "))
  }

  /// The rules are the numbered headings of the document.
  @Test(arguments: [
    ("observation", "Documentation/Observation.md", "###"),
    ("language", "man/herald-language.7", ".Sh"),
  ])
  func `every rule has a transcript`(part: String, document: String, heading: String) throws {
    let page = try #require(Recording.read(document))
    let rules = page.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0[0] == heading && $0[1].first?.isNumber == true }
      .map { $0[1].hasSuffix(".") ? $0[1].dropLast() : $0[1] }
    #expect(rules.count >= 5 && Set(rules).count == rules.count)
    for rule in rules {
      let held = Transcripts.names.filter { $0.hasPrefix("\(part)/\(rule)-") }
      #expect(!held.isEmpty, "rule \(rule)")
    }
  }
}
