import Herald

extension ExpectedEvent {
  /// The event after `expect TOKEN`, in the words of the output; nil if no such word follows.
  static func parse(_ parser: inout StatementParser) throws(ShellError) -> ExpectedEvent? {
    if parser.takeIf("initial") {
      if let value = try initialValue(&parser) { return value }
      let rows = try parser.count("a number of rows")
      if parser.isWord("rows") || parser.isWord("row") { parser.advance() }
      return .initial(rows)
    }
    if parser.takeIf("deleted") { return .deleted }
    if parser.takeIf("changed") { return .changed }
    if parser.takeIf("refresh") {
      try parser.take("required")
      return .refreshRequired
    }
    if parser.takeIf("change") { return .change(try changedProperties(&parser)) }
    if isRowsWord(parser) { return .update(try expectedRows(&parser)) }
    if parser.isWord("error"), let error = try expectedError(&parser) { return error }
    if let change = try changedValue(&parser) { return change }
    return try expectedProperty(&parser)
  }

  /// `120 -> 90.5`, `nil -> 3`; nil if a value and an arrow are not there.
  private static func changedValue(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ExpectedEvent? {
    if parser.token.kind == .word, isAtProperty(parser) { return nil }
    let start = parser.token
    guard let old = try? eventValue(&parser), try takeArrow(&parser) else {
      parser.move(to: start.start)
      return nil
    }
    return .value(old: old, new: try eventValue(&parser))
  }

  /// The value after `initial`, unless that is a number of rows: `37.5`, `nil`.
  private static func initialValue(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ExpectedEvent? {
    if parser.isAtEndOfStatement { return nil }
    let start = parser.token
    guard let value = try? eventValue(&parser), !value.allSatisfy(\.isWholeNumber) else {
      parser.move(to: start.start)
      return nil
    }
    return .value(old: nil, new: value)
  }

  /// `name "Max" -> "Wolfie"`, `dogs insertion [0]`; nil if it is neither, as in a predicate.
  private static func expectedProperty(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ExpectedEvent? {
    guard case .word = parser.token.kind else { return nil }
    let name = try parser.name("a property").text
    if let kind = listChangeKind(parser) {
      parser.advance()
      let rows = parser.isSign("[") ? try positions(&parser) : []
      return .propertyRows(name: name, kind: kind, rows: rows)
    }
    guard let old = try? eventValue(&parser), try takeArrow(&parser) else { return nil }
    let values = Property.Values(old: old, new: try eventValue(&parser))
    return .property(Property(name: name, values: values))
  }

  /// `error "the store was replaced"`; a property may have that name: `error "a" -> "b"`, `error nil -> 3`.
  private static func expectedError(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ExpectedEvent? {
    let word = parser.token
    parser.advance()
    guard case .string = parser.token.kind else {
      parser.move(to: word.start)
      return nil
    }
    let message = try parser.string()
    if !parser.isSign("-") { return .error(message) }
    parser.move(to: word.start)
    return nil
  }

  private static func expectedRows(_ parser: inout StatementParser) throws(ShellError) -> Rows {
    var rows = Rows()
    while true {
      if parser.takeIf("sections") {
        let isDeletion = parser.takeIf("deleted")
        if !isDeletion { try parser.take("inserted") }
        let positions = try positions(&parser)
        if isDeletion {
          rows.sectionDeletions = positions
        } else {
          rows.sectionInsertions = positions
        }
      } else if parser.takeIf("deletions") {
        rows.deletions = try Self.rows(&parser)
      } else if parser.takeIf("insertions") {
        rows.insertions = try Self.rows(&parser)
      } else if parser.takeIf("modifications") {
        try modifications(&parser, &rows)
      } else if parser.takeIf("owner") {
        try parser.take("deleted")
        rows.isOwnerDeleted = true
      } else {
        return rows
      }
    }
  }

  private static func rows(_ parser: inout StatementParser) throws(ShellError) -> [Row] {
    var rows: [Row] = []
    _ = try parser.parsed { (parser) throws(QueryError) in
      try parser.bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
        rows.append(try parser.row())
      }
    }
    return rows
  }

  private static func positions(_ parser: inout StatementParser) throws(ShellError) -> [Int] {
    var positions: [Int] = []
    for case .position(let position) in try rows(&parser) { positions.append(position) }
    return positions
  }

  /// `[2->1, 5]`, `["a"]`: old and new position, one number if they are equal.
  private static func modifications(_ parser: inout StatementParser, _ rows: inout Rows)
    throws(ShellError)
  {
    var pairs: [(old: Row, new: Row)] = []
    _ = try parser.parsed { (parser) throws(QueryError) in
      try parser.bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
        let old = try parser.row()
        pairs.append((old, parser.takeArrow() ? try parser.row() : old))
      }
    }
    rows.modifications = pairs.map(\.old)
    rows.modificationsNew = pairs.map(\.new)
  }

  private static func takeArrow(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    try parser.parsed { parser in parser.takeArrow() }
  }

  /// `name, age`, or `name "Max" -> "Wolfie", age`; the commas are optional.
  private static func changedProperties(
    _ parser: inout StatementParser
  ) throws(ShellError) -> [Property] {
    var properties: [Property] = []
    repeat {
      let name = try parser.name("a property")
      var property = Property(name: name.text)
      if !parser.isSign(","), !parser.isAtEndOfStatement, !isAtProperty(parser) {
        let old = try eventValue(&parser)
        guard try takeArrow(&parser) else { throw parser.expected("'->'") }
        property.values = Property.Values(old: old, new: try eventValue(&parser))
      }
      properties.append(property)
    } while parser.takeIf(sign: ",") || isAtProperty(parser)
    return properties
  }

  /// A value as in the output, kept as text.
  private static func eventValue(_ parser: inout StatementParser) throws(ShellError) -> String {
    let expression = try parser.expression()
    return parser.source.text(expression.span)
  }

  private static func listChangeKind(_ parser: StatementParser) -> ListChangeKind? {
    if parser.isWord("insertion") { return .insertion }
    if parser.isWord("removal") { return .removal }
    if parser.isWord("replacement") { return .replacement }
    if parser.isWord("setting") { return .setting }
    return nil
  }

  private static func isRowsWord(_ parser: StatementParser) -> Bool {
    parser.isWord("deletions") || parser.isWord("insertions") || parser.isWord("modifications")
      || parser.isWord("owner") || isSectionsWord(parser)
  }

  /// Whether `sections deleted` or `sections inserted` follows, and not what a property of that name is.
  private static func isSectionsWord(_ parser: StatementParser) -> Bool {
    guard parser.isWord("sections") else { return false }
    var ahead = parser
    ahead.advance()
    return ahead.isWord("deleted") || ahead.isWord("inserted")
  }

  /// Whether the token is a property's name rather than a value: `nil`, `true`, `Dog#3`, `uuid("…")`.
  private static func isAtProperty(_ parser: StatementParser) -> Bool {
    guard case .word = parser.token.kind,
      !["nil", "true", "false", "inf", "nan"].contains(parser.text)
    else { return false }
    let next = parser.nextCharacter
    return next != "#" && next != "("
  }
}

extension ExpressionParser {
  /// `0.2`, a row of a section; nil if it is not there.
  private mutating func positionInSection() throws(QueryError) -> SectionChangeSet.Position? {
    guard let text = decimalIfPresent() else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let section = parts[0], let row = parts[1] else {
      throw try expected("a section and a row, as in 0.2")
    }
    return SectionChangeSet.Position(section: section, row: row)
  }

  /// The position or the key of a row.
  fileprivate mutating func row() throws(QueryError) -> ExpectedEvent.Row {
    if let key = try stringIfPresent() { return .key(key) }
    if let position = try positionInSection() { return .inSection(position) }
    return .position(try count("a row or a key"))
  }
}
