import Herald

/// `diff 41 44 Dog sort(name)`: what changed from one version to another, as an update event has it.
extension Interpreter {
  func showDifference(
    _ first: ExpressionSyntax, _ second: ExpressionSyntax, _ query: QuerySyntax, _ context: Context
  ) throws {
    let (old, new) = (try version(first, context), try version(second, context))
    guard old <= new else {
      throw ShellError(
        .expected("a version from \(old) on", found: "\(new)"), context.source, second.span)
    }
    if let version = query.version {
      throw ShellError(
        .expected("a query without a version", found: "'\(version)'"), context.source, query.span)
    }
    let before = try content(of: query, at: first, context)
    let after = try content(of: query, at: second, context)
    switch (before, after) {
    case (nil, nil): _ = try content(of: query, at: second, isRequired: true, context)
    case (.results(let before)?, .results(let after)?):
      emit(try store(context).difference(from: before, to: after))
    case (nil, .results(let after)?): emit(ChangeSet(insertions: Array(0..<(try after.count))))
    case (.results(let before)?, nil): emit(ChangeSet(deletions: Array(0..<(try before.count))))
    case (.collection(let before)?, .collection(let after)?) where before.isMap && after.isMap:
      emit(changes(from: before, to: after))
    case (let before?, let after?):
      guard let old = try values(of: before), let new = try values(of: after) else {
        throw ShellError(
          .notACollection(context.source.text(query.span), found: after.kind), context.source,
          query.span)
      }
      emit(try store(context).difference(from: old, to: new))
    case (nil, .some), (.some, nil):
      throw ShellError(
        .notACollection(context.source.text(query.span), found: "a value"), context.source,
        query.span)
    }
  }

  /// What a query leads to at a version, a collection of links as results; nil where the version lacks the class.
  private func content(
    of query: QuerySyntax, at version: ExpressionSyntax, isRequired: Bool = false,
    _ context: Context
  ) throws -> Resolved? {
    var query = query
    query.version = .at(version)
    let past = try asOf(query.version, context)
    if !isRequired, case .className(let name) = query.origin,
      try !store(past).schema.isTaken(name.text)
    {
      return nil
    }
    let resolved = try resolve(query, context)
    if case .collection(let collection) = resolved, !collection.isMap,
      collection.property.type.linkedClass != nil
    {
      return .results(
        try asking(past) { try collection.store.results(of: collection, nil, names: $0) })
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
      .report(
        EventText.lines(.update(changes, ownerDeleted: false)), CommitText.value(changes)))
  }

  private func emit(_ changes: MapChangeSet) {
    emit(
      .report(
        EventText.lines(.mapUpdate(changes, ownerDeleted: false)), CommitText.value(changes)))
  }
}
