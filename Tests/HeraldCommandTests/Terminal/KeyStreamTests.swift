import Testing

@testable import HeraldCommand

struct KeyStreamTests {
  private func keys(_ parts: [[UInt8]], then patience: KeyStream.Patience) -> [KeyStream.Key] {
    var stream = KeyStream()
    var keys: [KeyStream.Key] = []
    for part in parts {
      stream.append(part)
      while let key = stream.next(.waiting) { keys.append(key) }
    }
    while let key = stream.next(patience) { keys.append(key) }
    return keys
  }

  private static let text = "aé日🐶\u{1B}[A\u{1B}[200~x\ry\u{1B}[201~z"
  private static let expected: [KeyStream.Key] =
    "aé日🐶".unicodeScalars.map { .character($0) } + [
      .sequence("\u{1B}[A"), .paste("x\ny"), .character("z"),
    ]

  @Test func `Keys are the same wherever the bytes are torn`() {
    let bytes = Array(Self.text.utf8)
    for cut in 0...bytes.count {
      #expect(
        keys([Array(bytes[..<cut]), Array(bytes[cut...])], then: .waiting) == Self.expected)
    }
    #expect(keys(bytes.map { [$0] }, then: .waiting) == Self.expected)
  }

  @Test func `An escape is a key once nothing follows it`() {
    #expect(keys([[0x1B]], then: .waiting) == [])
    #expect(keys([[0x1B]], then: .exhausted) == [.character("\u{1B}")])
  }

  @Test func `Sequences are whole keys, with Alt only where an escape is no command`() {
    let text = "\u{1B}[1;2D\u{1B}OP\u{1B}[[A\u{1B}é\u{1B}\u{1B}[Cx"
    #expect(
      keys([Array(text.utf8)], then: .waiting) == [
        .sequence("\u{1B}[1;2D"), .sequence("\u{1B}OP"), .sequence("\u{1B}[[A"),
        .sequence("\u{1B}é"),
        .sequence("\u{1B}\u{1B}[C"), .character("x"),
      ])
    var stream = KeyStream()
    stream.joinsMeta = false
    stream.append(Array("\u{1B}0".utf8))
    let found = [stream.next(.waiting), stream.next(.waiting)]
    #expect(found == [.character("\u{1B}"), .character("0")])
    #expect(keys([[0x1B, 0x5B, 0x31]], then: .waiting) == [])
  }

  @Test func `The terminal's report of the cursor's position is no key`() {
    var stream = KeyStream()
    stream.append(Array("a\u{1B}[12;34Rb".utf8))
    let column = stream.takeReportedColumn()
    #expect(column == 34)
    let found = [stream.next(.waiting), stream.next(.waiting), stream.next(.waiting)]
    #expect(found == [.character("a"), .character("b"), nil])
  }

  @Test func `Bytes that are not UTF-8 are dropped and the next key is whole`() {
    #expect(keys([[0xFF, 0x61]], then: .waiting) == [.character("a")])
    #expect(keys([[0xE6, 0x61]], then: .waiting) == [.character("a")])
    #expect(keys([[0xE6, 0x97], [0x62]], then: .waiting) == [.character("b")])
    #expect(keys([[0xED, 0xA0, 0x80, 0x63]], then: .waiting) == [.character("c")])
  }

  @Test func `Control characters do not come in by a paste`() {
    #expect(
      keys([Array("\u{1B}[200~a\u{3}\tb\r\nc\r\u{1B}[201~".utf8)], then: .waiting)
        == [.paste("a\tb\nc")])
  }

  @Test func `The key that interrupts ends a paste that has no end, and what came before it`() {
    var stream = KeyStream(interrupt: 3)
    var keys: [KeyStream.Key] = []
    for text in ["\u{1B}[200~abc\u{3}d", "\u{1B}[200~a\u{3}b\u{1B}[201~c"] {
      stream.append(Array(text.utf8))
      while let key = stream.next(.waiting) { keys.append(key) }
    }
    #expect(keys == [.character("\u{3}"), .character("d"), .paste("ab"), .character("c")])
  }

  @Test func `What comes before the last of some keys can be dropped`() {
    var stream = KeyStream(interrupt: 3)
    stream.append(Array("abc".utf8))
    let isDropped = stream.removeAll(upToLast: 3)
    stream.append(Array("d\u{3}e\u{3}f".utf8))
    let isDroppedThen = stream.removeAll(upToLast: 3)
    #expect([isDropped, isDroppedThen] == [false, true])
    let keys = [stream.next(.waiting), stream.next(.waiting)]
    #expect(keys == [.character("f"), nil])
  }
}
