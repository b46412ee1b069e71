import Herald

/// A word behind `with` in an `import`, and what it says of the file.
struct ImportOption: Sendable {
  typealias Parse =
    @Sendable (_ parser: inout StatementParser, _ file: inout ImportSyntax) throws(ShellError) ->
    Void

  let word: StaticString
  /// What it says of the form of the file.
  enum Scope {
    /// It is CSV.
    case csv
    /// Nothing, but only CSV has what the option is of.
    case fields
    case any
  }
  let scope: Scope
  /// Parses what follows the word.
  let parse: Parse

  init(_ word: StaticString, of scope: Scope, _ parse: @escaping Parse) {
    self.word = word
    self.scope = scope
    self.parse = parse
  }

  private static let all: [ImportOption] = [
    ImportOption("delimiter", of: .csv) { parser, file throws(ShellError) in
      file.form.delimiter = parser.takeIf("tab") ? Byte.tab : try asciiSign(&parser)
    },
    ImportOption("quote", of: .csv) { parser, file throws(ShellError) in
      file.form.dialect.quote = parser.takeIf("none") ? nil : try asciiSign(&parser)
    },
    ImportOption("escape", of: .csv) { parser, file throws(ShellError) in
      file.form.dialect.escape = try asciiSign(&parser)
    },
    ImportOption("header", of: .csv) { parser, file throws(ShellError) in
      file.form.hasHeader = try yesOrNo(&parser)
    },
    ImportOption("skip", of: .any) { parser, file throws(ShellError) in
      file.form.skippedLines = try parser.count("a number of lines")
    },
    ImportOption("comment", of: .fields) { parser, file throws(ShellError) in
      file.form.dialect.comment = Array(try text(&parser, "the beginning of a comment").utf8)
    },
    ImportOption("short", of: .fields) { parser, file throws(ShellError) in
      try parser.take("rows")
      file.form.dialect.allowsShortRecords = true
    },
    ImportOption("nil", of: .fields) { parser, file throws(ShellError) in
      file.form.dialect.notation.missing = try list(&parser) { parser throws(ShellError) in
        Array(try text(&parser, "what means nil").utf8)
      }
    },
    ImportOption("decimal", of: .fields) { parser, file throws(ShellError) in
      file.form.dialect.notation.decimal = try numberSign(&parser, file)
    },
    ImportOption("thousands", of: .fields) { parser, file throws(ShellError) in
      file.form.dialect.notation.thousands = try thousands(&parser, file)
    },
    ImportOption("dates", of: .fields) { parser, file throws(ShellError) in
      file.form.dialect.notation.dates = try list(&parser, dates)
    },
    ImportOption("form", of: .any) { parser, file throws(ShellError) in
      file.form.log = try logForm(&parser)
    },
    ImportOption("encoding", of: .any) { parser, file throws(ShellError) in
      file.form.encoding = try encoding(&parser)
    },
    ImportOption("columns", of: .any) { parser, file throws(ShellError) in
      file.columns = try ImportSyntax.columnChoice(&parser)
    },
  ]

  static func parse(
    _ parser: inout StatementParser, _ file: inout ImportSyntax
  ) throws(ShellError) {
    let start = parser.token
    for option in all where parser.takeIf(option.word) {
      guard file.options.insert("\(option.word)").inserted else {
        throw parser.failure(.query("'\(option.word)' is given twice"), at: start.span)
      }
      switch option.scope {
      case .csv: file.form.isCSV = true
      case .fields: file.form.fieldOption = "\(option.word)"
      case .any: break
      }
      return try option.parse(&parser, &file)
    }
    let words = all.map { "'\($0.word)'" }
    throw parser.expected(
      words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1])
  }

  /// Whether an option follows, and no file with the name of one.
  static func isNext(_ parser: StatementParser) -> Bool {
    for option in all where parser.isWord(option.word) {
      var ahead = parser
      ahead.advance()
      return !ahead.isSign(".") && !ahead.isSign("/") && !ahead.isWord("into")
        && !ahead.isWord("as")
    }
    return false
  }
}

// MARK: Parts

extension ImportOption {
  private static func yesOrNo(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    if parser.takeIf("yes") { return true }
    if parser.takeIf("no") { return false }
    throw parser.expected("'yes' or 'no'")
  }

  private static func logForm(_ parser: inout StatementParser) throws(ShellError) -> LogForm {
    if parser.takeIf("logfmt") { return .logfmt }
    if parser.takeIf("log") { return .access }
    throw parser.expected("'logfmt' or 'log'")
  }

