import Herald

/// One file of an `import`.
struct ImportSyntax {
  var path: Name
  /// The pattern of paths that this file is one of; nil if the statement names the file.
  var pattern: SourceSpan?
  var className: Name
  /// `as new`: the class is inferred from the file and declared.
  var declares = false
  /// `upsert`: objects that are there, by their primary keys, are changed.
  var updates = false
  /// `live`: objects are added as lines come.
  var isLive = false
  var form = ImportForm()
  var columns = ColumnChoice()
  /// The words of the options that were given.
  var options: Set<String> = []
  /// The class is shown, and nothing is changed.
  var isDryRun = false
}

// MARK: Syntax

extension ImportSyntax {
  static func importedClass(
    _ parser: inout StatementParser, _ path: Name
  ) throws(ShellError) -> ImportSyntax {
    if parser.takeIf("into") {
      var file = ImportSyntax(path: path, className: try parser.name("a class"))
      file.updates = parser.takeIf("upsert")
      file.isLive = parser.takeIf("live")
      return file
    }
    guard parser.takeIf("as") else { throw parser.expected("'into' or 'as new'") }
    try parser.take("new")
    var file = ImportSyntax(path: path, className: try parser.name("a new class"), declares: true)
    file.isLive = parser.takeIf("live")
    return file
  }

  /// What follows `with`, separated by commas: `delimiter ";", quote "'", header no, columns { … }`.
  static func importOptions(_ parser: inout StatementParser, _ file: inout ImportSyntax)
    throws(ShellError)
  {
    while true {
      try ImportOption.parse(&parser, &file)
      // A file follows, unless the word is one of an option.
      guard parser.isSign(",") else { return }
      var ahead = parser
      ahead.advance()
      guard ImportOption.isNext(ahead) else { return }
      parser = ahead
    }
  }

  /// `{ old name: newName, other: skip, x: text, id: link or nil, *: skip }`
  static func columnChoice(
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
      choice.entries.append(try columnEntry(column, &parser))
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

  /// `skip`, `text`, `or nil`, or the name of a property, with `text` or `or nil` after it.
  private static func columnEntry(
    _ column: String, _ parser: inout StatementParser
  ) throws(ShellError) -> ColumnChoice.Entry {
    if parser.takeIf("skip") { return ColumnChoice.Entry(column: column, use: .skip) }
    let isAlone = parser.isWord("text") || parser.isWord("or")
    let name = isAlone ? nil : try parser.name("'skip', 'text', 'or nil' or a name").text
    let use = ColumnChoice.Use.property(name, isText: parser.takeIf("text"))
    let isOrNil = parser.takeIf("or")
    if isOrNil { try parser.take("nil") }
    return ColumnChoice.Entry(column: column, use: use, isOrNil: isOrNil)
  }
}
