import Herald

extension StatementParser {
  mutating func binding() throws(ShellError) -> Statement.Kind {
    let name = try variable()
    try take(sign: "=")
    return try binding(name)
  }

  /// What a variable is to name: `4`, `freeze $max`, `observe Dog`.
  mutating func binding(_ name: Name) throws(ShellError) -> Statement.Kind {
    if takeIf("observe") {
      let syntax = try observe()
      guard let other = syntax.name else { return .bindToken(name, syntax) }
      throw failure(.tokenOfVariable(name.text), at: other.span)
    }
    if takeIf("freeze") { return try frozenBinding(name) }
    return .bind(name, try valueOrTest())
  }

  mutating func add(isUpsert: Bool) throws(ShellError) -> Statement.Kind {
    if case .variable = token.kind, !isUpsert {
      let name = try variable()
      return .addNew(name, variable: try asVariable())
    }
    let className = try name("a class")
    notes?.owner = PropertyOwner(.className(className.text))
    let records = try records()
    return .add(
      Addition(
        className: className, records: records, isUpsert: isUpsert, variable: try asVariable()))
  }

  mutating func new() throws(ShellError) -> Statement.Kind {
    let className = try name("a class")
    notes?.owner = PropertyOwner(.className(className.text))
    let record = try record()
    try take("as")
    return .makeNew(className: className, record, variable: try variable("a new variable"))
  }

  /// `set $max.age = 4`, `set $max {…}`, `set Dog where … {…}`, `set autocommit off`.
  mutating func set() throws(ShellError) -> Statement.Kind {
    if isWord("autocommit") {
      advance()
      return .autocommit(try onOrOff())
    }
    let query = try query(mayBePast: false)
    if case .path(let target) = query.origin, query.tail == nil, let sign = takeAssignmentSign() {
      notes?.owner = PropertyOwner(.path(target))
      return .assign(target, sign, try valueOrTest())
    }
    guard isSign("{") else {
      guard case .path = query.origin, query.tail == nil else { throw expected("'{'") }
      throw expected("'=' or '{'")
    }
    notes?.owner = PropertyOwner(origin: query.origin)
    return .setAll(query, try record())
  }

  mutating func append() throws(ShellError) -> Statement.Kind {
    let values = try expressions()
    try take("to")
    return .append(values, to: try target("a list"))
  }

  mutating func insert() throws(ShellError) -> Statement.Kind {
    let values = try expressions()
    try take("into")
    let collection = try target("a list or a set")
    return .insert(values, into: collection, at: takeIf("at") ? try expression() : nil)
  }

  mutating func move() throws(ShellError) -> Statement.Kind {
    let element = try target("an element of a list")
    try take("to")
    return .move(element, to: try expression())
  }

  /// `remove $p.dogs[2]`, `remove $p.scores["a"]`, `remove "x" from $p.tags`.
  mutating func remove() throws(ShellError) -> Statement.Kind {
    let value = try expression()
    if takeIf("from") { return .removeValue(value, from: try target("a set")) }
    guard case .path(let element) = value.kind, element.isTarget else { throw expected("'from'") }
    guard case .subscript? = element.steps.last?.targetStep else {
      guard token.kind == .newline || token.kind == .end else { throw expected("'from'") }
      let found = "'\(source.text(element.span))'"
      throw failure(.expected("a row or a key", found: found), at: element.span)
    }
    return .remove(element)
  }

  mutating func write() throws(ShellError) -> WriteSyntax {
    var syntax = WriteSyntax()
    while true {
      if !syntax.isAsync, takeIf("async") {
        syntax.isAsync = true
      } else if syntax.without.isEmpty, takeIf("without") {
        syntax.without = try names("a token")
      } else if syntax.message == nil, takeIf("message") {
        syntax.message = try expression()
      } else {
        break
      }
    }
    notes?.openWrites += 1
    if isSign("{") {
      syntax.statements = try block()
    } else {
      guard token.kind != .newline, token.kind != .end else { throw expected("'{' or a statement") }
      syntax.statements = [try statement()]
    }
    notes?.openWrites -= 1
    return syntax
  }
}
