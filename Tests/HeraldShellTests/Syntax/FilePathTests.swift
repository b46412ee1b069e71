import Glibc
import Testing

@testable import HeraldShell

struct FilePathTests {
  private static func source(_ text: String, path: String? = "scripts/a.herald") -> Source {
    Source(name: "a", bytes: Array(text.utf8), path: path)
  }

  private static var home: String { getenv("HOME").map { String(cString: $0) } ?? "~" }

  @Test(arguments: [
    ("x.csv", "scripts/x.csv"), ("./x.csv", "scripts/x.csv"), ("../x.csv", "scripts/../x.csv"),
    ("/x.csv", "/x.csv"), ("-", "-"), ("nats://host/dogs", "nats://host/dogs"),
  ])
  func `a relative path in a script begins at the folder of the script`(
    name: String, path: String
  ) {
    #expect(Self.source("").filePath(name) == path)
    #expect(Self.source("", path: nil).filePath(name) == name)
    #expect(Self.source("", path: "a.herald").filePath("x.csv") == "x.csv")
  }

  @Test func `a tilde alone or before a slash is the home folder`() {
    for source in [Self.source(""), Self.source("", path: nil)] {
      #expect(source.filePath("~/x.csv") == Self.home + "/x.csv")
      #expect(source.filePath("~") == Self.home)
    }
    #expect(Self.source("").filePath("a/~/x") == "scripts/a/~/x")
  }

  static let statements = [
    "open FILE", "open FILE read-only", "open nats://h/s cache FILE", "check FILE",
    "backup to FILE",
    "read FILE", "import FILE into Dog", "import FILE as new Dog", "export Dog to FILE as csv",
    "export group Dog by age { n: @count } to FILE as csv", "dump to FILE", "show Dog > FILE",
    "write { import FILE into Dog }", "follow store --after-file FILE",
  ]

  @Test(arguments: statements, ["dir/x.csv", "'dir/x.csv'", "~/x.csv", "'~/x.csv'"])
  func `each statement takes a path in the same way`(statement: String, file: String) throws {
    var parser = StatementParser(Self.source(statement.replacing("FILE", with: file)))
    let parsed = String(describing: try #require(try parser.next()).form)
    let path = file.contains("~") ? Self.home + "/x.csv" : "scripts/dir/x.csv"
    #expect(parsed.contains("\"\(path)\""), "\(parsed)")
  }

  @Test(arguments: statements)
  func `a quote that is not closed names no file`(statement: String) {
    var parser = StatementParser(Self.source(statement.replacing("FILE", with: "\"x")))
    #expect(throws: ShellError.self) { try parser.next() }
  }
}
