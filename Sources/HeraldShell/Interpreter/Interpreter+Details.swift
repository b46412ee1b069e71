import Herald

/// What happened to each row that an event tells of. To know what a deleted row was, the rows as they
/// were last told are kept: while details are shown an event costs as much as its collection is long.
extension Interpreter {
  func showDetails(_ isOn: Bool, _ context: Context) throws {
    showsDetails = isOn
    for record in tokens.live { try keepRows(of: record, context) }
  }

  /// Keeps the rows of a token as they are now: it was told, or silenced, up to here.
  func keepRows(of record: TokenTable.Record, _ context: Context) throws {
    guard showsDetails, let readRows = record.readRows else {
      record.toldRows = nil
      return
    }
    try run(on: record.session, from: context.session) { record.toldRows = try readRows() }
  }

  /// nil while details are not shown, and for a first event.
  func details(
    _ change: CollectionChange, _ record: TokenTable.Record, _ syntax: ObserveSyntax,
    _ rows: @autoclosure () throws -> ObservedRows
  ) throws -> EventDetails? {
    guard showsDetails, let store = record.session.store else { return nil }
    let new = try rows()
    let old = record.toldRows
    record.toldRows = new
    let reader = RowReader(interpreter: self, session: record.session, store: store, syntax: syntax)
    switch change {
    case .initial: return nil
    case .update(let changes, _):
      return EventDetails(
        deletions: changes.deletions.map { reader.row(.position($0), old: old?.value(at: $0)) },
        insertions: changes.insertions.map { reader.row(.position($0), new: new.value(at: $0)) },
        modifications: zip(changes.modifications, changes.modificationsNew).map { was, now in
          reader.row(.position(now), from: old?.value(at: was), to: new.value(at: now))
        })
    case .mapUpdate(let changes, _):
      return EventDetails(
        deletions: changes.deletions.map { reader.row(.key($0), old: old?.value(forKey: $0)) },
        insertions: changes.insertions.map { reader.row(.key($0), new: new.value(forKey: $0)) },
        modifications: changes.modifications.map {
          reader.row(.key($0), from: old?.value(forKey: $0), to: new.value(forKey: $0))
        })
    }
  }
}

extension ObservedRows {
  func value(at row: Int) -> Value? { values.indices.contains(row) ? values[row] : nil }
}

/// Makes the details of one event's rows.
private struct RowReader {
  let interpreter: Interpreter
  let session: Session
  let store: Store
  let syntax: ObserveSyntax

  /// As many changes of one row are told.
  private static let limit = 20

  /// A row that went: the whole of what is gone, and of an object that is elsewhere why it left.
  func row(_ place: EventDetails.Row.Place, old: Value?) -> EventDetails.Row {
    guard case .link(let id)? = old, store.object(id) != nil else {
      return EventDetails.Row(place: place, old: old.map(whole))
    }
    return EventDetails.Row(
      place: place, old: .link(store.label(of: id)), properties: changes(reachedFrom: id))
  }

  func row(_ place: EventDetails.Row.Place, new: Value?) -> EventDetails.Row {
    EventDetails.Row(place: place, new: new.map(whole))
  }

  /// A row that stayed: its old value too where it was replaced, else what changed in the object.
  func row(_ place: EventDetails.Row.Place, from old: Value?, to new: Value?) -> EventDetails.Row {
    var row = EventDetails.Row(place: place)
    guard let new else { return row }
    row.new = interpreter.output(new, session)
    if let old, old != new {
      row.old = interpreter.output(old, session)
    } else if case .link(let object) = new {
      row.properties = changes(reachedFrom: object)
    }
    return row
  }

  /// An object with what it holds, or held.
  private func whole(_ value: Value) -> OutputValue {
    guard case .link(let id) = value else { return interpreter.output(value, session) }
    if let object = store.object(id), let shown = try? interpreter.output(object, session) {
      return shown
    }
    guard case .deleted(let values)? = store.fate(of: id) else { return .link(store.label(of: id)) }
    return .object(
      store.label(of: id),
      values.map { OutputValue.Field(name: $0.name, value: interpreter.output($0.value, session)) })
  }

  /// The properties that changed of an object and of those that it leads to, nearest first, as far as
  /// the observer hears of them.
  private func changes(reachedFrom root: ObjectID) -> [Event.Property] {
    var found: [Event.Property] = []
    var seen: Set<ObjectID> = [root]
    var level = [(object: root, path: "")]
    for step in 0...reach {
      var next: [(object: ObjectID, path: String)] = []
      for (object, path) in level {
        if case .changed(let properties)? = store.fate(of: object) {
          for property in properties where isHeard(path + property.name) {
            found.append(output(property, path))
            if found.count == Self.limit { return found }
          }
        }
        guard step < reach else { continue }
        for (target, name) in links(from: object) where seen.insert(target).inserted {
          next.append((target, path + name + "."))
        }
      }
      level = next
    }
    return found
  }

  private func output(_ property: PropertyChange, _ path: String) -> Event.Property {
    let values = Event.Property.Values(
      old: interpreter.output(property.old, session),
      new: interpreter.output(property.new, session))
    return Event.Property(name: path + property.name, values: property.hasValues ? values : nil)
  }

  /// How many links away the observer hears of a change.
  private var reach: Int {
    switch syntax.keyPaths {
    case .unrestricted: syntax.depth ?? 4
    case .none: 0
    case .paths(let names): names.map { $0.text.count { $0 == "." } }.max() ?? 0
    }
  }

  /// Whether a change at a path is one that a key path names, or leads through.
  private func isHeard(_ path: String) -> Bool {
    guard let keyPaths = syntax.keyPaths.texts else { return true }
    let steps = path.split(separator: ".")
    return keyPaths.contains { keyPath in
      let named = keyPath.split(separator: ".")
      return steps.count <= named.count && zip(steps, named).allSatisfy { $0 == $1 || $1 == "*" }
    }
  }

  private func links(from id: ObjectID) -> [(target: ObjectID, name: String)] {
    guard let object = store.object(id), let classSchema = try? object.classSchema else {
      return []
    }
    var links: [(ObjectID, String)] = []
    for property in classSchema.properties where !property.type.isBacklinks {
      guard property.type.target != nil || property.type.element == .any else { continue }
      let values =
        property.type.isCollection
        ? (try? object.collection(property.name).values) : (try? [object.value(property.name)])
      for case .link(let target) in values ?? [] { links.append((target, property.name)) }
    }
    return links
  }
}
