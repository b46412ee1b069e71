import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

struct HistoryTests {
  @Test func `Entries are written as libedit writes them and read back`() {
    let entries = ["count Dog", "write {\n\tadd Dog {}\n}", "print \"\\né 日本\"", "\u{7F}"]
    let bytes = HistoryFormat.encode(entries)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        _HiStOrY_V2_
        count\\040Dog
        write\\040{\\012\\011add\\040Dog\\040{}\\012}
        print\\040"\\134né\\040日本"
        \\177

        """)
    #expect(HistoryFormat.decode(bytes) == entries)
  }

  @Test func `A file of another kind is not read`() {
    #expect(HistoryFormat.decode(Array("count Dog\n".utf8)) == [])
    #expect(HistoryFormat.decode([]) == [])
  }

  @Test func `A torn escape at the end is harmless`() {
    #expect(HistoryFormat.decode(Array("_HiStOrY_V2_\na\\\nb\\04\n\\777\n".utf8)).count == 3)
  }

  @Test func `An entry's earlier equals go, and the oldest beyond the limit`() {
    #expect(HistoryFile.merge(["a", "b", "a"], with: "a") == ["b", "a"])
    let many = (0..<HistoryFile.limit).map(String.init)
    let merged = HistoryFile.merge(many, with: "new")
    #expect(merged.count == HistoryFile.limit)
    #expect(merged.first == "1")
    #expect(merged.last == "new")
  }

  @Test func `Two shells add to one file, which only its owner reads`() throws {
    let folder = try TemporaryFolder()
    let one = HistoryFile(path: folder.path + "/state/herald/history")
    let other = HistoryFile(path: one.path)
    try one.add("first")
    try other.add("second")
    try one.add("third")
    #expect(other.load() == ["first", "second", "third"])
    #expect(FileTree.permissions(one.path) == 0o600)
  }

  @Test func `A folder that cannot be made is an error with a reason`() {
    let history = HistoryFile(path: "/dev/null/herald/history")
    #expect(throws: SystemFailure.self) { try history.add("x") }
  }
}
