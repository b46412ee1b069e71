import Foundation
import TestSupport
import Testing

@testable import HeraldShell

/// What people do with their own files, each as a script: what stands before the line of the task prepares it, and what
/// stands after `# then:` shows what came of it. Lines such as `# sqlite3: …` are what another program takes for the same.
@Suite struct TaskTests {
  private static let folder = "Tests/Transcripts/tasks"

  static let names = FileTree.names(in: Recording.path(folder))
    .filter { $0.hasSuffix(".herald") && $0 != "setup.herald" }.map { String($0.dropLast(7)) }
    .sorted()

  private static func script(_ name: String) throws -> String {
    try #require(Recording.read("\(folder)/\(name).herald"))
  }

  @Test(arguments: names)
  func `a task prints its recorded output`(name: String) throws {
    let files = Recording.path(Self.folder) + "/"
    let setup = try Self.script("setup").replacing("import \"", with: "import \"\(files)")
    let script = try Self.script(name).replacing("import \"", with: "import \"\(files)")
    let run = ScriptRun(setup + script, named: "\(name).herald")
    #expect(run.errors == "" && run.status == 0)
    try Recording.check(run.output, against: "\(Self.folder)/\(name).out")
  }

  @Test(arguments: names)
  func `a task takes no more keystrokes than in the better of two other programs`(
    name: String
  ) throws {
    let lines = try Self.script(name).split(separator: "\n").map(String.init)
    let task = try #require(lines.firstIndex { $0.hasPrefix("# task: ") })
    let end = lines.firstIndex { $0.hasPrefix("# then:") } ?? lines.endIndex
    let own = lines[task..<end].filter { !$0.hasPrefix("#") }
    #expect(!own.isEmpty)
    for program in ["sqlite3", "duckdb"] {
      let prefix = "# \(program): "
      let other = lines.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
      if other.isEmpty { continue }
      #expect(Self.keystrokes(own) <= Self.keystrokes(other), "\(program)")
    }
  }

  @Test func `there are twenty-five tasks`() {
    #expect(Self.names.count == 25)
  }

  private static func keystrokes(_ lines: [some StringProtocol]) -> Int {
    lines.reduce(0) { $0 + $1.count + 1 }
  }
}
