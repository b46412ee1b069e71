import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

private let seeds = (0..<200).map { firstSeed + $0 }

/// The additions of a long block that come through a pipe, which are kept in a file (language 2): what a script prints,
/// and where its mistakes are, does not depend on that.
struct SpooledAdditionTests {
  /// The pieces of a script as they come through a pipe, each a whole statement whose lines arrive a few at a time.
  private static func pieces(
    of script: String, _ random: inout SplitMix64
  ) -> (sources: [Source], spooled: Int) {
    var sources: [Source] = []
    var spooled = 0
    var (text, spool, scanner) = ([UInt8](), BlockSpool(), BracketScanner())
    var line = 1
    func take() {
      let source = Source(name: "test", bytes: text, firstLine: line, without: spool)
      line += text.count { $0 == Byte.newline } + spool.lineCount
      spooled += spool.lineCount
      sources.append(source)
      (text, spool, scanner) = ([], BlockSpool(), BracketScanner())
    }
    for part in script.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let bytes = Array(part.utf8) + [Byte.newline]
      text += bytes
      scanner.feed(bytes)
      if scanner.isBalanced {
        take()
      } else if random.oneIn(3) {
        _ = spool.move(from: &text, to: text.count)
      }
    }
    if !text.isEmpty { take() }
    return (sources, spooled)
  }

  private static func result(_ run: ScriptRun) -> [String] {
    [run.output, run.errors, "\(run.status)"]
  }

  @Test(arguments: seeds)
  func `a block does the same whether its text is in memory or in a file`(seed: UInt64) {
    var writer = RandomAdditions(seed: seed)
    var random = SplitMix64(seed: seed)
    let lines = (0..<4).flatMap { _ in writer.block() }
    let others = ["  # note", "", "  print 1", "  let $x = A", "  if 1 == 1 {", "  }", "  print ("]
    var script = RepeatedAdditionTests.classes
    for line in lines {
      script += line + "\n"
      if random.oneIn(12) { script += random.pick(others) + "\n" }
    }
    script += "show A\nshow K\nshow L\nadd A {}\nshow A\ndump\n"
    var options = Interpreter.Options()
    options.keepsGoing = random.oneIn(2)
    options.echoes = random.oneIn(8)
    let (pieces, _) = Self.pieces(of: script, &random)
    let whole = ScriptRun(pieces.map { Self.unspooled($0) }, options)
    #expect(Self.result(ScriptRun(pieces, options)) == Self.result(whole), "seed \(seed)")
  }

  private static func unspooled(_ source: Source) -> Source {
    do {
      return try source.whole
    } catch {
      Issue.record(error)
      return source
    }
  }

  @Test func `the whole text of a source is what came`() throws {
    var spooled = 0
    for seed in seeds {
      var writer = RandomAdditions(seed: seed)
      var random = SplitMix64(seed: seed)
      let script = (0..<4).flatMap { _ in writer.block() }.joined(separator: "\n") + "\n"
      let pieces = Self.pieces(of: script, &random)
      spooled += pieces.spooled
      let text = try pieces.sources.flatMap { try $0.whole.bytes }
      #expect(String(decoding: text, as: UTF8.self) == script, "seed \(seed)")
    }
    #expect(spooled > 500)
  }

  @Test func `only additions directly in a block of a write are kept in a file`() throws {
    var text = Array(
      """
      write {
        add A { i: 1 }
        add A { i: 2 }
        print 1
        add A { i: 3 }
        if 1 == 1 {
          add A { i: 4 }
        }
        add A { i: 5 }; add A { i: 6 }
        add A { i: 7 } as $a

      """.utf8)
    var spool = BlockSpool()
    let count = text.count
    #expect(spool.move(from: &text, to: count) == count - text.count)
    #expect(
      String(decoding: text, as: UTF8.self) == """
        write {
          print 1
          if 1 == 1 {
            add A { i: 4 }
          }
          add A { i: 5 }; add A { i: 6 }
          add A { i: 7 } as $a

        """)
    #expect(spool.additions.map(\.lineCount) == [2, 1])
    let rest = Array("  add A { i: 8 }\n}\ncount A\n".utf8)
    var parser = StatementParser(Source(name: "test", bytes: text + rest, without: spool))
    guard let write = try parser.next()?.form as? WriteStatement else {
      Issue.record("no write")
      return
    }
    #expect(parser.hasTakenSpooled)
    #expect(
      write.statements.map { $0.form is AddSpooledStatement ? "spooled" : "parsed" }
        == ["spooled", "parsed", "spooled", "parsed", "parsed", "parsed", "parsed", "parsed"])
    for head in ["for $x in [1, 2] {", "write { print 1", "let $x = 1; write {", "print ("] {
      var other = Array("\(head)\n  add A { i: 1 }\n".utf8)
      var spool = BlockSpool()
      #expect(spool.move(from: &other, to: other.count) == 0, "\(head)")
    }
  }

  @Test func `a mistake is reported at its line behind additions in a file`() {
    func errors(_ lines: [String]) -> String {
      var random = SplitMix64(seed: 1)
      let script = ["class A { i: int }", "write {"] + lines + ["}", ""]
      let pieces = Self.pieces(of: script.joined(separator: "\n"), &random)
      return ScriptRun(pieces.sources).errors
    }
    let additions = (1...40).map { "add A { i: \($0) }" }
    // At run time, in a statement that is parsed, in the text, and where the block does not end.
    #expect(errors(additions + ["add A { i: nil }"]).hasPrefix("test:43:12: error: "))
    #expect(errors(additions + ["add A { i: 1 2 }"]).hasPrefix("test:43:14: error: "))
    #expect(errors(additions + ["print $x"] + additions).hasPrefix("test:43:7: error: "))
    #expect(errors(additions + ["print ("] + additions).contains("error: "))
  }
}
