import TestSupport
import Testing

@testable import HeraldCommand

/// `follow store` into a regular file, by runs that were ended between a line and the cursor, or within a line.
@Suite(.serialized) struct ContinuedFeedTests {
  private let folder: TemporaryFolder
  private let options: String

  init() throws {
    folder = try TemporaryFolder()
    options = "--after-file '\(folder.path)/cursor' --once"
    let setup = "class Dog { id: int; name: string }\n"
    let commits = (1...6).map { "add Dog { id: \($0), name: \"Zoë \($0)\" }\n" }.joined()
    #expect(try ProgramRun([store, "-c", setup + commits]).status == 0)
  }

  private var store: String { "\(folder.path)/a.hdb" }
  private var output: String { FileTree.text("\(folder.path)/output") }

  private func follow(_ options: String, mode: String = "--json", to place: String = ">>") throws {
    let statement = "follow store \(options)"
    let script = "exec \"$0\" \"$@\" \(place) '\(folder.path)/output'"
    let run = try ProgramRun(
      ["-c", script, RunningProgram.path, store, mode, "-c", statement], program: "/bin/sh")
    #expect(run.status == 0 && run.errors == "")
  }

  private func setCursor(_ text: String) throws {
    try FileTree.save(Array(text.utf8), to: "\(folder.path)/cursor")
  }

  @Test(arguments: ["--json", "--quiet"])
  func `what was written after the cursor is not written again`(mode: String) throws {
    try follow("from 1 \(options.replacing("--once", with: "--count 2"))", mode: mode)
    let cursor = FileTree.text("\(folder.path)/cursor")
    #expect(cursor.hasPrefix("3\n"))
    #expect(cursor.hasSuffix(" \(output.utf8.count)\n"))
    try follow(options, mode: mode)
    let all = output
    #expect(FileTree.text("\(folder.path)/cursor").hasSuffix(" \(all.utf8.count)\n"))
    // Ended before the cursor was written; within the line after the cursor; within the last one.
    let start = cursor.split(separator: "\n")[1].split(separator: " ").last.flatMap { Int($0) } ?? 0
    for length in [all.utf8.count, start + 5, start, all.utf8.count - 9] {
      try setCursor(cursor)
      try FileTree.save(Array(all.utf8.prefix(length)), to: "\(folder.path)/output")
      try follow(options, mode: mode)
      #expect(output == all, "\(mode), \(length)")
    }
  }

  @Test func `another file, or another text in it, gets all lines after the cursor`() throws {
    try follow("from 1 \(options.replacing("--once", with: "--count 2"))")
    let (cursor, first) = (FileTree.text("\(folder.path)/cursor"), output)
    try follow(options)
    let rest = String(output.dropFirst(first.count))
    // Somebody else wrote a line.
    try setCursor(cursor)
    try FileTree.save(Array((first + "else\n").utf8), to: "\(folder.path)/output")
    try follow(options)
    #expect(output == first + "else\n" + rest)
    // A line without its end.
    try setCursor(cursor)
    try FileTree.save(Array((first + "else").utf8), to: "\(folder.path)/output")
    try follow(options)
    #expect(output == first + "else\n" + rest)
    // The file begins anew.
    try setCursor(cursor)
    try follow(options, to: ">")
    #expect(output == rest)
    // A cursor of before, or of a pipe, has its version alone.
    try setCursor("3\n")
    try follow(options)
    #expect(output == rest + rest)
  }
}
