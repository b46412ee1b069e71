import Herald

extension StatementParser {
  /// `import FILE into CLASS [with …]`, `import FILE as new CLASS [with …] [dry run]`
  mutating func importing() throws(ShellError) -> Statement.Kind {
    var files: [ImportSyntax] = []
    repeat {
      let path = try path()
      var file = try importedClass(path)
      if takeIf("with") { try importOptions(&file) }
      files.append(file)
    } while takeIf(sign: ",")
    let start = token
    if try dryRun() {
      guard files.allSatisfy(\.declares) else {
        throw failure(.misplaced("dry run", belongsTo: "import … as new"), at: start.span)
      }
      for index in files.indices { files[index].isDryRun = true }
    }
    return .importFiles(files)
  }

  private mutating func importedClass(_ path: Name) throws(ShellError) -> ImportSyntax {
    if takeIf("into") { return ImportSyntax(path: path, className: try name("a class")) }
    guard takeIf("as") else { throw expected("'into' or 'as new'") }
    try take("new")
    return ImportSyntax(path: path, className: try name("a new class"), declares: true)
  }

  /// `dry run` or `--dry-run`.
  private mutating func dryRun() throws(ShellError) -> Bool {
    if takeIf("dry") {
      try take("run")
      return true
    }
    let text = Array("--dry-run".utf8)
    guard isSign("-"), bytes[token.start..<lexer.limit].starts(with: text) else { return false }
    move(to: token.start + text.count)
    return true
  }

  /// `delimiter ";", quote "'", header no, encoding latin1, columns { … }`
  private mutating func importOptions(_ file: inout ImportSyntax) throws(ShellError) {
    while true {
      try importOption(&file)
      // A file follows, unless the word is one of an option.
      guard isSign(",") else { return }
      var ahead = self
      ahead.advance()
      guard ahead.isAtImportOption else { return }
      self = ahead
    }
  }

  private var isAtImportOption: Bool {
    for word: StaticString in ["delimiter", "quote", "header", "encoding", "columns"]
    where isWord(word) {
      var ahead = self
      ahead.advance()
      return !ahead.isSign(".") && !ahead.isSign("/") && !ahead.isWord("into")
        && !ahead.isWord("as")
    }
    return false
  }

  private mutating func importOption(_ file: inout ImportSyntax) throws(ShellError) {
    if takeIf("delimiter") {
      file.form.delimiter = takeIf("tab") ? Byte.tab : try asciiSign()
      file.form.isCSV = true
    } else if takeIf("quote") {
      file.form.quote = takeIf("none") ? nil : try asciiSign()
      file.form.isCSV = true
    } else if takeIf("header") {
      file.form.hasHeader = try yesOrNo()
      file.form.isCSV = true
    } else if takeIf("encoding") {
      file.form.encoding = try encoding()
    } else if takeIf("columns") {
      file.columns = try columnChoice()
    } else {
      throw expected("'delimiter', 'quote', 'header', 'encoding' or 'columns'")
    }
  }

  private mutating func yesOrNo() throws(ShellError) -> Bool {
    if takeIf("yes") { return true }
    if takeIf("no") { return false }
    throw expected("'yes' or 'no'")
  }

  /// A string of one ASCII character that cannot be in a line break.
  private mutating func asciiSign() throws(ShellError) -> UInt8 {
    let what = "a character in quotes"
    guard case .string = token.kind else { throw expected(what) }
    let start = token
    let text = Array(try string().utf8)
    guard text.count == 1, text[0] < 0x80, text[0] != Byte.newline, text[0] != Byte.carriageReturn
    else {
      throw failure(.expected(what, found: source.text(start.span)), at: start.span)
    }
    return text[0]
  }

  private mutating func encoding() throws(ShellError) -> TextEncoding {
    if takeIf("utf8") { return .utf8 }
    if takeIf("utf16") { return .utf16 }
    if takeIf("utf16le") { return .utf16le }
    if takeIf("utf16be") { return .utf16be }
    if takeIf("latin1") { return .latin1 }
    if takeIf("windows1252") { return .windows1252 }
    if case .word = token.kind {
      // Names such as utf-16 are several tokens.
      let rest = bytes[token.start...].prefix { Byte.isNamePart($0) || $0 == Byte.minus }
      if let encoding = TextEncoding(name: String(decoding: rest, as: UTF8.self)) {
        move(to: rest.endIndex)
        return encoding
      }
    }
    throw expected("'utf8', 'utf16', 'utf16le', 'utf16be', 'latin1' or 'windows1252'")
  }
}

// MARK: Columns

extension StatementParser {
  /// `{ old name: newName, other: skip, x: text, *: skip }`
  private mutating func columnChoice() throws(ShellError) -> ColumnChoice {
    var choice = ColumnChoice()
    _ = try braced { parser throws(ShellError) in
      let start = parser.token
      let isOther = parser.takeIf(sign: "*")
      let column = isOther ? "" : try parser.columnName()
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
      choice.entries.append(ColumnChoice.Entry(column: column, use: try parser.columnUse()))
    }
    return choice
  }

  /// A string, or everything before the colon.
  private mutating func columnName() throws(ShellError) -> String {
    if case .string = token.kind { return try string() }
    let start = token.start
    var end = start
    while end < lexer.limit, bytes[end] != Byte.colon, bytes[end] != Byte.newline,
      bytes[end] != Byte.comma, bytes[end] != Byte.closeBrace
    {
      end += 1
    }
    var last = end
    while last > start, Byte.isBlank(bytes[last - 1]) { last -= 1 }
    guard last > start, let text = String(validating: bytes[start..<last], as: UTF8.self) else {
      throw expected("the name of a column")
    }
    move(to: end)
    return text
  }

  /// `skip`, `text`, or the name of a property, with `text` after it.
  private mutating func columnUse() throws(ShellError) -> ColumnChoice.Use {
    if takeIf("skip") { return .skip }
    if takeIf("text") { return .property(nil, isText: true) }
    let name = try name("'skip', 'text' or a name")
    return .property(name.text, isText: takeIf("text"))
  }
}

// MARK: Export

extension StatementParser {
  mutating func exporting() throws(ShellError) -> Statement.Kind {
    if let group = try group() {
      try take("to")
      let path = try path()
      return .exportGroups(group, to: path, as: try exportFormat())
    }
    var query = try query()
    let columns = try columns(of: query.origin)
    if query.version == nil { query.version = try pastVersion() }
    try take("to")
    let path = try path()
    return .exportRows(query, columns: columns, to: path, as: try exportFormat())
  }

  /// nil if the name of the file decides.
  private mutating func exportFormat() throws(ShellError) -> ExportFormat? {
    guard takeIf("as") else { return nil }
    if takeIf("csv") { return .csv }
    if takeIf("jsonl") { return .lines }
    if takeIf("json") { return .array }
    throw expected("'csv', 'json' or 'jsonl'")
  }
}
