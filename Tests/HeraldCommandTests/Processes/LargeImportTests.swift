import Glibc
import TestSupport
import Testing

/// Imports that write more than a transaction keeps in memory: all or nothing, and nobody sees a part.
@Suite(.serialized) struct LargeImportTests {
  private static let rows = 30_000

  /// A folder with a file of 27 MB, and the path of a store beside it.
  private func withFiles(
    last: String = "", _ body: (_ file: String, _ store: String) throws -> Void
  ) throws {
    try withFolder { folder in
      let text = String(repeating: "lorem ipsum ", count: 75)
      let lines = (1...Self.rows).map { "\($0),\(text)\($0)\n" }.joined()
      try FileTree.save("id,text\n" + lines + last, to: "\(folder)/rows.csv")
      try body("\(folder)/rows.csv", "\(folder)/rows.hdb")
    }
  }

  /// What a store with a killed or failed import must still be able to do.
  private func expectUsable(_ store: String, _ file: String) throws {
    let checked = try ProgramRun([store, "-c", "check", "-c", "add Tick {n: 2}", "-c", "schema"])
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(!checked.output.contains("class Row"))
    #expect(FileTree.size(store) < 3 << 20, "what the import wrote is cut off")
    let imported = try ProgramRun([
      store, "-c", "import \"\(file)\" as new Row", "-c", "count Row", "-c", "check",
    ])
    #expect(imported.output.hasPrefix("\(Self.rows)\n"), "\(imported.errors)")
    #expect(imported.status == 0)
  }

  @Test func `an import that is killed leaves nothing or everything`() throws {
    var random = SplitMix64(seed: givenSeed ?? 31)
    try withFiles { file, store in
      let statement = "import \"\(file)\" as new Row"
      var pause = 1_000_000
      for attempt in 0..<6 {
        FileTree.removeStore(store)
        _ = try ProgramRun([store, "-c", "class Tick { n: int }; add Tick {n: 1}"])
        let program = try Conversation([store, "--keep-going"])
        try program.send("print \"ready\"\n")
        _ = try program.read(until: "ready")
        let before = FileTree.size(store)
        try program.send("\(statement)\n")
        if attempt == 0 {
          // The first is killed once pages of the transaction are in the file.
          while FileTree.size(store) < before + 4 << 20, pause > 0 {
            usleep(1000)
            pause -= 1000
          }
        } else {
          usleep(UInt32(random.below(600_000)))
        }
        kill(program.process, SIGKILL)
        _ = program.leave()
        let found = try ProgramRun([store, "-c", "check", "-c", "schema", "-c", "count Tick"])
        #expect(found.status == 0, "\(found.errors)")
        guard found.output.contains("class Row") else {
          try expectUsable(store, file)
          continue
        }
        #expect(attempt > 0, "the first was killed before its commit")
        let rows = try ProgramRun([store, "-c", "count Row"])
        #expect(rows.output == "\(Self.rows)\n")
      }
    }
  }

  @Test func `an error in the last record leaves nothing`() throws {
    try withFiles(last: "5,again\n") { file, store in
      let declared = "class Tick { n: int }; class Text { id: int primary; text: string }"
      _ = try ProgramRun([store, "-c", declared, "-c", "add Tick {n: 1}"])
      let run = try ProgramRun([store, "-c", "import \"\(file)\" into Text"])
      #expect(run.errors.contains("record \(Self.rows + 1)"), "\(run.errors)")
      #expect(FileTree.size(store) < 3 << 20)
      let count = try ProgramRun([store, "-c", "count Text", "-c", "check"])
      #expect(count.output.hasPrefix("0\n") && count.status == 0, "\(count.errors)")
      let dry = try ProgramRun([store, "-c", "import \"\(file)\" as new Row dry run"])
      #expect(dry.output.contains("class Row"), "\(dry.errors)")
      #expect(FileTree.size(store) < 3 << 20)
    }
  }

  @Test
  func `other programs see an import and are notified at its commit, and their writes wait for it`()
    throws
  {
    try withFiles { file, store in
      _ = try ProgramRun([store, "-c", "class Row { id: int primary; text: string }"])
      let follower = try Conversation([
        store, "-c", "follow Row where id > 29998 sort(id)", "--json",
      ])
      #expect(try follower.readLine().contains("\"count\":0"))
      let writer = try Conversation([store, "--keep-going"])
      let observed = "observe Row where id == 7 as seven\n"
      try writer.send("\(observed)begin\nimport \"\(file)\" into Row\nprint \"imported\"\n")
      _ = try writer.read(until: "imported\n")
      #expect(FileTree.size(store) > 4 << 20, "pages are in the file")
      let reader = try ProgramRun([store, "-c", "count Row", "-c", "check"])
      #expect(reader.output.hasPrefix("0\n") && reader.status == 0, "\(reader.errors)")
      let other = try Conversation([store])
      try other.send("add Row {id: 0, text: \"later\"}; print Row.@count\n")
      try writer.send("commit\nprint \"committed\"\n")
      let output = try writer.read(until: "committed\n")
      #expect(output.contains("seven: insertions [0]"), "\(output)")
      _ = try other.read(until: "\(Self.rows + 1)\n")
      let update = try follower.readLine()
      #expect(update.contains("\"insertions\":[0,1]"), "\(update.prefix(300))")
      follower.interrupt()
      #expect(follower.leave() == 130)
      #expect(other.leave() == 0)
      #expect(writer.leave() == 0)
      let checked = try ProgramRun([store, "-c", "check", "-c", "count Row"])
      #expect(checked.status == 0 && checked.output.hasSuffix("\(Self.rows + 1)\n"))
    }
  }
}
