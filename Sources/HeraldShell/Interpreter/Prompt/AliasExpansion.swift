import Herald

/// A text whose statements that begin with an alias begin with the alias's text instead, and the positions
/// of what stands in both.
struct AliasExpansion {
  private(set) var bytes: [UInt8] = []
  /// The aliases in the order of the text: the range of the name, and that of its text in `bytes`.
  private(set) var replaced: [(name: Range<Int>, text: Range<Int>)] = []

  /// Expands statements, also in blocks. A name at the end of the text, which may still be typed, and a name that
  /// begins an expression, such as `ll.x`, stay; so does one in the text of an alias, which could be its own.
  init(_ original: [UInt8], aliases: [String: String]) {
    bytes = original
    guard !aliases.isEmpty else { return }
    for start in Self.statements(of: original) { replace(start, original, aliases) }
    guard Self.mayHaveMore(original, aliases, outside: replaced) else { return }
    // Only the parser distinguishes a block from other braces, and it reads the expansions of the aliases before it.
    while let start = nextStatement(original, aliases) { replace(start, original, aliases) }
  }

  /// Where the statements outside of brackets begin that begin with a word.
  private static func statements(of text: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var offset = 0
    while offset < text.count {
      let end = BracketScanner.endOfStatement(text, from: offset, to: text.count)
      var lexer = Lexer(text, from: offset, to: end)
      var word = lexer.next()
      while word.kind == .newline { word = lexer.next() }
      if word.kind == .word { starts.append(word.start) }
      offset = max(end, offset + 1)
    }
    return starts
  }

  /// Where the next statement in a block begins that an alias begins, in the original text; nil if there is none.
  private func nextStatement(_ text: [UInt8], _ aliases: [String: String]) -> Int? {
    let starts = StatementParser.blockStatements(of: Source(name: "", bytes: bytes))
    return starts.compactMap { self.original($0) }.first { start in
      Self.name(at: start, text, aliases) != nil
        && !replaced.contains { $0.name.lowerBound == start }
    }
  }

  /// Whether the name of an alias stands in the text where none was replaced.
  private static func mayHaveMore(
    _ text: [UInt8], _ aliases: [String: String],
    outside replaced: [(name: Range<Int>, text: Range<Int>)]
  ) -> Bool {
    guard text.contains(Byte.openBrace) else { return false }
    var lexer = Lexer(text)
    var token = lexer.next()
    while token.kind != .end {
      if token.kind == .word, name(at: token.start, text, aliases) != nil,
        !replaced.contains(where: { $0.name.lowerBound == token.start })
      {
        return true
      }
      token = lexer.next()
    }
    return false
  }

  /// The word at an offset, if it is an alias that begins a statement there.
  private static func name(
    at start: Int, _ original: [UInt8], _ aliases: [String: String]
  ) -> Token? {
    var lexer = Lexer(original, from: start)
    let word = lexer.next()
    guard word.kind == .word, word.start == start, word.end < original.count,
      endsName(original[word.end]),
      aliases[String(decoding: original[word.start..<word.end], as: UTF8.self)] != nil
    else { return nil }
    return word
  }

  /// Replaces the name at an offset of the original text, if one is there.
  private mutating func replace(_ start: Int, _ original: [UInt8], _ aliases: [String: String]) {
    guard let word = Self.name(at: start, original, aliases),
      let text = Self.text(of: word, original, aliases)
    else { return }
    let place = expanded(word.start)
    let shift = text.count - (word.end - word.start)
    bytes.replaceSubrange(place..<place + word.end - word.start, with: text)
    let index = replaced.firstIndex { $0.name.lowerBound > start } ?? replaced.count
    for later in index..<replaced.count {
      let range = replaced[later].text
      replaced[later].text = range.lowerBound + shift..<range.upperBound + shift
    }
    replaced.insert((word.start..<word.end, place..<place + text.count), at: index)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    Byte.isBlank(byte) || byte == Byte.newline || byte == Byte.semicolon
      || byte == Byte.closeBrace
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
