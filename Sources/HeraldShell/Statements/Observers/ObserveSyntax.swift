import Herald

/// What `observe`, `let`, `follow` and `watch` say of an observer.
struct ObserveSyntax {
  indirect enum Target {
    case store
    case query(QuerySyntax)
    case groups(GroupSyntax)
    /// `histogram Dog by age bins 5`.
    case histogram(HistogramSyntax)
    /// `Dog sort(age) sections by breed`.
    case sections(SectionsSyntax)
    /// `value (Dog).@count when > 3`.
    case value(ExpressionSyntax, when: PredicateSyntax?)
    /// `property $max.name`, `property $max.invalidated`.
    case property(PathSyntax)
    /// `Card of $max`.
    case projection(Name, of: QuerySyntax)
  }
  enum KeyPaths {
    /// The default: up to four links away.
    case unrestricted
    case none
    case paths([Name])
  }
  var target: Target
  var name: Name?
  var keyPaths = KeyPaths.unrestricted
  var depth: Int?
  var isExclusive = false
  /// The columns of a watched table.
  var columns: [ColumnSyntax] = []
  /// What follows the braces of columns.
  var columnClauses = ColumnClauses(columns: [], clauses: [])
  var actor: Name?
  var block: [Statement]?
  /// The program that receives the events.
  var program: ProgramSyntax?

  init(target: Target) { self.target = target }
}

// MARK: Syntax

extension ObserveSyntax {
  init(_ parser: inout StatementParser) throws(ShellError) {
    target = try Self.observedTarget(&parser)
    var options: Set<String> = []
    while true {
      let option = parser.token
      if option.kind == .word, !options.insert(parser.text).inserted {
        throw parser.failure(.duplicateEntry(parser.text), at: option.span)
      }
      if parser.takeIf("as") {
        name = try parser.name("a new name")
      } else if try takeRestriction(&parser) {
        continue
      } else if parser.takeIf("exclusive", given: allowing(.exclusive)) {
        isExclusive = true
      } else if parser.takeIf("on") {
        actor = try parser.name("an actor")
      } else if parser.takeIf("do") {
        if parser.takeIf("run") {
          program = try ProgramSyntax(&parser)
          return
        }
        if !parser.isSign("{"), !parser.isNoted { throw parser.expected("'{' or 'run'") }
        parser.notes?.observed.append(target.expression)
        block = try parser.block()
        parser.notes?.observed.removeLast()
        return
      } else {
        return
      }
    }
  }

  /// Key paths or a depth, which restrict what counts as a change; returns false if neither is there.
  mutating func takeRestriction(_ parser: inout StatementParser) throws(ShellError) -> Bool {
    if parser.takeIf("keypaths", given: allowing(.keyPaths)) {
      parser.notes?.owner = target.owner
      keyPaths = try Self.keyPaths(&parser)
    } else if parser.takeIf("depth", given: allowing(.depth)) {
      depth = try parser.count("a number of links")
    } else {
      return false
    }
    return true
  }

  private static func observedTarget(_ parser: inout StatementParser) throws(ShellError) -> Target {
    if parser.takeIf("store") { return .store }
    if let computed = try computed(&parser) { return computed }
    let start = parser.token
    if parser.isWord("property") {
      parser.advance()
      if parser.token.kind == .variable || parser.nextCharacter == "#" || parser.isNoted {
        return .property(try parser.target())
      }
      parser.move(to: start.start)
    }
    return try observedQuery(&parser)
  }

  static func groupOrQuery(_ parser: inout StatementParser) throws(ShellError) -> Target {
    if let computed = try computed(&parser) { return computed }
    return try observedQuery(&parser)
  }

  /// Groups, a histogram or a value; nil if their words are not there.
  static func computed(_ parser: inout StatementParser) throws(ShellError) -> Target? {
    if let group = try parser.group() { return .groups(group) }
    if let histogram = try parser.observedHistogram() { return .histogram(histogram) }
    return try value(&parser)
  }

