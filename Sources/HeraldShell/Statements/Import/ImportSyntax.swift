import Herald

/// One file of an `import`.
struct ImportSyntax {
  var path: Name
  var className: Name
  /// `as new`: the class is inferred from the file and declared.
  var declares = false
  var form = ImportForm()
  var columns = ColumnChoice()
  /// The class is shown, and nothing is changed.
  var isDryRun = false
}

// MARK: Syntax

extension ImportSyntax {
  static func importedClass(
    _ parser: inout StatementParser, _ path: Name
  ) throws(ShellError) -> ImportSyntax {
    if parser.takeIf("into") {
      return ImportSyntax(path: path, className: try parser.name("a class"))
    }
    guard parser.takeIf("as") else { throw parser.expected("'into' or 'as new'") }
    try parser.take("new")
    return ImportSyntax(path: path, className: try parser.name("a new class"), declares: true)
  }

  /// `delimiter ";", quote "'", header no, encoding latin1, columns { … }`
  static func importOptions(_ parser: inout StatementParser, _ file: inout ImportSyntax)
    throws(ShellError)
  {
    while true {
      try importOption(&parser, &file)
      // A file follows, unless the word is one of an option.
      guard parser.isSign(",") else { return }
      var ahead = parser
      ahead.advance()
      guard isAtOption(ahead) else { return }
      parser = ahead
    }
  }

  private static func importOption(_ parser: inout StatementParser, _ file: inout ImportSyntax)
    throws(ShellError)
  {
    if parser.takeIf("delimiter") {
      file.form.delimiter = parser.takeIf("tab") ? Byte.tab : try asciiSign(&parser)
      file.form.isCSV = true
    } else if parser.takeIf("quote") {
      file.form.quote = parser.takeIf("none") ? nil : try asciiSign(&parser)
      file.form.isCSV = true
    } else if parser.takeIf("header") {
      file.form.hasHeader = try yesOrNo(&parser)
      file.form.isCSV = true
    } else if parser.takeIf("encoding") {
      file.form.encoding = try encoding(&parser)
    } else if parser.takeIf("columns") {
      file.columns = try columnChoice(&parser)
    } else {
      throw parser.expected("'delimiter', 'quote', 'header', 'encoding' or 'columns'")
    }
  }

  private static func yesOrNo(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    if parser.takeIf("yes") { return true }
    if parser.takeIf("no") { return false }
    throw parser.expected("'yes' or 'no'")
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

  /// `{ old name: newName, other: skip, x: text, *: skip }`
  private static func columnChoice(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ColumnChoice {
    var choice = ColumnChoice()
    _ = try parser.braced { parser throws(ShellError) in
      let start = parser.token
      let isOther = parser.takeIf(sign: "*")
      let column = isOther ? "" : try columnName(&parser)
      try parser.take(sign: ":")
      parser.skipNewlines()
      if isOther {
        try parser.take("skip")
        choice.skipsOthers = true
        return
      }
      guard !choice.entries.contains(where: { $0.column.hasSameBytes(as: column) }) else {
        throw parser.failure(.duplicateEntry(column), at: start.span)
      }
      choice.entries.append(ColumnChoice.Entry(column: column, use: try columnUse(&parser)))
    }
    return choice
  }

  /// A string, or everything before the colon.
  private static func columnName(_ parser: inout StatementParser) throws(ShellError) -> String {
    if case .string = parser.token.kind { return try parser.string() }
    let start = parser.token.start
    var end = start
    while end < parser.lexer.limit, parser.bytes[end] != Byte.colon,
      parser.bytes[end] != Byte.newline,
      parser.bytes[end] != Byte.comma, parser.bytes[end] != Byte.closeBrace
    {
      end += 1
    }
    var last = end
    while last > start, Byte.isBlank(parser.bytes[last - 1]) { last -= 1 }
    guard last > start, let text = String(validating: parser.bytes[start..<last], as: UTF8.self)
    else { throw parser.expected("the name of a column") }
    parser.move(to: end)
    return text
  }

  /// `skip`, `text`, or the name of a property, with `text` after it.
  private static func columnUse(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ColumnChoice.Use {
    if parser.takeIf("skip") { return .skip }
    if parser.takeIf("text") { return .property(nil, isText: true) }
    let name = try parser.name("'skip', 'text' or a name")
    return .property(name.text, isText: parser.takeIf("text"))
  }

  private static func isAtOption(_ parser: StatementParser) -> Bool {
    for word: StaticString in ["delimiter", "quote", "header", "encoding", "columns"]
    where parser.isWord(word) {
      var ahead = parser
      ahead.advance()
      return !ahead.isSign(".") && !ahead.isSign("/") && !ahead.isWord("into")
        && !ahead.isWord("as")
    }
    return false
  }
}
