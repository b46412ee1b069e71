import Herald

/// Makes the details of the rows of one event, within its delivery.
struct DetailReader {
  private let session: ShellSession
  private let store: DynamicStore
  /// The names of the columns of a row, for rows that are groups or parts of a histogram.
  private let columns: (([Value]) -> [String])?
  /// The observed results, for rows that are objects.
  private let results: DynamicResults?
  /// The projection through which rows are seen.
  private let projection: ProjectionDefinition?
  /// The same with what counts as a modification of a row alone.
  private let observed: ProjectionDefinition?

  /// The limit of changes reported for one row.
  private static let limit = 20

  /// - Parameter keyPaths: those of the observer; nil without a restriction.
  init(
    _ session: ShellSession, _ store: DynamicStore,
    _ reading: RowReading, keyPaths: [String]?
  ) throws {
    self.session = session
    self.store = store
    switch reading {
    case .groups(let groups): (columns, results) = ({ _ in groups.names }, nil)
    case .histogram: (columns, results) = (Histogram.names, nil)
    case .results(let rows): (columns, results) = (nil, rows)
    case .collection, .elements: (columns, results) = (nil, nil)
    }
    projection = results?.projection
    observed = try projection.map { projection in
      guard let keyPaths else { return projection }
      return ProjectionDefinition(
        name: projection.name, className: projection.className,
        fields: try keyPaths.map { (name: $0, path: try projection.path($0)) })
    }
  }

  /// A deleted row: its previous content, and for an object that still exists the changes that removed it.
  func row(_ position: EventDetails.Row.Position, old: Value?) throws -> EventDetails.Row {
    guard case .link(let id)? = old else {
      return EventDetails.Row(position: position, old: old.map(output))
    }
    var row = EventDetails.Row(position: position)
    let isThere = store.object(id) != nil
    if let projection {
      row.old = .projection(
        projection.name, store.label(of: id),
        try fields(store.previousContents(of: id, through: projection)))
      if isThere { row.properties = try changes(of: id, through: projection) }
    } else if isThere {
      row.old = .link(store.label(of: id))
      row.properties = changes(reachedFrom: id)
    } else {
      row.old = deleted(id)
    }
    return row
  }

  /// An inserted row. Where changes that are delivered later have deleted its object, what that was.
  func row(_ position: EventDetails.Row.Position, new: Value?) throws -> EventDetails.Row {
    var row = EventDetails.Row(position: position)
    guard case .link(let id)? = new else {
      row.new = new.map(output)
      return row
    }
    guard let object = store.object(id) else {
      row.new = deleted(id)
      return row
    }
    row.new =
      if let results {
        try session.output(object, of: results)
      } else {
        try session.output(object)
      }
    return row
  }

  /// A modified row: its previous value if it was replaced, otherwise the changes of the object.
  func row(
    _ position: EventDetails.Row.Position, from old: Value?, to new: Value?
  ) throws -> EventDetails.Row {
    var row = EventDetails.Row(position: position)
    guard let new else { return row }
    if let observed, case .link(let id) = new {
      row.new = .projection(observed.name, store.label(of: id), nil)
      row.properties = try changes(of: id, through: observed)
      return row
    }
    row.new = output(new)
    if let old, old != new {
      row.old = output(old)
    } else {
      new.forEachLinked { object in row.properties += changes(reachedFrom: object) }
    }
    return row
  }

  /// A deleted object with all that it had.
  private func deleted(_ id: ObjectID) -> OutputValue {
    let contents = store.previousContents(of: id)
    return contents.isEmpty
      ? .link(store.label(of: id)) : .object(store.label(of: id), fields(contents))
  }

  private func fields(_ contents: [NamedContent]) -> [OutputValue.Field] {
    contents.map { OutputValue.Field(name: $0.name, value: member($0.content.asValue)) }
  }

  /// A value of a deleted object; an embedded object, which was deleted with it, is nested in it.
  private func member(_ value: Value) -> OutputValue {
    switch value {
    case .link(let id)
    where store.schema.classSchema(id.classID)?.isEmbedded == true && store.object(id) == nil:
      .embedded(store.label(of: id), fields(store.previousContents(of: id)))
    case .list(let values): .list(values.map(member))
    case .map(let entries):
      .map(entries.inKeyOrder.map { OutputValue.Field(name: $0.key, value: member($0.value)) })
    case .link, .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid,
      .objectID:
      output(value)
    }
  }

  private func output(_ value: Value) -> OutputValue {
    guard let columns, case .list(let values) = value else { return session.output(value) }
    return session.row(columns(values), values)
  }

  /// The changes of what a projection shows of an object, in its names.
  private func changes(
    of id: ObjectID, through projection: ProjectionDefinition
  ) throws -> [Event.Property] {
    try store.changes(of: id, through: projection).prefix(Self.limit).map { output($0, "") }
  }

  /// The changed properties for which the row of an object counts as modified, nearest first.
  private func changes(reachedFrom row: ObjectID) -> [Event.Property] {
    var found: [Event.Property] = []
    for change in store.changes(reachedFrom: row) {
      guard case .changed(let properties)? = store.fate(of: change.object) else { continue }
      let path = change.path.map { $0 + "." }.joined()
      for property in properties where change.properties?.contains(property.name) ?? true {
        found.append(output(property, path))
        if found.count == Self.limit { return found }
      }
    }
    return found
  }

  private func output(_ property: DynamicPropertyChange, _ path: String) -> Event.Property {
    let values = Event.Property.Values(
      old: session.output(property.old),
      new: session.output(property.new))
    return Event.Property(name: path + property.name, values: property.hasValues ? values : nil)
  }
}

extension Value {
  /// The objects that the value links to, directly or in a list or a map, in order.
  fileprivate func forEachLinked(_ body: (ObjectID) -> Void) {
    switch self {
    case .link(let target): body(target)
    case .list(let values): for value in values { value.forEachLinked(body) }
    case .map(let entries):
      for (_, value) in entries.inKeyOrder { value.forEachLinked(body) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      break
    }
  }
}
