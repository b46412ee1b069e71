import Herald

/// The details of the rows of an event. To know the previous content of a row, the rows of the last event
/// are kept while details are shown, and updated with each change, also a silenced one: an event costs in
/// proportion to its changes. An initial event reads all rows.
extension Context {
  func showDetails(_ isOn: Bool) throws {
    shell.showsDetails = isOn
    for record in shell.tokens.live { try keepRows(of: record) }
  }

  /// Keeps the present rows of a token: it was notified, or silenced, up to this version.
  func keepRows(of record: TokenTable.Entry) throws {
    guard shell.showsDetails, let reading = record.reading else {
      record.deliveredRows = nil
      return
    }
    try shell.run(on: record.session, from: session) { record.deliveredRows = try reading.all }
  }

  /// Updates the kept rows of a silenced observer: its next event starts at this version.
  func trackSilencedChanges(_ record: TokenTable.Entry) {
    guard let reading = record.reading else { return }
    // Of selected values and their groups, it receives the changes of these.
    if case .elements = reading { return }
    if case .groups(let groups) = reading, groups.isOfElements { return }
    record.token?.onSilenced { [unowned record] change in
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
    guard shell.showsDetails, let store = record.session.store, let reading = record.reading else {
      return nil
    }
    guard var rows = record.deliveredRows else {
      record.deliveredRows = try reading.all
      return nil
    }
    // The only reference, so that the update does not copy the rows.
    record.deliveredRows = nil
    defer { record.deliveredRows = rows }
    let reader = try DetailReader(record.session, store, reading, keyPaths: record.keyPaths)
    switch change {
    case .initial:
      rows = try reading.all
      return nil
    case .update(let changes, _):
      let deleted = changes.deletions.map { rows.value(at: $0) }
      let previous = changes.modifications.map { rows.value(at: $0) }
      try reading.bring(&rows, along: change, record.token)
      return EventDetails(
        deletions: try zip(changes.deletions, deleted).map {
          try reader.row(.position($0), old: $1)
        },
        insertions: try changes.insertions.map {
          try reader.row(.position($0), new: rows.value(at: $0))
        },
        modifications: try zip(changes.modificationsNew, previous).map { row, old in
          try reader.row(.position(row), from: old, to: rows.value(at: row))
        })
    case .mapUpdate(let changes, _):
      let deleted = changes.deletions.map { rows.value(forKey: $0) }
      let previous = changes.modifications.map { rows.value(forKey: $0) }
      try reading.bring(&rows, along: change, record.token)
      return EventDetails(
        deletions: try zip(changes.deletions, deleted).map { try reader.row(.key($0), old: $1) },
        insertions: try changes.insertions.map {
          try reader.row(.key($0), new: rows.value(forKey: $0))
        },
        modifications: try zip(changes.modifications, previous).map { key, old in
          try reader.row(.key(key), from: old, to: rows.value(forKey: key))
        })
    case .error: return nil
    }
  }
}

extension Context {
  /// `why`: explains why the last commit did, or did not, reach a token.
  func why(_ name: Name) throws {
    let record = try shell.tokens.record(name, source)
    var text = ReasonText(record.name)
    try shell.run(on: record.session, from: session) {
      let reason = try record.token?.why() ?? .ended(.invalidated)
      text.describe(reason) { id in record.session.output(.link(id)) }
    }
    emit(.report([text.line], .map(text.fields)))
  }

  /// `explain TOKEN`: describes the state of a token.
  func explain(_ name: Name) throws {
    let record = try shell.tokens.record(name, source)
    var explanation: TokenExplanation?
    try shell.run(on: record.session, from: session) {
      explanation = try record.token?.explanation()
    }
    guard let explanation else { return try why(name) }
    emit(
      .report(
        ExplanationText.lines(record.name, explanation),
        .map(ExplanationText.fields(record.name, explanation))))
  }
}