  /// A value, with the condition that must begin to hold; nil if the word is not there, or is the name of a class.
  private static func value(_ parser: inout StatementParser) throws(ShellError) -> Target? {
    guard parser.isWord("value") else { return nil }
    let start = parser.token
    parser.advance()
    let isClass =
      switch parser.token.kind {
      case .newline, .end: !parser.isNoted
      case .word:
        QueryParser.clauses.contains(parser.text)
          || ["as", "keypaths", "depth", "on", "do"].contains(parser.text)
      case .sign: !parser.isSign("(") && !parser.isSign("-")
      case .variable, .string, .number, .unterminated, .unknown: false
      }
    if isClass {
      parser.move(to: start.start)
      return nil
    }
    let expression = try parser.expression()
    guard parser.takeIf("when") else { return .value(expression, when: nil) }
    return .value(expression, when: try parser.predicate(of: "value"))
  }

  /// An object, a collection, or an object through a projection.
  private static func observedQuery(_ parser: inout StatementParser) throws(ShellError) -> Target {
    let query = try parser.query(mayBePast: false)
    if let projected = try parser.projected(query) {
      return .projection(projected.name, of: projected.object)
    }
    if parser.isSign("{") {
      throw parser.failure(
        .misplaced(
          "{", belongsTo: "the columns of show, watch, export and define; a block follows 'do'"))
    }
    return try parser.sections(of: query).map { .sections($0) } ?? .query(query)
  }

  static func keyPaths(_ parser: inout StatementParser) throws(ShellError) -> KeyPaths {
    if parser.isWord("none"), parser.character(after: 4) != "." {
      parser.advance()
      return .none
    }
    var paths = [try parser.keyPath()]
    while parser.takeIf(sign: ",") {
      parser.notes?.owner?.given = paths.map(\.text)
      paths.append(try parser.keyPath())
    }
    return .paths(paths)
  }

  enum RestrictedOption {
    case keyPaths, depth, exclusive
  }

  /// The condition under which an option applies to the target.
  func allowing(_ option: RestrictedOption) -> ParserNotes.Condition {
    switch (target, option) {
    case (.store, _), (.property, _), (.groups, _), (.histogram, _), (.value, _): .never
    case (.projection, .keyPaths): .always
    case (.projection, .depth), (.projection, .exclusive): .never
    case (.query, .keyPaths): keyPaths.texts == nil ? .always : .never
    case (.query(let query), .depth): depth == nil ? .isCollection(query) : .never
    case (.sections, .keyPaths): keyPaths.texts == nil ? .always : .never
    case (.sections, .depth): depth == nil ? .always : .never
    case (.sections, .exclusive): .never
    case (.query(let query), .exclusive): isExclusive ? .never : .isObject(query)
    }
  }
}

extension ObserveSyntax.Target {
  /// The observed object or collection; nil for the store and for a property.
  fileprivate var expression: ExpressionSyntax? {
    switch self {
    case .store, .property, .groups, .histogram, .sections, .value: nil
    case .query(let query): ExpressionSyntax(.query(query), query.span)
    case .projection(let name, of: let object):
      ExpressionSyntax(.projection(name, of: object), object.span)
    }
  }

  /// The owner of the properties in key paths; nil if it has none.
  var owner: PropertyOwner? {
    switch self {
    case .store, .property, .groups, .histogram, .value: nil
    case .query(let query): PropertyOwner(origin: query.origin)
    case .sections(let sections): PropertyOwner(origin: sections.query.origin)
    case .projection(let name, of: _): PropertyOwner(.className(name.text))
    }
  }
}

extension ObserveSyntax.KeyPaths {
  /// The key paths as the library expects them: nil without restriction.
  var texts: [String]? {
    switch self {
    case .unrestricted: nil
    case .none: []
    case .paths(let names): names.map(\.text)
    }
  }
}
