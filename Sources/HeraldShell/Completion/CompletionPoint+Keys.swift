import Herald

/// What of an object's key has been typed.
enum BegunKey {
  /// Without a quote: a number, or a word.
  case bare(String)
  case string(String)
}

extension CompletionPoint {
  /// So many keys are listed.
  static let keyLimit = 100
  /// The maps of so many objects are looked at where a question is about all of a class.
  private static let sampleLimit = 20

  /// The keys that may stand here; none where no key may.
  func keys(
    for expectation: ParserNotes.Expectation, _ candidates: Candidates
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

  /// The keys of a map in a question: of the object that a variable or a key names, or of the first
  /// objects of the class that is asked about.
  private func keys(
    ofMapAt path: PathSyntax, _ root: PropertyOwner?, _ candidates: Candidates, _ begun: String
  ) -> [String] {
    let (context, typer) = (candidates.context, candidates.typer)
    let limit = Self.keyLimit + 1
    let source = Source(name: "", text: "")
    if let place = Place(path) { return context.mapKeys(place, source, begun, limit) }
    guard path.start == .root,
      let className = root.flatMap({ typer.classSchema(typer.typing(of: $0)) })?.name
    else { return [] }
    var found: Set<String> = []
    for key in context.keys(className, .bare(""), Self.sampleLimit) {
      guard let place = Place(path, of: className, key: key) else { break }
      found.formUnion(context.mapKeys(place, source, begun, limit))
    }
    return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit))
  }

  /// What stands in the quotes; nil while an escape is not whole.
  var begun: String? {
    guard quote != nil else { return partial }
    let bytes = Array(partial.utf8)
    var reader = EscapeReader(bytes: bytes, range: 0..<bytes.count)
    return reader.read() == nil ? String(validating: reader.text, as: UTF8.self) : nil
  }

  /// A string in the quotes that were begun.
  func literal(_ string: String) -> String {
    let literal = string.quoted.visible
    guard quote == Byte.singleQuote else { return literal }
    let inside = literal.dropFirst().dropLast()
    return "'" + inside.replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "'"
  }
}

extension Place {
  /// The place that a path leads to from the object that it names; nil where it names none.
  fileprivate init?(_ path: PathSyntax) {
    switch path.start {
    case .root: return nil
    case .variable(let name):
      self.init(path, base: .variable(Name(text: name, span: path.startSpan)))
    case .object(let className, let key): self.init(path, of: className, key: key)
    }
  }

  /// The place that a path leads to from an object.
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
