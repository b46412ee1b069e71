import Testing

/// One case of `Tests/Cases`: a script, and what it must print. The expected output was derived
/// from the contract, not recorded.
struct ObservationCase: Sendable, CustomTestStringConvertible {
  var name: String
  var script = ""
  var output = ""

  var testDescription: String { name }

  static let chapters = (1...10).map { "observation-\($0)" } + ["properties", "reference", "reads"]
  static let all = chapters.flatMap { cases(in: $0) }

  static func cases(in chapter: String) -> [ObservationCase] {
    var reader = CaseReader()
    for line in (Recording.read("Tests/Cases/\(chapter).cases") ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      reader.take(String(line))
    }
    return reader.cases
  }
}

/// Reads lines: `@ name` begins what several cases begin with, `use name` inserts it, `= name`
/// begins a case, `>` what it prints.
private struct CaseReader {
  private enum Part {
    case nothing, script, output
    case beginning(String)
  }

  private(set) var cases: [ObservationCase] = []
  private var beginnings: [String: String] = [:]
  private var part = Part.nothing

  mutating func take(_ line: String) {
    if line.isEmpty {
      part = .nothing
    } else if line.hasPrefix("@ ") {
      part = .beginning(String(line.dropFirst(2)))
    } else if line.hasPrefix("= ") {
      cases.append(ObservationCase(name: String(line.dropFirst(2))))
      part = .script
    } else if line == ">" {
      part = .output
    } else {
      add(line)
    }
  }

  private mutating func add(_ line: String) {
    let last = cases.count - 1
    switch part {
    case .nothing: break
    case .beginning(let name): beginnings[name, default: ""] += line + "\n"
    case .script where line.hasPrefix("use "):
      cases[last].script += beginnings[String(line.dropFirst(4))] ?? line + "\n"
    case .script: cases[last].script += line + "\n"
    case .output: cases[last].output += line + "\n"
    }
  }
}

@Suite struct ObservationCaseTests {
  @Test(arguments: ObservationCase.all)
  func `a case prints the expected output below it`(example: ObservationCase) {
    let run = ScriptRun(example.script, named: example.name)
    #expect(run.output == example.output)
    #expect(run.errors == "")
  }

  @Test(arguments: ObservationCase.chapters)
  func `every chapter has cases, of different names`(chapter: String) {
    let names = ObservationCase.cases(in: chapter).map(\.name)
    #expect(!names.isEmpty)
    #expect(Set(names).count == names.count)
  }
}
