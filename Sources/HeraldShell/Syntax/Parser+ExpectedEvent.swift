import Herald

extension Parser {
  /// What stands after `expect TOKEN`, in the words that events are told in; nil where no such
  /// word does.
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
    guard isRowsWord else { return nil }
    return .update(try expectedRows())
  }

  private var isRowsWord: Bool {
    isWord("deletions") || isWord("insertions") || isWord("modifications") || isWord("owner")
  }

  private mutating func expectedRows() throws(ShellError) -> ExpectedEvent.Rows {
    var rows = ExpectedEvent.Rows()
    while true {
      if takeIf("deletions") {
        rows.deletions = try rowNumbers()
      } else if takeIf("insertions") {
        rows.insertions = try rowNumbers()
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

  private mutating func rowNumbers() throws(ShellError) -> [Int] {
    var rows: [Int] = []
    let opening = token
    guard isSign(Byte.openBracket) else { throw expected("'['") }
    _ = try bracketed(opening, closing: Byte.closeBracket, "']'") {
      parser throws(ShellError) in rows.append(try parser.count("a row"))
    }
    return rows
  }

  /// `[2->1, 5]`: old and new position, one number where they are equal.
  private mutating func modifications(_ rows: inout ExpectedEvent.Rows) throws(ShellError) {
    var pairs: [(old: Int, new: Int)] = []
    let opening = token
    guard isSign(Byte.openBracket) else { throw expected("'['") }
    _ = try bracketed(opening, closing: Byte.closeBracket, "']'") {
      parser throws(ShellError) in
      let old = try parser.count("a row")
      pairs.append((old, parser.takeArrow() ? try parser.count("a row") : old))
    }
    rows.modifications = pairs.map(\.old)
    rows.modificationsNew = pairs.map(\.new)
  }

  private mutating func takeArrow() -> Bool {
    guard isSign(Byte.minus), byte(after: 1) == Byte.greater else { return false }
    move(to: token.start + 2)
    return true
  }

  /// `name, age`, or `name "Max" -> "Wolfie", age`.
  private mutating func changedProperties() throws(ShellError) -> [ExpectedEvent.Property] {
    var properties: [ExpectedEvent.Property] = []
    repeat {
      let name = try name("a property")
      var property = ExpectedEvent.Property(name: name.text)
      if !isSign(Byte.comma), !isAtEndOfStatement {
        let old = try eventValue()
        guard takeArrow() else { throw expected("'->'") }
        property.values = ExpectedEvent.Property.Values(old: old, new: try eventValue())
      }
      properties.append(property)
    } while takeIf(sign: Byte.comma)
    return properties
  }

  /// A value as events write it; kept as it stands.
  private mutating func eventValue() throws(ShellError) -> String {
    let expression = try expression()
    return source.text(expression.span)
  }
}
