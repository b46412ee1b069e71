import Testing

@testable import HeraldShell

/// Each transcript is a script; beside it are what it prints as text (`.out`), as JSON (`.jsonl`), if that has events, and
/// what goes to standard error (`.err`), none where that is nothing.
@Suite struct TranscriptTests {
  @Test(arguments: Transcripts.names)
  func `a transcript prints its recorded output`(name: String) throws {
    let path = "\(Transcripts.folder)/\(name)"
    let script = try #require(Recording.read(path + ".herald"))
    let run = ScriptRun(script, named: "\(name).herald")
    try Recording.check(run.output, against: path + ".out")
    try Recording.check(run.errors, against: path + ".err")
    var options = Interpreter.Options()
    options.mode = .json
    let json = ScriptRun(script, named: "\(name).herald", options)
    // Results have the values of the text; what they are in JSON is tested apart.
    let hasEvents = json.output.contains("\"event\":")
    try Recording.check(hasEvents ? json.output : "", against: path + ".jsonl")
    for line in json.output.split(separator: "\n") {
      var reader = JSONReader(Array(line.utf8))
      _ = try reader.value()
      let isWhole = reader.isAtEnd()
      #expect(isWhole, "\(name): \(line)")
    }
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
      // What closures in a program read, the shell cannot: `TrackingTests` holds these.
      .filter { !(part == "observation" && $0.hasPrefix("12.")) }
    #expect(rules.count >= 5 && Set(rules).count == rules.count)
    for rule in rules {
      let held = Transcripts.names.filter { $0.hasPrefix("\(part)/\(rule)-") }
      #expect(!held.isEmpty, "rule \(rule)")
    }
  }
}
