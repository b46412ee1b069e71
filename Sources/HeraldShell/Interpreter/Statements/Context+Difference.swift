import Herald

/// `diff 41 44 Dog sort(name)`: what changed from one version to another, as an update event has it.
extension Context {
  func showDifference(
    _ first: ExpressionSyntax, _ second: ExpressionSyntax, _ query: QuerySyntax
  ) throws {
    let (old, new) = (try version(first), try version(second))
    guard old <= new else {
      throw ShellError(.expected("a version from \(old) on", found: "\(new)"), source, second.span)
    }
    if let version = query.version {
      throw ShellError(
        .expected("a query without a version", found: "'\(version)'"), source, query.span)
    }
    let before = try content(of: query, at: first)
    let after = try content(of: query, at: second)
    switch (before, after) {
    case (nil, nil): _ = try content(of: query, at: second, isRequired: true)
    case (.results(let before)?, .results(let after)?):
      emit(try store.difference(from: before, to: after))
    case (nil, .results(let after)?): emit(ChangeSet(insertions: Array(0..<(try after.count))))
    case (.results(let before)?, nil): emit(ChangeSet(deletions: Array(0..<(try before.count))))
    case (.collection(let before)?, .collection(let after)?) where before.isMap && after.isMap:
      emit(changes(from: before, to: after))
    case (let before?, let after?):
      guard let old = try values(of: before), let new = try values(of: after) else {
        throw ShellError(
          .notACollection(source.text(query.span), found: after.kind), source,
          query.span)
      }
      emit(try store.difference(from: old, to: new))
    case (nil, .some), (.some, nil):
      throw ShellError(
        .notACollection(source.text(query.span), found: "a value"), source,
        query.span)
    }
  }

  /// What a query leads to at a version, a collection of links as results; nil where the version lacks the class.
  private func content(
    of query: QuerySyntax, at version: ExpressionSyntax, isRequired: Bool = false
  ) throws -> Resolved? {
    var query = query
    query.version = .at(version)
    let past = try asOf(query.version)
    if !isRequired, case .className(let name) = query.origin,
      try !past.store.schema.isTaken(name.text)
    {
      return nil
    }
    let resolved = try resolve(query)
    if case .collection(let collection) = resolved, !collection.isMap,
      collection.property.type.linkedClass != nil
    {
      return .results(
        try past.asking { try collection.store.results(of: collection, nil, names: $0) })
    }
    return resolved
  }

  private func values(of resolved: Resolved) throws -> [Value]? {
    switch resolved {
    case .collection(let collection) where !collection.isMap: collection.values
    case .elements(let elements): try elements.values
    case .values(let values), .value(.list(let values)): values
    case .value, .object, .newObject, .collection, .results, .projection: nil
    }
  }

  private func changes(from old: LiveCollection, to new: LiveCollection) -> MapChangeSet {
    MapChangeSet(
      deletions: old.keys.filter { new.value(forKey: $0) == nil },
      insertions: new.keys.filter { old.value(forKey: $0) == nil },
      modifications: new.keys.filter { key in
        old.value(forKey: key).map { $0 != new.value(forKey: key) } ?? false
      })
  }

  private func emit(_ changes: ChangeSet) {
    emit(
      .report(EventText.lines(.update(changes, ownerDeleted: false)), CommitText.value(changes)))
  }

  private func emit(_ changes: MapChangeSet) {
    emit(
      .report(EventText.lines(.mapUpdate(changes, ownerDeleted: false)), CommitText.value(changes)))
  }
}
