import Herald

/// The position in a text where somebody types: the partial word there, and what the parser expects instead of
/// it.
struct CompletionPoint {
  /// Where the word begins, in bytes.
  let start: Int
  /// The typed part of the word, without an opening quote.
  let partial: String
  /// The opening quote of a file's name or a key.
  var quote: UInt8?
  let notes: ParserNotes
  /// Whether a blank is missing before the expected token.
  private(set) var needsBlank = false

  /// nil at the end of comments and most strings, which have no completions.
  init?(_ bytes: [UInt8]) {
    switch Self.surroundings(bytes) {
    case .comment: return nil
    case .string(let start):
      notes = Self.notes(Array(bytes[..<start]))
      guard notes.expectsFile || notes.expectsKey || notes.expectsValue else { return nil }
      self.start = start
      quote = bytes[start]
      partial = String(decoding: bytes[(start + 1)...], as: UTF8.self)
    case .statement:
      let fileStart = bytes.lastIndex(where: Self.endsFile).map { $0 + 1 } ?? 0
      let fileNotes = Self.notes(Array(bytes[..<fileStart]))
      let isFile = fileNotes.expectsFile && fileStart > 0
      start = isFile ? fileStart : Self.wordStart(bytes)
      notes = isFile ? fileNotes : Self.notes(Array(bytes[..<start]))
      partial = String(decoding: bytes[start...], as: UTF8.self)
      if let last = bytes.last {
        needsBlank = !Byte.isBlank(last) && last != Byte.newline && !Self.joining.contains(last)
      }
    }
  }

  /// The signs that the next word follows without a blank.
  private static let joining = Array(".@#$([<-".utf8)

  private enum Surroundings {
    case statement, comment
    case string(start: Int)
  }

  private static func surroundings(_ bytes: [UInt8]) -> Surroundings {
    var lexer = Lexer(bytes)
    var last = lexer.next()
    var token = last
    while token.kind != .end {
      last = token
      token = lexer.next()
    }
    let end = last.kind == .end ? 0 : last.end
    if last.kind == .unterminated, end == bytes.count { return .string(start: last.start) }
    return bytes[end...].allSatisfy(Byte.isBlank) ? .statement : .comment
  }

  private static func endsFile(_ byte: UInt8) -> Bool {
    Byte.isBlank(byte) || byte == Byte.newline || byte == Byte.semicolon
  }

  /// A name, with the dollar sign of a variable.
  private static func wordStart(_ bytes: [UInt8]) -> Int {
    var start = bytes.count
    while start > 0, Byte.isNamePart(bytes[start - 1]) || bytes[start - 1] >= 0x80 { start -= 1 }
    return start > 0 && bytes[start - 1] == Byte.dollar ? start - 1 : start
  }

  /// The notes of a parser that reads a text to its end.
  static func notes(_ bytes: [UInt8]) -> ParserNotes {
    let notes = ParserNotes()
    var parser = StatementParser(Source(name: "", bytes: bytes), notes: notes)
    var isSeparated = true
    while true {
      if parser.skipSeparators() { isSeparated = true }
      if parser.token.kind == .end { break }
      let start = parser.token.start
      notes.openWrites = 0
      do {
        _ = try parser.next()
        isSeparated = false
      } catch {
        guard notes.expectations.isEmpty else { return notes }
        parser.recover(from: start)
        isSeparated = bytes[..<min(parser.lastEnd, bytes.count)].last.map(isSeparator) ?? true
      }
    }
    if isSeparated { notes.expect(.statement) }
    return notes
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == Byte.newline || byte == Byte.semicolon
  }
}

extension ParserNotes {
  fileprivate var expectsKey: Bool {
    expectations.contains {
      switch $0 {
      case .mapKey, .query(.key, root: _, within: _), .query(.mapKey, root: _, within: _):
        true
      case .statement, .word, .expected, .query: false
      }
    }
  }

  /// Whether a value is expected, which may be a string of the store.
  fileprivate var expectsValue: Bool {
    expectations.contains {
      switch $0 {
      case .query(.operand, root: _, within: _): true
      case .expected(let what, of: let owner):
        CompletionKind(rawValue: what) == .value && owner != nil
      case .statement, .word, .mapKey, .query: false
      }
    }
  }

  fileprivate var expectsFile: Bool {
    expectations.contains {
      if case .expected(let what, of: _) = $0 {
        CompletionKind(rawValue: what)?.isFile ?? false
      } else {
        false
      }
    }
  }
}
