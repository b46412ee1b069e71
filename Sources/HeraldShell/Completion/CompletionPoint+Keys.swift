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
    case .query(.key(let className), root: _, within: _):
      return objectKeys(className, candidates.context)
    case .mapKey(let map):
      return mapKeys(begun.map { candidates.context.mapKeys(map, $0, Self.keyLimit + 1) })
    case .query(.mapKey(after: let path), let root, let elements):
      if case .variable(let name) = path.start, elements.contains(where: { $0.name == name }) {
        return []
      }
      return mapKeys(begun.map { keys(ofMapAt: path, root, candidates, $0) })
    case .statement, .word, .expected, .query: return []
    }
  }

  private func objectKeys(_ className: String, _ context: CompletionContext) -> [Completion] {
    guard let typed = begun else { return [] }
    let found = context.keys(
      className, quote == nil ? .bare(partial) : .string(typed), Self.keyLimit + 1)
    return found.prefix(Self.keyLimit).map { key in
      var text = key.literal { "#\($0.number)" }
      if case .string(let string) = key { text = literal(string) }
      return Completion(start: start, text: text, isOneOfMore: found.count > Self.keyLimit)
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
    if path.isTarget { return context.mapKeys(path, begun, limit) }
    guard case .root = path.start,
      let className = root.flatMap({ typer.classSchema(typer.typing(of: $0)) })?.name
    else { return [] }
    var found: Set<String> = []
    for key in context.keys(className, .bare(""), Self.sampleLimit) {
      var keyed = path
      keyed.start = .object(
        className: className, key: ExpressionSyntax(.literal(key), path.startSpan))
      guard keyed.isTarget else { break }
      found.formUnion(context.mapKeys(keyed, begun, limit))
    }
    return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit))
  }

  // MARK: Strings of the store

  /// The strings that the property has which the value here is compared with or assigned to.
  func strings(
    for expectation: ParserNotes.Expectation, _ candidates: CompletionCandidates
  ) -> [Completion] {
    guard quote != nil || partial.isEmpty, let begun,
      let (className, property) = comparedProperty(expectation, candidates)
    else { return [] }
    let found = candidates.context.strings(className, property, begun, Self.keyLimit + 1)
    return found.prefix(Self.keyLimit).map { text in
      Completion(start: start, text: literal(text), isOneOfMore: found.count > Self.keyLimit)
    }
  }

  /// The class and the name of the property that a value is expected for.
  private func comparedProperty(
    _ expectation: ParserNotes.Expectation, _ candidates: CompletionCandidates
  ) -> (className: String, property: String)? {
    switch expectation {
    case .expected(CompletionKind.value.rawValue, of: let owner?):
      guard let name = owner.properties.last else {
        return comparedProperty(owner, candidates.typer)
      }
      var of = owner
      of.properties.removeLast()
      return property(name, of: candidates.typer.typing(of: of), candidates.typer)
    case .query(.operand(beside: let other?), let root, let elements):
      guard case .path(var path) = other.kind, case .name(let name)? = path.steps.last?.kind
      else { return nil }
      path.steps.removeLast()
      let root = root.flatMap { candidates.typer.typing(of: $0) }?.elementOfCollection
      let typer = candidates.within(elements, root: root).typer
      let owner =
        path.steps.isEmpty && path.startsAtRoot ? root : typer.typing(of: path, root: root)
      return property(name, of: owner, typer)
    case .statement, .word, .expected, .query, .mapKey: return nil
    }
  }

  /// The property that an assignment to a path changes.
  private func comparedProperty(
    _ owner: PropertyOwner, _ typer: Typer
  ) -> (className: String, property: String)? {
    guard case .path(var path) = owner.base, case .name(let name)? = path.steps.last?.kind else {
      return nil
    }
    path.steps.removeLast()
    return property(name, of: typer.typing(ofPath: path), typer)
  }

  private func property(
    _ name: String, of owner: Typing?, _ typer: Typer
  ) -> (className: String, property: String)? {
    guard owner?.projection == nil, let className = typer.classSchema(owner)?.name else {
      return nil
    }
    return (className, name)
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
    var text = [Byte.singleQuote]
    for byte in literal.utf8.dropFirst().dropLast() {
      // Double quotes need no escape between single ones.
      if byte == Byte.doubleQuote { text.removeLast() }
      if byte == Byte.singleQuote { text.append(Byte.backslash) }
      text.append(byte)
    }
    return String(decoding: text + [Byte.singleQuote], as: UTF8.self)
  }
}
