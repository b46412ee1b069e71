import Herald

/// A text whose statements that begin with an alias begin with the alias's text instead, and the positions
/// of what stands in both.
struct AliasExpansion {
  private(set) var bytes: [UInt8] = []
  /// The aliases in the order of the text: the range of the name, and that of its text in `bytes`.
  private(set) var replaced: [(name: Range<Int>, text: Range<Int>)] = []

  /// Expands statements outside of brackets. A name at the end of the text, which may still be typed, and a
  /// name that begins an expression, such as `ll.x`, stay.
  init(_ original: [UInt8], aliases: [String: String]) {
    var offset = 0
    while offset < original.count, !aliases.isEmpty {
      let end = BracketScanner.endOfStatement(original, from: offset, to: original.count)
      var lexer = Lexer(original, from: offset, to: end)
      var word = lexer.next()
      while word.kind == .newline { word = lexer.next() }
      if word.kind == .word, word.end < original.count, Self.endsName(original[word.end]),
        let text = Self.text(of: word, original, aliases)
      {
        bytes += original[offset..<word.start]
        let start = bytes.count
        bytes += text
        replaced.append((word.start..<word.end, start..<bytes.count))
        offset = word.end
      }
      bytes += original[offset..<end]
      offset = max(end, offset + 1)
    }
    if aliases.isEmpty { bytes = original }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    Byte.isBlank(byte) || byte == Byte.newline || byte == Byte.semicolon
  }

  /// The text of the alias, whose first word may be another one.
  private static func text(
    of word: Token, _ original: [UInt8], _ aliases: [String: String]
  ) -> [UInt8]? {
    var name = String(decoding: original[word.start..<word.end], as: UTF8.self)
    var text: [UInt8]?
    var rest: [UInt8] = []
    var seen: Set<String> = []
    while let found = aliases[name], seen.insert(name).inserted {
      let bytes = Array(found.utf8)
      var lexer = Lexer(bytes)
      let first = lexer.next()
      name = String(decoding: bytes[first.start..<first.end], as: UTF8.self)
      text = bytes + rest
      rest = bytes[first.end...] + rest
    }
    return text
  }

  /// The offset in the original text of an offset in the expanded one; nil within an alias's text.
  func original(_ offset: Int) -> Int? {
    var shift = 0
    for (name, text) in replaced {
      if offset < text.lowerBound { break }
      if offset < text.upperBound { return offset == text.lowerBound ? name.lowerBound : nil }
      shift = name.upperBound - text.upperBound
    }
    return offset + shift
  }

  /// The offset in the expanded text of an offset in the original one that is not within a name.
  func expanded(_ offset: Int) -> Int {
    offset
      + (replaced.last { $0.name.upperBound <= offset }.map {
        $0.text.upperBound - $0.name.upperBound
      } ?? 0)
  }
}
