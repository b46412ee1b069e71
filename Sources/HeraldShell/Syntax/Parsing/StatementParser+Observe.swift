import Herald

extension StatementParser {
  mutating func observe() throws(ShellError) -> ObserveSyntax {
    var syntax = ObserveSyntax(target: try observedTarget())
    var options: Set<String> = []
    while true {
      let option = token
      if option.kind == .word, !options.insert(text).inserted {
        throw failure(.duplicateEntry(text), at: option.span)
      }
      if takeIf("as") {
        syntax.name = try name("a new name")
      } else if takeIf("keypaths", given: syntax.allowing(.keyPaths)) {
        notes?.owner = syntax.target.owner
        syntax.keyPaths = try keyPaths()
      } else if takeIf("depth", given: syntax.allowing(.depth)) {
        syntax.depth = try count("a number of links")
      } else if takeIf("exclusive", given: syntax.allowing(.exclusive)) {
        syntax.isExclusive = true
      } else if takeIf("on") {
        syntax.actor = try name("an actor")
      } else if takeIf("do") {
        notes?.observed.append(syntax.target.expression)
        syntax.block = try block()
        notes?.observed.removeLast()
        return syntax
      } else {
        return syntax
      }
    }
  }

  /// The collection to watch, with the options that restrict changes.
  mutating func watch() throws(ShellError) -> ObserveSyntax {
    if let group = try group() { return ObserveSyntax(target: .groups(group)) }
    let query = try query(mayBePast: false)
    var syntax = ObserveSyntax(target: .query(query))
    syntax.columns = try columns(of: query.origin)
    while true {
      if takeIf("keypaths") {
        notes?.owner = syntax.target.owner
        syntax.keyPaths = try keyPaths()
      } else if takeIf("depth") {
        syntax.depth = try count("a number of links")
      } else {
        return syntax
      }
    }
  }

  private mutating func observedTarget() throws(ShellError) -> ObserveSyntax.Target {
    if takeIf("store") { return .store }
    if let group = try group() { return .groups(group) }
    let start = token
    if isWord("property") {
      advance()
      if token.kind == .variable || nextCharacter == "#" || isNoted {
        return .property(try target())
      }
      move(to: start.start)
    }
    return try observedQuery()
  }

  mutating func groupOrQuery() throws(ShellError) -> ObserveSyntax.Target {
    if let group = try group() { return .groups(group) }
    return try observedQuery()
  }

  /// An object, a collection, or an object through a projection.
  mutating func observedQuery() throws(ShellError) -> ObserveSyntax.Target {
    let query = try query(mayBePast: false)
    if let projected = try projected(query) {
      return .projection(projected.name, of: projected.object)
    }
    return .query(query)
  }

  mutating func keyPaths() throws(ShellError) -> ObserveSyntax.KeyPaths {
    if isWord("none"), character(after: 4) != "." {
      advance()
      return .none
    }
    var paths = [try keyPath()]
    while takeIf(sign: ",") {
      notes?.owner?.given = paths.map(\.text)
      paths.append(try keyPath())
    }
    return .paths(paths)
  }

  /// Takes an option that is offered only where it applies.
  mutating func takeIf(
    _ word: StaticString, given condition: ParserNotes.Condition
  ) -> Bool {
    let before = notes?.condition
    notes?.condition = condition
    defer { notes?.condition = before }
    return takeIf(word)
  }

  /// Dotted property names; `*` matches every property of a level.
  mutating func keyPath() throws(ShellError) -> Name {
    let start = token.start
    let owner = notes?.owner
    defer { notes?.owner = owner }
    while true {
      guard token.kind == .word || isSign("*") else { throw expected("a key path") }
      if token.kind == .word, let owner = notes?.owner {
        notes?.refer(to: Name(text: text, span: token.span), of: .owner(owner))
      }
      notes?.owner = notes?.owner?.appending(text)
      advance()
      guard isJoined(".") else { break }
      advance()
    }
    let span = SourceSpan(start: start, end: lastEnd)
    return Name(text: source.text(span), span: span)
  }
}

extension ObserveSyntax.Target {
  /// The observed object or collection; nil for the store and for a property.
  fileprivate var expression: ExpressionSyntax? {
    switch self {
    case .store, .property, .groups: nil
    case .query(let query): ExpressionSyntax(.query(query), query.span)
    case .projection(let name, of: let object):
      ExpressionSyntax(.projection(name, of: object), object.span)
    }
  }

  /// The owner of the properties in key paths; nil if it has none.
  var owner: PropertyOwner? {
    switch self {
    case .store, .property, .groups: nil
    case .query(let query): PropertyOwner(origin: query.origin)
    case .projection(let name, of: _): PropertyOwner(.className(name.text))
    }
  }
}

extension ObserveSyntax {
  enum RestrictedOption {
    case keyPaths, depth, exclusive
  }

  /// The condition under which an option applies to the target.
  func allowing(_ option: RestrictedOption) -> ParserNotes.Condition {
    switch (target, option) {
    case (.store, _), (.property, _), (.groups, _): .never
    case (.projection, .keyPaths): .always
    case (.projection, .depth), (.projection, .exclusive): .never
    case (.query, .keyPaths): keyPaths.texts == nil ? .always : .never
    case (.query(let query), .depth): depth == nil ? .isCollection(query) : .never
    case (.query(let query), .exclusive): isExclusive ? .never : .isObject(query)
    }
  }
}
