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

  /// Files, of which the second replaces the first, in pieces; and what is exported of their objects then.
  @Test(arguments: [
    // Columns that are missing, or new, or elsewhere.
    ("id,name,age\n1,x,3\n", ["age,id\n9,2\n", "9,3\n"], "id,name,age\n1,x,3\n2,,9\n3,,9\n"),
    ("id,name\n1,x\n", ["id,name,age\n3,z,7\n", "4,w,8\n"], "id,name,age\n1,x,\n3,z,7\n4,w,8\n"),
    ("id,name\n1,x\n", ["age,id\n7,1\n"], "id,name,age\n1,x,\n1,,7\n"),
    // A line that cannot be read.
    ("id,name\n1,x\n", ["2,\"y\n", "3,z\n"], "id,name\n1,x\n3,z\n"),
    // Comments, the delimiter and the header come one after the other.
    ("id,name\n1,x\n", ["# c\n", "name,id\n", "y,2\n"], "id,name\n1,x\n2,y\n"),
    ("id,name\n1,x\n", ["sep=;\n", "name;id\n", "y;2\n"], "id,name\n1,x\n2,y\n"),
    ("id,name\n1,x\n", ["name;id\ny;2\n"], "id,name\n1,x\n2,y\n"),
    ("id,a b\n1,x\n", ["a_b,id\nz,3\n"], "id,a_b\n1,x\n3,z\n"),
  ])
  func `a header says which columns the file has that it begins`(
    first: String, pieces: [String], expected: String
  ) throws {
    let folder = try TemporaryFolder()
    let (path, store) = (folder.path + "/t.csv", folder.path + "/s.hdb")
    try FileTree.save(first, to: path)
    let program = try Conversation([store, "-c", "import \"\(path)\" into T live"])
    let columns = String(expected.prefix { $0 != "\n" })
    func export(_ columns: String) -> String {
      (try? ProgramRun([store, "-c", "export T { \(columns) } to - as csv"]))?.output ?? ""
    }
    #expect(becomesTrue { export("id") == "id\n1\n" })
    for (place, piece) in pieces.enumerated() {
      if place > 0 {
        usleep(50_000)
        try append(piece, to: path)
        continue
      }
      try FileTree.save(piece, to: path + ".new")
      #expect(rename(path + ".new", path) == 0)
    }
    #expect(becomesTrue { export(columns) == expected }, "\(export(columns))")
    program.interrupt()
    #expect(program.leave() == 130)
  }

  private func append(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_APPEND)
    defer { close(file) }
    try OutputBytes.write(Array(text.utf8), to: file)
  }
}
