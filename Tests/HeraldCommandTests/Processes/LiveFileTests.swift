import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `import … live` of files that grow, and of those that are replaced.
@Suite(.serialized) struct LiveFileTests {
  private static let jsonClass = "class J { a: int; b: string? }; "

  @Test func `a file that grows is followed, also when it is replaced or emptied`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/access.log"
    func lines(_ numbers: ClosedRange<Int>) -> String {
      numbers.map { "h - - [30/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.1\" 200 \($0)\n" }.joined()
    }
    try FileTree.save(lines(1...1), to: path)
    let program = try Conversation([
      "-c", "class R { n: int }; observe R as r",
      "-c", "import \"\(path)\" into R live with columns { *: skip, bytes: n }",
    ])
    var output = try program.read(until: "r: insertions [0]\n")
    try append(lines(2...2), to: path)
    output = try program.read(until: "r: insertions [1]\n", after: output)
    #expect(rename(path, path + ".1") == 0)
    try append(lines(3...3), to: path + ".1")
    output = try program.read(until: "r: insertions [2]\n", after: output)
    try FileTree.save(lines(4...5), to: path)
    output = try program.read(until: "4]\n", after: output)
    try FileTree.save(lines(6...6), to: path)
    output = try program.read(until: "5]\n", after: output)
    program.interrupt()
    #expect(program.leave() == 130)
  }

  @Test func `a table that is replaced has a header of its own, one that is emptied goes on`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t.csv"
    try FileTree.save("# first\na,b\n1,x\n", to: path)
    let program = try Conversation([
      "-c", Self.jsonClass + "details on; observe J as j",
      "-c", "import \"\(path)\" into J live",
    ])
    var output = try program.read(until: "J#1 {a: 1, b: \"x\"}\n")
    try FileTree.save("b,a\ny,2\n", to: path + ".new")
    #expect(rename(path + ".new", path) == 0)
    output = try program.read(until: "J#2 {a: 2, b: \"y\"}\n", after: output)
    // The new header and the records may come apart.
    try FileTree.save("# third\nb,a\n", to: path + ".new")
    #expect(rename(path + ".new", path) == 0)
    try append("z,3\n", to: path)
    output = try program.read(until: "J#3 {a: 3, b: \"z\"}\n", after: output)
    #expect(truncate(path, 0) == 0)
    try append("b,4\n", to: path)
    _ = try program.read(until: "J#4 {a: 4, b: \"b\"}\n", after: output)
    program.interrupt()
    #expect(program.leave() == 130)
  }

  private func append(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_APPEND)
    defer { close(file) }
    try OutputBytes.write(Array(text.utf8), to: file)
  }
}