  /// A string of one ASCII character that cannot be in a line break.
  private static func asciiSign(_ parser: inout StatementParser) throws(ShellError) -> UInt8 {
    let what = "a character in quotes"
    guard case .string = parser.token.kind else { throw parser.expected(what) }
    let start = parser.token
    let text = Array(try parser.string().utf8)
    guard text.count == 1, text[0] < 0x80, text[0] != Byte.newline, text[0] != Byte.carriageReturn
    else {
      throw parser.failure(.expected(what, found: parser.source.text(start.span)), at: start.span)
    }
    return text[0]
  }

  private static func text(
    _ parser: inout StatementParser, _ what: String
  ) throws(ShellError) -> String {
    guard case .string = parser.token.kind else { throw parser.expected("\(what) in quotes") }
    let start = parser.token
    let text = try parser.string()
    guard !text.isEmpty, !text.utf8.contains(where: Byte.endsLine) else {
      throw parser.failure(
        .expected("\(what) in quotes", found: parser.source.text(start.span)), at: start.span)
    }
    return text
  }

  /// `"NA", "-"`: what each text means, as long as another one follows the comma.
  private static func list<Part>(
    _ parser: inout StatementParser,
    _ part: (inout StatementParser) throws(ShellError) -> Part
  ) throws(ShellError) -> [Part] {
    var parts: [Part] = []
    while true {
      parts.append(try part(&parser))
      guard parser.isSign(",") else { return parts }
      var ahead = parser
      ahead.advance()
      guard case .string = ahead.token.kind else { return parts }
      // A file may have quotes, too.
      var behind = ahead
      behind.advance()
      if behind.isWord("into") || behind.isWord("as") { return parts }
      parser = ahead
    }
  }

  /// A sign in numbers, which cannot be a part of a number in another way.
  private static func numberSign(
    _ parser: inout StatementParser, _ file: ImportSyntax
  ) throws(ShellError) -> UInt8 {
    let span = parser.token.span
    let byte = try asciiSign(&parser)
    try checkNumberSign([byte], in: file, span, parser)
    return byte
  }

  /// Checks that a sign is no part of every number, and that decimals and thousands have different ones.
  private static func checkNumberSign(
    _ sign: [UInt8], in file: ImportSyntax, _ span: SourceSpan, _ parser: StatementParser
  ) throws(ShellError) {
    let notation = file.form.dialect.notation
    let isTaken = notation.decimal.map { [$0] == sign } ?? (notation.thousands == sign)
    if isTaken {
      throw parser.failure(.query("decimal and thousands are the same character"), at: span)
    }
    guard let byte = sign.first, Byte.isNamePart(byte) || byte == Byte.minus || byte == Byte.plus
    else { return }
    throw parser.failure(
      .query("a number may have \(parser.source.text(span)) for another reason"), at: span)
  }

  private static func thousands(
    _ parser: inout StatementParser, _ file: ImportSyntax
  ) throws(ShellError) -> [UInt8] {
    let span = parser.token.span
    let text = try text(&parser, "a character")
    guard text.count == 1 else {
      throw parser.failure(
        .expected("a character in quotes", found: parser.source.text(span)), at: span)
    }
    try checkNumberSign(Array(text.utf8), in: file, span, parser)
    return Array(text.utf8)
  }

  private static func dates(_ parser: inout StatementParser) throws(ShellError) -> DatePattern {
    let span = parser.token.span
    let text = try text(&parser, "a form of dates")
    do {
      return try DatePattern(text)
    } catch { throw parser.failure(.query(error.reason), at: span) }
  }

  private static func encoding(_ parser: inout StatementParser) throws(ShellError) -> TextEncoding {
    if parser.takeIf("utf8") { return .utf8 }
    if parser.takeIf("utf16") { return .utf16 }
    if parser.takeIf("utf16le") { return .utf16le }
    if parser.takeIf("utf16be") { return .utf16be }
    if parser.takeIf("latin1") { return .latin1 }
    if parser.takeIf("windows1252") { return .windows1252 }
    if case .word = parser.token.kind {
      // Names such as utf-16 are several tokens.
      let rest = parser.bytes[parser.token.start...].prefix {
        Byte.isNamePart($0) || $0 == Byte.minus
      }
      if let encoding = TextEncoding(name: String(decoding: rest, as: UTF8.self)) {
        parser.move(to: rest.endIndex)
        return encoding
      }
    }
    throw parser.expected("'utf8', 'utf16', 'utf16le', 'utf16be', 'latin1' or 'windows1252'")
  }
}
