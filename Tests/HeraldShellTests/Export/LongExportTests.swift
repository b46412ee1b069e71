import Glibc
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

/// Exports of so many objects that several threads read them.
@Suite struct LongExportTests {
  private static let count = 10_000

  /// Objects with links, collections and embedded objects, of which some are deleted.
  private static let script =
    """
    embedded class Home { city: string }
    class Person { id: int primary; name: string? }
    class Dog { n: int; x: double?; name: string?; owner: Person; home: Home; tags: list<string>; extra: any; parent: Dog }
    add Person { id: 7, name: "Ann" }
    add Dog [
    \((0..<count).map { n in
      """
      { n: \(n), x: \(n % 7 == 0 ? "nil" : "\(n).25"), name: "dog, \(n % 31)", owner: \(n % 3 == 0 ? "Person#7" : "nil"), \
      home: { city: "Bree \(n % 5)" }, tags: ["t\(n % 4)"], extra: \(n % 2 == 0 ? "2020-01-01" : "[\(n)]") }
      """
    }.joined(separator: "\n"))
    ]
    set Dog where n == 5000 { parent: (Dog where n == 1)[0] }
    delete Dog where n > 4000 and n < 4500

    """

  /// Runs the script, then an export as it is written by several threads and by one, and expects the same.
  private static func expectSame(_ query: String, _ before: String = "") throws {
    for format in ["csv", "jsonl", "json"] {
      try withFolder { folder in
        let run = ScriptRun(
          script + before
            + "\nexport \(query) to \"\(folder)/rows\" as \(format)\nexport \(query) to - as \(format)"
        )
        #expect(run.errors == "")
        let file = FileTree.text("\(folder)/rows")
        #expect(file.utf8.count > 100_000)
        let isSame = file == run.output
        #expect(isSame, "\(file.prefix(300))")
      }
    }
  }

  @Test func `all objects`() throws { try Self.expectSame("Dog") }

  @Test func `some, in another order`() throws {
    try Self.expectSame("Dog where n % 3 != 0 sort(name desc, n)")
  }

  @Test func `in a transaction, with its changes`() throws {
    try Self.expectSame("Dog", "begin\nset Dog where n > 100 { n: n + 1 }\nadd Dog { n: -1 }\n")
  }

  @Test func `at an earlier version`() throws {
    try Self.expectSame("(Dog at -1)", "set Dog { n: n + 1 }\ndelete Dog where n > 9000\n")
  }

  @Test(arguments: [0, 1, 2, 5])
  func `an interruption leaves no file`(checks: Int) throws {
    try withFolder { folder in
      let sink = CollectingSink()
      let interpreter = Interpreter(options: .init(), sink: sink)
      _ = interpreter.run(Source(name: "before", text: Self.script))
      interpreter.interruption.request(afterChecks: checks)
      _ = interpreter.run(Source(name: "test", text: "export Dog to \"\(folder)/rows.csv\""))
      interpreter.interruption.clear()
      #expect(sink.errors.contains("interrupted"), "\(sink.errors)")
      #expect(access("\(folder)/rows.csv", F_OK) != 0)
      interpreter.finishChecked()
    }
  }
}
