import Glibc
import Herald
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

  /// The scripts of the folder, by name; those under `rules` each hold one rule of the contract of
  /// observation, by its number.
  static let names = names(in: folder) + names(in: folder + "/rules").map { "rules/" + $0 }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(Recording.path(folder)) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".herald") { names.append(String(name.dropLast(7))) }
    }
    return names.sorted()
  }
}

/// Each transcript is a script; beside it stand what it prints as text (`.out`), as JSON (`.jsonl`),
/// and what goes to standard error (`.err`), none where that is nothing.
@Suite struct TranscriptTests {
  @Test(arguments: Transcripts.names)
  func `a transcript prints what stands beside it`(name: String) throws {
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

  @Test func `every rule of observation has a transcript`() throws {
    let page = try #require(Recording.read("Documentation/Observation.md"))
    let rules = page.split(separator: "\n").filter { $0.hasPrefix("### ") }
      .map { $0.dropFirst(4).prefix { $0 != " " } }
    #expect(rules.count > 50 && Set(rules).count == rules.count)
    for rule in rules {
      let held = Transcripts.names.filter { $0.hasPrefix("rules/\(rule)-") }
      #expect(held.count == 1, "rule \(rule)")
    }
  }
}
