import Herald

extension Context {
  /// The rows of a query in sections.
  ///
  /// - Parameter clauses: what follows the columns of a table of them.
  func sections(
    _ syntax: SectionsSyntax, _ clauses: ColumnClauses = ColumnClauses(columns: [], clauses: [])
  ) throws -> DynamicSections {
    if let found = try atVersion(of: syntax.query, { try $0.sections(syntax.of($1), clauses) }) {
      return found
    }
    let resolved = try resolve(syntax.query, clauses)
    return try asking(at: resolved.store) { names in
      let results = try objectRows(resolved, syntax.query, names)
      return try results.store.sections(of: results, syntax, names: names)
    }
  }
}

extension Context {
  /// The rows of all sections as a table, whose first column is the key.
  func sectionRows(_ syntax: SectionsSyntax, _ clauses: ColumnClauses) throws -> ColumnRows {
    if let found = try atVersion(of: syntax.query, { try $0.sectionRows(syntax.of($1), clauses) }) {
      return found
    }
    let sections = try sections(syntax, clauses)
    let store = sections.store
    let chosen = clauses.columns.isEmpty ? try defaultColumns(of: syntax.query) : clauses.columns
    let columns = syntax.columns(chosen, of: sections.rows)
    let bound = try asking(at: store) {
      try store.columns(columns, of: sections.rows, names: $0)
    }
    let objects = try sections.rows.objects
    return ColumnRows(names: columns.map(\.name.text), columns: bound, count: objects.count) {
      try bound.values(of: objects[$0])
    }
  }
}

extension SectionsSyntax {
  /// The columns of a table of all rows: the key, then those that were chosen, or else the properties in key paths, or all.
  func columns(
    _ chosen: [ColumnSyntax], of rows: DynamicResults, _ keyPaths: [String]? = nil
  ) -> [ColumnSyntax] {
    let properties = rows.store.schema.classSchema(rows.classID)?.properties ?? []
    let names =
      keyPaths ?? rows.projection?.fields.map(\.name)
      ?? properties.filter { !$0.type.isBacklinks }.map(\.name)
    let columns = chosen.isEmpty ? names.map { ColumnSyntax(propertyOfRow: $0) } : chosen
    return [key] + columns.filter { $0.name.text != key.name.text }
  }
}

extension DynamicSections.Change {
  /// The change of all rows in their order.
  var withoutSections: DynamicCollectionChange {
    switch self {
    case .initial(let count, sections: _): .initial(count: count)
    case .update(let changes, let ownerDeleted): .update(changes.rows, ownerDeleted: ownerDeleted)
    case .error(let error): .error(error)
    }
  }

  /// The variables of the observer's block: `$rows` has a map for each section.
  func variables(of sections: DynamicSections) throws -> [String: Variable] {
    var changes: SectionChangeSet?
    var isGone = false
    if case .update(let update, let ownerDeleted) = self {
      (changes, isGone) = (update, ownerDeleted)
    }
    let rows = isGone ? [] : try sections.values
    func positions(_ positions: [SectionChangeSet.Position]?) -> Variable {
      .values((positions ?? []).map { .list([.int($0.section), .int($0.row)]) })
    }
    return [
      "rows": .values(rows),
      "sectionDeletions": .values((changes?.sectionDeletions ?? []).map(Value.int)),
      "sectionInsertions": .values((changes?.sectionInsertions ?? []).map(Value.int)),
      "deletions": positions(changes?.deletions), "insertions": positions(changes?.insertions),
      "modifications": positions(changes?.modifications),
      "modificationsNew": positions(changes?.modificationsNew),
    ]
  }
}

extension DynamicSections {
  /// The sections as values of the language: maps of a key and rows.
  var values: [Value] {
    get throws {
      try sections.map { section in
        let rows = try section.objects.map { try value(of: $0) }
        return .map(["key": section.key, "rows": .list(rows)])
      }
    }
  }

  /// A link, which leads to the object of the present version; a map of what a projection shows, or of what the object had
  /// at an earlier version.
  private func value(of object: ObjectHandle) throws -> Value {
    if let projection = try rows.projected(object) {
      return try Self.map(projection.names) { name in
        try nested(projection.collection(name)?.content ?? projection.value(name))
      }
    }
    guard store.isFrozen else { return .link(object.id) }
    return try contents(object.classSchema.properties, of: object)
  }

  private func contents(_ properties: [PropertySchema], of object: ObjectHandle) throws -> Value {
    try Self.map(properties.map(\.name)) { name in
      try nested(
        object.isCollection(name) ? object.collection(name).content : object.value(name))
    }
  }

  /// A value with its embedded objects as maps, if it is of an earlier version.
  private func nested(_ value: Value) throws -> Value {
    guard store.isFrozen else { return value }
    switch value {
    case .link(let id):
      guard store.schema.classSchema(id.classID)?.isEmbedded == true, let part = store.object(id)
      else { return value }
      // Backlinks may lead back to where it is embedded.
      return try contents(part.classSchema.properties.filter { !$0.type.isBacklinks }, of: part)
    case .list(let values): return .list(try values.map { try nested($0) })
    case .map(let entries):
      return .map(MapEntries(try entries.inKeyOrder.map { ($0.key, try nested($0.value)) }))
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return value
    }
  }

  private static func map(_ names: [String], _ value: (String) throws -> Value) rethrows -> Value {
    .map(MapEntries(try names.map { ($0, try value($0)) }))
  }
}

extension LiveCollection {
  fileprivate var content: Value { isMap ? .map(entries) : .list(values) }
}

extension Event.Kind {
  init(_ change: DynamicSections.Change, _ output: (Value) -> OutputValue) {
    switch change {
    case .initial(let count, let sections):
      self = .initialSections(
        count: count, sections.map { Event.Section(key: output($0.key), count: $0.count) })
    case .update(let changes, let ownerDeleted):
      self = .sections(changes, ownerDeleted: ownerDeleted)
    case .error(let error): self = .error(error.eventMessage)
    }
  }
}

extension EventRows {
  /// What is said of the rows of all sections, by the positions in these, without the rows of deleted sections.
  func placed(by changes: SectionChangeSet) -> EventRows {
    let stayed = Set(changes.deletedRows)
    let isListed = changes.rows.deletions.map(stayed.contains)
    func listed<Element>(_ elements: [Element]) -> [Element] {
      zip(elements, isListed).filter(\.1).map(\.0)
    }
    var placed = self
    placed.keys?.deletions = listed(keys?.deletions ?? [])
    if let details {
      placed.details = EventDetails(
        deletions: listed(details.deletions).placed(changes.deletions),
        insertions: details.insertions.placed(changes.insertions),
        modifications: details.modifications.placed(changes.modificationsNew))
    }
    return placed
  }
}

extension [EventDetails.Row] {
  func placed(_ positions: [SectionChangeSet.Position]) -> [EventDetails.Row] {
    zip(self, positions).map { row, position in
      var row = row
      row.position = .inSection(position)
      return row
    }
  }
}
