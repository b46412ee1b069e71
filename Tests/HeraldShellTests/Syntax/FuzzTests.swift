import Glibc
import Herald
import TestSupport
import Testing

@testable import HeraldShell

private let trials = 100_000

private let seeds: [String] =
  CommandReference.commands.flatMap(\.examples) + [
    "write without a, b { add Dog [ {a: 1\n b: [1, -2.5e3]}, {c: \"\\u00e9\\n\"} ]; clear $p.x }",
    "if ANY $p.dogs.age > 3 && NOT name LIKE[c] 'a*' { print (Dog sort(a desc, b))[0].x } else { }",
    "expect error \"x\" { observe Dog where a == \"}\" as t keypaths a.*, b do { @bg refresh } }",
    "expect d deletions [1] insertions [0, 4] modifications [2->1, 5] owner deleted",
    "embedded class A { b: set<uuid>; c: map<any>; d: backlinks<Dog.a> }; dump to x; export A to y",
    "add A { b: [uuid(\"9f2c\"), oid()], c: {\"x y\": {z: [nan, -inf, binary(\"AA==\")]}} } as $a",
    "observe property $a.c as k; expect k name \"a\" -> decimal(\"1.5\"); remove $a.c[\"x\"][0]",
    "class Dog { a: int? = 3 primary; b: list<Dog> indexed\n c: date = 2026-11-21@10:30:00 }",
  ]

private let pieces: [String] = [
  "{", "}", "[", "]", "(", ")", "\"", "'", "#", "$", "@", ".", ",", ";", ":", "=", "+", "-", "->",
  "*", "\n", " ", "\\", "\\u", "99999999999999999999", "1e999", "where", "sort(", "limit(", "as",
  "do {", "keypaths", "nil", "$x.y[0]", "Dog#1", "Dog#\"", "é", "日", "🐶", "expect error \"\" {",
]

struct FuzzTests {
  @Test func `a hundred thousand damaged statements neither crash the parser nor stop it`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<trials {
      let bytes = damaged(Array(seeds.randomElement(using: &random)!.utf8), &random)
      var parser = StatementParser(Source(name: "test", bytes: bytes))
      var steps = 0
      while true {
        parser.skipSeparators()
        let start = parser.token.start
        do {
          guard try parser.next() != nil else { break }
        } catch {
          let text = ErrorRenderer.text(error, .text)
          #expect(!text.isEmpty && error.span.start <= bytes.count, "seed \(seed)")
          parser.recover(from: start)
        }
        steps += 1
        if steps > bytes.count + 2 {
          Issue.record("the parser does not go on; seed \(seed): \(bytes)")
          return
        }
      }
    }
  }

  @Test func `damaged files do not crash the importer's readers`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    let files = [
      "[{\"a\":1,\"b\":[1,2.5,null],\"c\":{\"d\":\"\\u00e9\"}},{\"a\":-3e2}]",
      "{\"a\":true}\n{\"a\":false,\"b\":\"x\"}\n",
      "a,b,\"c d\"\r\n1,\"x\"\"y\",\r\n2,\"l\nm\",z\r\n",
      "level=info msg=\"a \\\"b\\\" \\u00e9\" ms=1 ok\nlevel=warn ms= \n",
      "h - u [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 23 \"-\" \"m \\x41\" 0.1\n",
    ]
    for _ in 0..<trials {
      let bytes = damaged(Array(files.randomElement(using: &random)!.utf8), &random)
      var records = 0
      do {
        var reader = try ImportReader(bytes, ImportForm(mayBeLog: true))
        while try reader.next() != nil {
          records += 1
          if records > bytes.count {
            Issue.record("the reader does not end; seed \(seed): \(bytes)")
            return
          }
        }
      } catch {
        #expect(error.line >= 0)
      }
    }
  }

  @Test func `a thousand damaged scripts run without a crash`() async {
    let seed = UInt64.random(in: 0 ... .max)
    // A damaged path would be a store of its own.
    let scripts: [String] = Transcripts.names.compactMap {
      Recording.read("\(Transcripts.folder)/\($0).herald")
    }
    .filter { !$0.contains("open") && !$0.contains("read ") }
    // A damaged statement may write a file. The folder in which it does is the whole process's.
    await #expect(processExitsWith: .success, "seed \(seed)") {
      [seed = seed as UInt64, scripts = scripts as [String]] in
      try withFolder { folder in
        chdir(folder)
        run(scripts, damagedBy: seed)
      }
    }
  }
}

private func run(_ scripts: [String], damagedBy seed: UInt64) {
  var random = SplitMix64(seed: seed)
  for _ in 0..<1_000 {
    let bytes = damaged(Array(scripts.randomElement(using: &random)!.utf8), &random)
    let sink = StoppingSink()
    var options = Interpreter.Options()
    options.keepsGoing = true
    let interpreter = Interpreter(options: options, sink: sink)
    sink.interpreter = interpreter
    interpreter.run(Source(name: "seed \(seed)", bytes: bytes))
    interpreter.finishChecked()
  }
}

/// Stops a script that a damaged block has made endless.
private final class StoppingSink: OutputSink {
  weak var interpreter: Interpreter?
  private var count = 0

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    count += text.utf8.count
    if count > 1 << 17 { interpreter?.interrupt() }
    return text.endIndex
  }

  func writeError(_ text: String) {}
}

/// A text with one to six bytes or pieces changed, put in or taken out.
private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...6, using: &random) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random)!.utf8, at: place)
    case 2: if place < bytes.count { bytes.remove(at: place) }
    case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    default:
      let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
      bytes.replaceSubrange(place..<end, with: bytes[place..<end] + bytes[place..<end])
    }
  }
  return bytes
}
