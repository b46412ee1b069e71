import Herald

/// What a followed query is at a version, as it is written.
enum RenderedRows: Equatable {
  case rows(Rows)
  case value(OutputValue)
  /// Sections, a map, or an object.
  case whole(OutputValue)

  /// Rows with what each is of.
  struct Rows: Equatable {
    /// What each row is of: an object, the keys of a group, or a value. Objects are not written with these numbers.
    var identities: [Value]
    var outputs: [OutputValue]
    /// The primary keys of the rows, or their numbers, where they are objects.
    var keys: [OutputValue]?

    static func == (a: Rows, b: Rows) -> Bool {
      a.identities == b.identities && a.outputs == b.outputs
    }
  }

  /// Reads it at the version of the context's session. Errors: those of the query.
  init(of target: ObserveSyntax.Target, in context: Context) throws {
    let session = context.session
    switch target {
    case .query(let query): self = try Self.rows(of: context.resolve(query), session)
    case .projection(let name, let query):
      self = .whole(try session.output(try context.projection(name, query)))
    case .groups(let syntax):
      let groups = try context.groups(syntax)
      let rows = try groups.rows
      self = .rows(
        Rows(
          identities: rows.map { .list(Array($0.prefix(syntax.keys.count))) },
          outputs: rows.map { session.row(groups.names, $0) }))
    case .histogram(let syntax):
      let histogram = try context.histogram(syntax).present
      self = .rows(
        Rows(
          identities: histogram.identities,
          outputs: histogram.rows.map { session.row(histogram.names, $0) }))
    case .sections(let syntax):
      let sections = try context.sections(syntax)
      self = .whole(
        .list(
          try sections.sections.map { section in
            .map([
              OutputValue.Field(name: "key", value: session.output(section.key)),
              OutputValue.Field(
                name: "rows",
                value: .list(
                  try section.objects.map { try session.output($0, of: sections.rows) })),
            ])
          }))
    case .value(let expression, when: let condition):
      guard condition == nil else {
        throw HeraldError.cannotObserve("a condition since an earlier version")
      }
      self = .value(try context.rendered(try context.resolve(expression), session))
    case .store, .property: self = .whole(.plain(.null))
    }
  }

  private static func rows(of resolved: Resolved, _ session: ShellSession) throws -> RenderedRows {
    switch resolved {
    case .results(let results):
      let objects = try results.objects
      return .rows(
        Rows(
          identities: objects.map { .link($0.id) },
          outputs: try objects.map { try session.output($0, of: results) },
          keys: objects.map { session.output($0.label.key) }))
    case .collection(let collection):
      let values = collection.values
      guard case .list(let outputs) = try session.rows(collection) else {
        return .whole(try session.rows(collection))
      }
      let isOfLinks = collection.property.type.linkedClass != nil
      let keys = isOfLinks ? values.map { session.key(of: $0) } : nil
      return .rows(Rows(identities: values, outputs: outputs, keys: keys))
    case .elements(let elements):
      let values = try elements.values
      return .rows(Rows(identities: values, outputs: values.map { session.output($0) }))
    case .object(let object): return .whole(try session.output(object))
    case .projection(let projection): return .whole(try session.output(projection))
    case .value(let value): return .whole(session.output(value))
    case .values(let values): return .whole(.list(values.map { session.output($0) }))
    case .newObject: return .whole(.plain(.null))
    }
  }
}

extension RenderedRows {
  /// Whether an event can say what changes.
  var hasChanges: Bool {
    switch self {
    case .rows, .value: true
    case .whole: false
    }
  }
}

extension Follower {
  /// The event of what differs at two versions; nil if nothing does, or no event can say it.
  func event(
    from old: RenderedRows, to new: RenderedRows, _ store: DynamicStore
  ) throws -> Event? {
    switch (old, new) {
    case _ where old == new: return nil
    case (.rows(let before), .rows(let after)):
      let change = try before.change(to: after, store)
      if change.update.isEmpty { return nil }
      return Event(
        token: record.name, session: record.session.name,
        kind: .update(change.update, ownerDeleted: false), keys: change.keys,
        objects: change.objects)
    case (.value(let before), .value(let after)):
      return Event(
        token: record.name, session: record.session.name, kind: .value(old: before, new: after))
    case (.rows, _), (.value, _), (.whole, _): return nil
    }
  }
}

extension RenderedRows.Rows {
  /// The change to later rows: a row of both is modified if it is written otherwise.
  func change(
    to new: Self, _ store: DynamicStore
  ) throws -> (update: ChangeSet, keys: EventKeys?, objects: EventObjects) {
    var update = store.difference(from: identities, to: new.identities)
    let (deleted, inserted) = (Set(update.deletions), Set(update.insertions))
    let kept = zip(
      identities.indices.filter { !deleted.contains($0) },
      new.identities.indices.filter { !inserted.contains($0) })
    for (oldRow, newRow) in kept where outputs[oldRow] != new.outputs[newRow] {
      update.modifications.append(oldRow)
      update.modificationsNew.append(newRow)
    }
    func rows(_ positions: [Int]) -> [EventDetails.Row] {
      positions.map { EventDetails.Row(position: .position($0), new: new.outputs[$0]) }
    }
    var eventKeys: EventKeys?
    if let keys, let newKeys = new.keys {
      eventKeys = EventKeys(
        deletions: update.deletions.map { keys[$0] },
        insertions: update.insertions.map { newKeys[$0] },
        modifications: update.modificationsNew.map { newKeys[$0] })
    }
    let objects = EventObjects(
      inserted: rows(update.insertions), modified: rows(update.modificationsNew))
    return (update, eventKeys, objects)
  }
}

extension ShellSession {
  /// The primary key of the object that a value links to, or its number.
  fileprivate func key(of value: Value) -> OutputValue {
    guard case .link(let object) = value, let store else { return .plain(.null) }
    return output(store.label(of: object).key)
  }
}
