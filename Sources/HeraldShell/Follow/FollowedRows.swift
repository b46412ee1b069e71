import Herald

/// The rows of a followed collection during a delivery, read by position: an update costs in proportion
/// to its changes, not to the size of the collection.
struct FollowedRows {
  let rows: RowReading
  let token: ObservationToken?

  /// All rows, as a list or a map.
  func all(_ session: ShellSession) throws -> OutputValue {
    switch rows {
    case .results(let results):
      .list(
        try (token?.objects(in: 0..<Int.max) ?? results.objects).map {
          try session.output($0, of: results)
        })
    case .collection(let collection): try session.rows(collection)
    case .elements(let elements):
      .list(try elements.values(in: 0..<Int.max).map { session.output($0) })
    case .groups(let groups):
      .list(try groups.rows(observedBy: token).map { session.row(groups.names, $0) })
    case .histogram(let histogram):
      .list(histogram.present.rows.map { session.row(histogram.present.names, $0) })
    }
  }

  func row(at position: Int, _ session: ShellSession) throws -> EventDetails.Row {
    let value: OutputValue
    switch rows {
    case .results(let results):
      let found = token?.objects(in: position..<position + 1)?.first
      value = try session.output(found ?? results[position], of: results)
    case .collection(let collection):
      value = try expanded(collection[position], session)
    case .elements(let elements):
      let found = try elements.values(in: position..<position + 1).first ?? .null
      value = try expanded(found, session)
    case .groups(let groups):
      let found = token?.groups(in: position..<position + 1)?.first
      value = session.row(groups.names, try found ?? groups.rows[position])
    case .histogram(let histogram):
      value = session.row(histogram.present.names, histogram.present.rows[position])
    }
    return EventDetails.Row(position: .position(position), new: value)
  }

  /// A row of a map.
  func row(for key: String, _ session: ShellSession) throws -> EventDetails.Row {
    guard case .collection(let collection) = rows, let value = collection.value(forKey: key)
    else { return EventDetails.Row(position: .key(key)) }
    return EventDetails.Row(position: .key(key), new: session.output(value))
  }

  /// The output of a value; an object with its properties.
  private func expanded(_ value: Value, _ session: ShellSession) throws -> OutputValue {
    guard case .link(let id) = value, let object = session.store?.object(id) else {
      return session.output(value)
    }
    return try session.output(object)
  }
}
