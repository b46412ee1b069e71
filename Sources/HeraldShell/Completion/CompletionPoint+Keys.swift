import Herald

/// The part of an object's key that has been typed.
enum BegunKey {
  /// Without a quote: a number, or a word.
  case bare(String)
  case string(String)
}

extension CompletionPoint {
  /// The number of keys to list.
  static let keyLimit = 100
  /// The number of objects whose maps are read where a query concerns a whole class.
  private static let sampleLimit = 20

  /// The keys that complete the text; empty if no key is expected here.
  func keys(
    for expectation: ParserNotes.Expectation, _ candidates: CompletionCandidates
  ) -> [Completion] {
    switch expectation {
    case .key(let className), .query(.key(let className), root: _, within: _):
      return objectKeys(className, candidates.context)
    case .mapKey(let map, let source):
      return mapKeys(begun.map { candidates.context.mapKeys(map, source, $0, Self.keyLimit + 1) })
    case .query(.mapKey(after: let path), let root, let elements):
      if case .variable(let name) = path.start, elements.contains(where: { $0.name == name }) {
        return []
      }
      return mapKeys(begun.map { keys(ofMapAt: path, root, candidates, $0) })
    case .statement, .word, .wanted, .query: return []
    }
  }

  private func objectKeys(_ className: String, _ context: CompletionContext) -> [Completion] {
    guard let typed = begun else { return [] }
    let found = context.keys(
      className, quote == nil ? .bare(partial) : .string(typed), Self.keyLimit + 1)
    return found.prefix(Self.keyLimit).map { key in
      var text = key.literal { "#\($0.number)" }
      if case .string(let string) = key { text = literal(string) }
      return Completion(
        start: start, text: text, isOneOfMore: found.count > Self.keyLimit)
    }
  }

  private func mapKeys(_ found: [String]?) -> [Completion] {
    guard let found, quote != nil || partial.isEmpty else { return [] }
    return found.prefix(Self.keyLimit).map { key in
      Completion(
        start: start, text: literal(key), suffix: "]", isOneOfMore: found.count > Self.keyLimit)
    }
  }

  /// The keys of a map in a query: of the object that a variable or a key names, or of the first objects
  /// of the queried class.
  private func keys(
    ofMapAt path: PathSyntax, _ root: PropertyOwner?, _ candidates: CompletionCandidates,
    _ begun: String
  ) -> [String] {
    let (context, typer) = (candidates.context, candidates.typer)
    let limit = Self.keyLimit + 1
    let source = Source(name: "", text: "")
    if let place = PathExpression(path) { return context.mapKeys(place, source, begun, limit) }
    guard path.start == .root,
      let className = root.flatMap({ typer.classSchema(typer.typing(of: $0)) })?.name
    else { return [] }
    var found: Set<String> = []
    for key in context.keys(className, .bare(""), Self.sampleLimit) {
      guard let place = PathExpression(path, of: className, key: key) else { break }
      found.formUnion(context.mapKeys(place, source, begun, limit))
    }
    return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit))
  }

  /// The text in the quotes; nil while an escape is incomplete.
  var begun: String? {
    guard quote != nil else { return partial }
    let bytes = Array(partial.utf8)
    return try? EscapeReader.text(of: bytes, in: 0..<bytes.count)
  }

  /// A string in the kind of quotes that was typed.
  func literal(_ string: String) -> String {
    let literal = string.quoted.visible
    guard quote == Byte.singleQuote else { return literal }
    let content = literal.dropFirst().dropLast()
    return "'" + content.replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "'"
  }
}

extension PathExpression {
  /// The place at the end of a path from the object that it names; nil if it names none.
  fileprivate init?(_ path: PathSyntax) {
    switch path.start {
    case .root: return nil
    case .variable(let name):
      self.init(path, base: .variable(Name(text: name, span: path.startSpan)))
    case .object(let className, let key): self.init(path, of: className, key: key)
    }
  }

  /// The place at the end of a path from an object.
  fileprivate init?(_ path: PathSyntax, of className: String, key: Value) {
    let span = path.startSpan
    self.init(
      path,
      base: .object(
        className: Name(text: className, span: span),
        key: Expression(kind: .literal(key), span: span)))
  }

  private init?(_ path: PathSyntax, base: Base) {
    var steps: [Step] = []
    for step in path.steps {
      switch step.kind {
      case .name(let name): steps.append(.property(Name(text: name, span: step.span)))
      case .index(let row):
        steps.append(.index(Expression(kind: .literal(.int(row)), span: step.span)))
      case .key(let key):
        steps.append(.index(Expression(kind: .literal(.string(key)), span: step.span)))
      case .links, .allLinks, .variable, .keys, .values, .type, .first, .last, .every, .operation:
        return nil
      }
    }
    self.init(base: base, steps: steps, span: path.span)
  }
}
