import Herald

/// The keys and the details of the rows of an event. To know what a deleted row was, the rows of the last event are kept
/// while details are shown, and where programs read the output, and updated with each change, also a silenced one: an
/// event costs in proportion to its changes. An initial event reads all rows.
extension TokenTable.Entry {
  /// Whether events say which objects the rows were.
  private func hasKeys(_ context: Context) -> Bool {
    (context.shell.mode == .json || program != nil) && (reading?.hasObjects ?? false)
  }

  /// Keeps the present rows of a token: it was notified, or silenced, up to this version.
  func keepRows(_ context: Context) throws {
    guard context.shell.showsDetails || hasKeys(context), let reading else {
      deliveredRows = nil
      return
    }
    if deliveredRows != nil { return }
    try context.shell.run(on: session, from: context.session) {
      self.deliveredRows = try reading.all
    }
  }

  /// Updates the kept rows of a silenced observer: its next event starts at this version.
  func trackSilencedChanges() {
    guard let reading = reading else { return }
    // Of selected values, their groups and histograms, it receives the changes of these.
    if case .elements = reading { return }
    if case .histogram = reading { return }
    if case .groups(let groups) = reading, groups.isOfElements { return }
    token?.onSilenced { [unowned self] change in follow(silenced: change) }
  }

  /// Updates the kept rows by a change that a silent transaction withholds.
  func follow(silenced change: DynamicCollectionChange) {
    guard var rows = deliveredRows, let reading = reading else { return }
    deliveredRows = nil
    do {
      try reading.bring(&rows, along: change, token)
      deliveredRows = rows
    } catch {
      // They are read again with the next event.
    }
  }

  /// Returns the keys and the details of the rows of an event: neither for an initial event, keys only in JSON, and
  /// details only while they are shown.
  func rows(of change: DynamicCollectionChange, _ context: Context) throws -> EventRows {
    let hasKeys = hasKeys(context)
    guard context.shell.showsDetails || hasKeys, let store = session.store, let reading else {
      return EventRows()
    }
    guard var rows = deliveredRows else {
      deliveredRows = try reading.all
      return EventRows()
    }
    // The only reference, so that the update does not copy the rows.
    deliveredRows = nil
    defer { deliveredRows = rows }
    switch change {
    case .initial:
      rows = try reading.all
      return EventRows()
    case .update(let changes, _):
      let deleted = changes.deletions.map { rows.value(at: $0) }
      let previous = changes.modifications.map { rows.value(at: $0) }
      try reading.bring(&rows, along: change, token)
      var event = EventRows()
      if hasKeys {
        func keys(_ rows: [Value?]) -> [OutputValue] { rows.map { key(of: $0, store) } }
        event.keys = EventKeys(
          deletions: keys(deleted), insertions: keys(changes.insertions.map { rows.value(at: $0) }),
          modifications: keys(changes.modificationsNew.map { rows.value(at: $0) }))
      }
      guard context.shell.showsDetails else { return event }
      let reader = try DetailReader(session, store, reading, keyPaths: keyPaths)
      event.details = EventDetails(
        deletions: try zip(changes.deletions, deleted).map {
          try reader.row(.position($0), old: $1)
        },
        insertions: try changes.insertions.map {
          try reader.row(.position($0), new: rows.value(at: $0))
        },
        modifications: try zip(changes.modificationsNew, previous).map { row, old in
          try reader.row(.position(row), from: old, to: rows.value(at: row))
        })
      return event
    case .mapUpdate(let changes, _):
      let deleted = changes.deletions.map { rows.value(forKey: $0) }
      let previous = changes.modifications.map { rows.value(forKey: $0) }
      try reading.bring(&rows, along: change, token)
      guard context.shell.showsDetails else { return EventRows() }
      let reader = try DetailReader(session, store, reading, keyPaths: keyPaths)
      let details = EventDetails(
        deletions: try zip(changes.deletions, deleted).map { try reader.row(.key($0), old: $1) },
        insertions: try changes.insertions.map {
          try reader.row(.key($0), new: rows.value(forKey: $0))
        },
        modifications: try zip(changes.modifications, previous).map { key, old in
          try reader.row(.key(key), from: old, to: rows.value(forKey: key))
        })
      return EventRows(details: details)
    case .error: return EventRows()
    }
  }

  /// The same for rows in sections, by the positions in these.
  func rows(of change: DynamicSections.Change, _ context: Context) throws -> EventRows {
    let rows = try rows(of: change.withoutSections, context)
    return if case .update(let changes, _) = change { rows.placed(by: changes) } else { rows }
  }

  /// The primary key of the object in a row, or its number.
  private func key(of row: Value?, _ store: DynamicStore) -> OutputValue {
    guard case .link(let object)? = row else { return .plain(.null) }
    return session.output(store.label(of: object).key)
  }

  /// Observes computed rows, and keeps what the details of events need.
  func observe<Rows: ComputedRows>(
    _ rows: Rows, _ context: Context,
    _ block: @escaping (Rows, DynamicCollectionChange, EventRows) throws -> Void
  ) throws -> ObservationToken {
    reading = rows.reading
    return try rows.observe(
      silenced: { [self] rows, change in
        reading = rows.reading
        follow(silenced: change)
      },
      { [self] rows, change in
        reading = rows.reading
        try block(rows, change, try self.rows(of: change, context))
      })
  }
}
