import Herald

extension StatementParser {
  /// The event after `expect TOKEN`, in the words of the output; nil if no such word follows.
  mutating func expectedEvent() throws(ShellError) -> ExpectedEvent? {
    if takeIf("initial") {
      let rows = try count("a number of rows")
      if isWord("rows") || isWord("row") { advance() }
      return .initial(rows)
    }
    if takeIf("deleted") { return .deleted }
    if takeIf("changed") { return .changed }
    if takeIf("refresh") {
      try take("required")
      return .refreshRequired
    }
    if takeIf("change") { return .change(try changedProperties()) }
    if isRowsWord { return .update(try expectedRows()) }
    if isWord("error"), let error = try expectedError() { return error }
    return try expectedProperty()
  }

  /// `name "Max" -> "Wolfie"`, `dogs insertion [0]`; nil if it is neither, as in a predicate.
  private mutating func expectedProperty() throws(ShellError) -> ExpectedEvent? {
    guard case .word = token.kind else { return nil }
    let name = try name("a property").text
    if let kind = listChangeKind {
      advance()
      let rows = isSign("[") ? try positions() : []
      return .propertyRows(name: name, kind: kind, rows: rows)
    }
    guard let old = try? eventValue(), try takeArrow() else { return nil }
    let values = ExpectedEvent.Property.Values(old: old, new: try eventValue())
    return .property(ExpectedEvent.Property(name: name, values: values))
  }

  /// `error "the store was replaced"`; a property may have that name: `error "a" -> "b"`, `error nil -> 3`.
  private mutating func expectedError() throws(ShellError) -> ExpectedEvent? {
    let word = token
    advance()
    guard case .string = token.kind else {
      move(to: word.start)
      return nil
    }
    let message = try string()
    if !isSign("-") { return .error(message) }
    move(to: word.start)
    return nil
  }

  private var listChangeKind: ListChangeKind? {
    if isWord("insertion") { return .insertion }
    if isWord("removal") { return .removal }
    if isWord("replacement") { return .replacement }
    if isWord("setting") { return .setting }
    return nil
  }

  private var isRowsWord: Bool {
    isWord("deletions") || isWord("insertions") || isWord("modifications") || isWord("owner")
  }

  private mutating func expectedRows() throws(ShellError) -> ExpectedEvent.Rows {
    var rows = ExpectedEvent.Rows()
    while true {
      if takeIf("deletions") {
        rows.deletions = try self.rows()
      } else if takeIf("insertions") {
        rows.insertions = try self.rows()
      } else if takeIf("modifications") {
        try modifications(&rows)
      } else if takeIf("owner") {
        try take("deleted")
        rows.isOwnerDeleted = true
      } else {
        return rows
      }
    }
  }

  private mutating func rows() throws(ShellError) -> [ExpectedEvent.Row] {
    var rows: [ExpectedEvent.Row] = []
    _ = try parsed { (parser) throws(QueryError) in
      try parser.bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
        rows.append(try parser.row())
      }
    }
    return rows
  }

  private mutating func positions() throws(ShellError) -> [Int] {
    var positions: [Int] = []
    for case .position(let position) in try rows() { positions.append(position) }
    return positions
  }

  /// `[2->1, 5]`, `["a"]`: old and new position, one number if they are equal.
  private mutating func modifications(_ rows: inout ExpectedEvent.Rows) throws(ShellError) {
    var pairs: [(old: ExpectedEvent.Row, new: ExpectedEvent.Row)] = []
    _ = try parsed { (parser) throws(QueryError) in
      try parser.bracketed(by: Byte.openBracket) { (parser) throws(QueryError) in
        let old = try parser.row()
        pairs.append((old, parser.takeArrow() ? try parser.row() : old))
      }
    }
    rows.modifications = pairs.map(\.old)
    rows.modificationsNew = pairs.map(\.new)
  }

  private mutating func takeArrow() throws(ShellError) -> Bool {
    try parsed { parser in parser.takeArrow() }
  }

  /// `name, age`, or `name "Max" -> "Wolfie", age`; the commas are optional.
  private mutating func changedProperties() throws(ShellError) -> [ExpectedEvent.Property] {
    var properties: [ExpectedEvent.Property] = []
    repeat {
      let name = try name("a property")
      var property = ExpectedEvent.Property(name: name.text)
      if !isSign(","), !isAtEndOfStatement, !isAtProperty {
        let old = try eventValue()
        guard try takeArrow() else { throw expected("'->'") }
        property.values = ExpectedEvent.Property.Values(old: old, new: try eventValue())
      }
      properties.append(property)
    } while takeIf(sign: ",") || isAtProperty
    return properties
  }

  /// Whether the token is a property's name rather than a value: `nil`, `true`, `Dog#3`, `uuid("…")`.
  private var isAtProperty: Bool {
    guard case .word = token.kind, !["nil", "true", "false", "inf", "nan"].contains(text) else {
      return false
    }
    let next = nextCharacter
    return next != "#" && next != "("
  }

  /// A value as in the output, kept as text.
  private mutating func eventValue() throws(ShellError) -> String {
    let expression = try expression()
    return source.text(expression.span)
  }
}

extension ExpressionParser {
  /// The position or the key of a row.
  fileprivate mutating func row() throws(QueryError) -> ExpectedEvent.Row {
    if let key = try stringIfPresent() { return .key(key) }
    return .position(try count("a row or a key"))
  }
}
