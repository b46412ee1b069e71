import Herald

/// The details of the rows of an event. To know the previous content of a row, the rows of the last event
/// are kept while details are shown, and updated with each change, also a silenced one: an event costs in
/// proportion to its changes. An initial event reads all rows.
extension Interpreter {
  func showDetails(_ isOn: Bool, _ context: Context) throws {
    showsDetails = isOn
    for record in tokens.live { try keepRows(of: record, context) }
  }

  /// Keeps the present rows of a token: it was notified, or silenced, up to this version.
  func keepRows(of record: TokenTable.Entry, _ context: Context) throws {
    guard showsDetails, let reading = record.reading else {
      record.deliveredRows = nil
      return
    }
    try run(on: record.session, from: context.session) { record.deliveredRows = try reading.all }
  }

  /// Updates the kept rows of a silenced observer: its next event starts at this version.
  func trackSilencedChanges(_ record: TokenTable.Entry) {
    guard let reading = record.reading else { return }
    // Of selected values and their groups, it receives the changes of these.
    if case .elements = reading { return }
    if case .groups(let groups) = reading, groups.isOfElements { return }
    record.token?.onSilenced { [unowned self, unowned record] change in
      follow(change, silencedFor: record)
    }
  }

  /// Updates the kept rows by a change that a silent transaction withholds.
  func follow(_ change: DynamicCollectionChange, silencedFor record: TokenTable.Entry) {
    guard var rows = record.deliveredRows, let reading = record.reading else { return }
    record.deliveredRows = nil
    do {
      try reading.bring(&rows, along: change, record.token)
      record.deliveredRows = rows
    } catch {
      // They are read again with the next event.
    }
  }

  /// nil while details are not shown, and for an initial event.
  func details(
    _ change: DynamicCollectionChange, _ record: TokenTable.Entry
  ) throws -> EventDetails? {
    guard showsDetails, let store = record.session.store, let reading = record.reading else {
      return nil
    }
    guard var rows = record.deliveredRows else {
      record.deliveredRows = try reading.all
      return nil
    }
    // The only reference, so that the update does not copy the rows.
    record.deliveredRows = nil
    defer { record.deliveredRows = rows }
    var reader = RowReader(interpreter: self, session: record.session, store: store)
    if case .groups(let groups) = reading { reader.columns = groups.names }
    switch change {
    case .initial:
      rows = try reading.all
      return nil
    case .update(let changes, _):
      let deleted = changes.deletions.map { rows.value(at: $0) }
      let previous = changes.modifications.map { rows.value(at: $0) }
      try reading.bring(&rows, along: change, record.token)
      return EventDetails(
        deletions: zip(changes.deletions, deleted).map { reader.row(.position($0), old: $1) },
        insertions: changes.insertions.map { reader.row(.position($0), new: rows.value(at: $0)) },
        modifications: zip(changes.modificationsNew, previous).map { row, old in
          reader.row(.position(row), from: old, to: rows.value(at: row))
        })
    case .mapUpdate(let changes, _):
      let deleted = changes.deletions.map { rows.value(forKey: $0) }
      let previous = changes.modifications.map { rows.value(forKey: $0) }
      try reading.bring(&rows, along: change, record.token)
      return EventDetails(
        deletions: zip(changes.deletions, deleted).map { reader.row(.key($0), old: $1) },
        insertions: changes.insertions.map { reader.row(.key($0), new: rows.value(forKey: $0)) },
        modifications: zip(changes.modifications, previous).map { key, old in
          reader.row(.key(key), from: old, to: rows.value(forKey: key))
        })
    case .error: return nil
    }
  }
}

/// Makes the details of one event's rows.
private struct RowReader {
  let interpreter: Interpreter
  let session: ShellSession
  let store: DynamicStore
  /// The names of the columns, for rows that are groups.
  var columns: [String]?

  /// The limit of changes reported for one row.
  private static let limit = 20

  /// A deleted row: its previous content, and for an object that still exists the changes that removed it.
  func row(_ position: EventDetails.Row.Position, old: Value?) -> EventDetails.Row {
    guard case .link(let id)? = old, store.object(id) != nil else {
      return EventDetails.Row(position: position, old: old.map(whole))
    }
    return EventDetails.Row(
      position: position, old: .link(store.label(of: id)), properties: changes(reachedFrom: id))
  }

  func row(_ position: EventDetails.Row.Position, new: Value?) -> EventDetails.Row {
    EventDetails.Row(position: position, new: new.map(whole))
  }

  /// A modified row: its previous value if it was replaced, otherwise the changes of the object.
  func row(_ position: EventDetails.Row.Position, from old: Value?, to new: Value?)
    -> EventDetails.Row
  {
    var row = EventDetails.Row(position: position)
    guard let new else { return row }
    row.new = output(new)
    if let old, old != new {
      row.old = output(old)
    } else {
      new.forEachLinked { object in
        row.properties += changes(reachedFrom: object)
      }
    }
    return row
  }

  /// An object with its properties, or its previous ones if it was deleted.
  private func whole(_ value: Value) -> OutputValue {
    guard case .link(let id) = value else { return output(value) }
    if let object = store.object(id), let shown = try? interpreter.output(object, session) {
      return shown
    }
    guard case .deleted(let values)? = store.fate(of: id) else { return .link(store.label(of: id)) }
    return .object(
      store.label(of: id),
      values.map { OutputValue.Field(name: $0.name, value: interpreter.output($0.value, session)) })
  }

  private func output(_ value: Value) -> OutputValue {
    guard let columns, case .list(let values) = value else {
      return interpreter.output(value, session)
    }
    return interpreter.row(columns, values, session)
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
      old: interpreter.output(property.old, session),
      new: interpreter.output(property.new, session))
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

extension Interpreter {
  /// `why`: explains why the last commit did, or did not, reach a token.
  func why(_ name: Name, _ context: Context) throws {
    let record = try tokens.record(name, context.source)
    var text = ReasonText(record.name)
    try run(on: record.session, from: context.session) { [self] in
      let reason = try record.token?.why() ?? .ended(.invalidated)
      text.describe(reason) { id in output(.link(id), record.session) }
    }
    emit(.report([text.line], .map(text.fields)))
  }

  /// `explain TOKEN`: describes the state of a token.
  func explain(_ name: Name, _ context: Context) throws {
    let record = try tokens.record(name, context.source)
    var explanation: TokenExplanation?
    try run(on: record.session, from: context.session) {
      explanation = try record.token?.explanation()
    }
    guard let explanation else { return try why(name, context) }
    emit(
      .report(
        ExplanationText.lines(record.name, explanation),
        .map(ExplanationText.fields(record.name, explanation))))
  }
}
