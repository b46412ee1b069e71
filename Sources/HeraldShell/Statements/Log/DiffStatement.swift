import Herald

/// `diff 41 44 Dog sort(name)`: what changed from one version to another, as an update event has it.
struct DiffStatement: StatementForm {
  static let command = Command(
    "diff", ["diff VERSION VERSION QUERY"], "print what changed in a query between two versions",
    [
      "The first version is the older one. What became of the objects is printed as log version prints it, "
        + "or no changes; in JSON as \"changes\", beside the arrays of an update event, from end to end: "
        + "what was changed and changed back is no modification, and only properties of the rows' own "
        + "count, or of a projection what it shows. Versions are numbers, negative ones counted back from the last commit, or times. "
        + "A class that one of them lacks has no rows there.",
      "QUERY may also be a collection: a map is compared by its keys, lists and sets of values by "
        + "their values.",
      "The cost is that of the changes in between and, where QUERY has a condition, of counting it once; "
        + "with sort, distinct, offset or limit, of a collection or a projection, and after a change of "
        + "classes, that of reading all rows at both versions.",
    ], examples: ["diff -1 version Dog sort(name)", "diff 1 version Dog"],
    parse: { parser throws(ShellError) in
      DiffStatement(
        first: try parser.versionNumber(), second: try parser.versionNumber(),
        query: try parser.query(mayBePast: false))
    })

  let first: ExpressionSyntax
  let second: ExpressionSyntax
  let query: QuerySyntax

  func run(in context: Context) throws {
    let (old, new) = (try context.version(first), try context.version(second))
    guard old <= new else {
      throw context.failure(.expected("a version from \(old) on", found: "\(new)"), at: second.span)
    }
    if let version = query.version {
      throw context.failure(
        .expected("a query without a version", found: "'\(version)'"), at: query.span)
    }
    let before = try content(of: query, at: first, context)
    let after = try content(of: query, at: second, context)
    switch (before, after) {
    case (nil, nil): _ = try content(of: query, at: second, isRequired: true, context)
    case (.results(let before)?, .results(let after)?) where before.hasSameRows(as: after):
      let output = ObjectOutput(
        before: before.store, after: after.store, through: after.projection, context)
      let isModified = after.projection == nil ? nil : output.differs
      let rows = try context.store.comparison(
        from: before, to: after, isModified: isModified, readsOthers: after.showsOthers)
      try emit(rows.changeSet, output.changes(of: rows.objects, in: after.classID), context)
    case (.results?, .results?), (nil, .results?), (.results?, nil):
      try emitAll(before?.results, after?.results, context)
    case (.collection(let before)?, .collection(let after)?) where before.isMap && after.isMap:
      emit(changes(from: before, to: after), context)
    case (let before?, let after?):
      guard let old = try values(of: before), let new = try values(of: after) else {
        throw context.failure(
          .notACollection(context.source.text(query.span), found: after.kind),
          at: query.span)
      }
      emit(try context.store.difference(from: old, to: new), context)
    case (nil, .some), (.some, nil):
      throw context.failure(
        .notACollection(context.source.text(query.span), found: "a value"),
        at: query.span)
    }
  }

  /// What a query leads to at a version, a collection of links as results; nil where the version lacks the class.
  private func content(
    of query: QuerySyntax, at version: ExpressionSyntax, isRequired: Bool = false,
    _ context: Context
  ) throws -> Resolved? {
    var query = query
    query.version = .at(version)
    let past = try context.asOf(query.version)
    if !isRequired, case .className(let name) = query.origin {
      // A class that others link to may not be declared yet.
      let schema = try past.store.schema
      let isThere = schema.classSchema(named: name.text)?.isDeclared ?? schema.isTaken(name.text)
      if !isThere { return nil }
    }
    let resolved = try context.resolve(query)
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

  /// Emits all rows of both versions as deleted and inserted, where these have no class, or not the same, of that name.
  private func emitAll(
    _ before: DynamicResults?, _ after: DynamicResults?, _ context: Context
  ) throws {
    let stores = (try context.asOf(.at(first)).store, try context.asOf(.at(second)).store)
    var changeSet = ChangeSet()
    var changes: [CommitText.Change] = []
    for (results, isOld) in [(before, true), (after, false)] {
      guard let results else { continue }
      let rows = try results.objects.map(\.id.number)
      if isOld {
        changeSet.deletions = Array(rows.indices)
      } else {
        changeSet.insertions = Array(rows.indices)
      }
      let output = ObjectOutput(
        before: stores.0, after: stores.1, through: results.projection, context)
      changes += try output.changes(of: rows, in: results.classID)
    }
    emit(changeSet, changes, context)
  }

  /// Emits what became of the objects of rows; text has nothing else, unless rows changed without their objects.
  private func emit(
    _ changeSet: ChangeSet, _ changes: [CommitText.Change], _ context: Context
  ) {
    guard case .map(var fields) = CommitText.value(changeSet) else { return }
    fields.append(OutputValue.Field(name: "changes", value: .list(changes.map { .map($0.fields) })))
    if changes.isEmpty {
      emit(EventText.lines(.update(changeSet, ownerDeleted: false)), .map(fields), context)
    } else {
      context.emit(.commit(nil, changes.map(\.line), .map(fields)))
    }
  }

  private func emit(_ lines: [String], _ value: OutputValue, _ context: Context) {
    context.emit(.report(lines.isEmpty ? ["no changes"] : lines, value))
  }

  private func emit(_ changes: ChangeSet, _ context: Context) {
    emit(
      EventText.lines(.update(changes, ownerDeleted: false)), CommitText.value(changes), context)
  }

  private func emit(_ changes: MapChangeSet, _ context: Context) {
    emit(
      EventText.lines(.mapUpdate(changes, ownerDeleted: false)), CommitText.value(changes), context)
  }
}

extension Resolved {
  fileprivate var results: DynamicResults? {
    if case .results(let results) = self { results } else { nil }
  }
}

extension DynamicResults {
  /// Whether a row is the same thing in results of another version.
  fileprivate func hasSameRows(as other: DynamicResults) -> Bool {
    classID == other.classID && projection?.name == other.projection?.name
  }

  /// Whether its projection shows what may change while its object does not.
  fileprivate var showsOthers: Bool {
    let properties = store.schema.classSchema(classID)?.properties ?? []
    return projection?.fields.contains { field in
      guard let type = properties.first(where: { $0.name == field.path })?.type else { return true }
      return type.linkedClass != nil || type.element == .any
    } ?? false
  }
}
