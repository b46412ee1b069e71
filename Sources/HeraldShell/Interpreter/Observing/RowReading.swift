import Herald

/// Reads the rows of an observer, at the version of its session.
enum RowReading {
  case results(DynamicResults)
  case collection(LiveCollection)
  /// What an observer of selected values was last notified of.
  case elements(DynamicElements)
  /// Each row as a list of the values of its columns.
  case groups(DynamicGroups)
  /// What an observer of a histogram was last notified of; each row likewise.
  case histogram(LiveHistogram)

  /// Whether the rows are objects at positions.
  var hasObjects: Bool {
    switch self {
    case .results: true
    case .collection(let collection):
      !collection.isMap && collection.property.type.linkedClass != nil
    case .elements, .groups, .histogram: false
    }
  }

  /// All rows; none if the owner of the collection was deleted, or what the query reads was dropped.
  var all: ObservedRows {
    get throws {
      switch self {
      case .results(let results):
        do {
          return ObservedRows(try results.objects.map { .link($0.id) })
        } catch HeraldError.droppedFromSchema { return ObservedRows([]) }
      case .collection(let collection):
        return collection.isValid
          ? ObservedRows(collection.values, keys: collection.keys) : ObservedRows([])
      case .elements(let elements):
        return ObservedRows(try elements.values(in: 0..<Int.max))
      case .groups(let groups): return ObservedRows(try groups.rows.map { .list($0) })
      case .histogram(let histogram): return ObservedRows(histogram.present.rows.map { .list($0) })
      }
    }
  }

  /// Updates rows to the session's version with the change set of the observer.
  func bring(
    _ rows: inout ObservedRows, along change: DynamicCollectionChange, _ token: ObservationToken?
  ) throws {
    switch (self, change) {
    case (_, .initial): rows = try all
    // The path to a nested collection may have changed: the observer knows the collection.
    case (.collection(let collection), .update(let changes, _)) where collection.path != nil:
      rows.follow(changes) { token?.values(in: $0..<$0 + 1)?.first ?? .null }
    case (.collection(let collection), .mapUpdate(let changes, _)) where collection.path != nil:
      rows.follow(changes) { token?.value(forKey: $0) }
    case (.results(let results), .update(let changes, _)):
      try rows.follow(changes) { row in
        let object = try token?.objects(in: row..<row + 1)?.first ?? results[row]
        return .link(object.id)
      }
    case (.collection(let collection), .update(let changes, _)):
      try rows.follow(changes) { try collection[$0] }
    case (.collection(let collection), .mapUpdate(let changes, _)):
      rows.follow(changes) { collection.value(forKey: $0) }
    case (.elements(let elements), .update(let changes, _)):
      try rows.follow(changes) { try elements.values(in: $0..<$0 + 1).first ?? .null }
    case (.groups(let groups), .update(let changes, _)):
      try rows.follow(changes) { row in
        .list(try token?.groups(in: row..<row + 1)?.first ?? groups.rows[row])
      }
    case (.histogram(let histogram), .update(let changes, _)):
      rows.follow(changes) { .list(histogram.present.rows[$0]) }
    case (.results, .mapUpdate), (.elements, .mapUpdate), (.groups, .mapUpdate),
      (.histogram, .mapUpdate), (_, .error):
      break
    }
  }
}

/// Rows that are computed from objects or values; a notification has the new ones.
protocol ComputedRows {
  var reading: RowReading { get }

  /// Calls `silenced` with the change that a silent transaction withholds.
  func observe(
    silenced: @escaping (Self, DynamicCollectionChange) -> Void,
    _ block: @escaping (Self, DynamicCollectionChange) throws -> Void
  ) throws -> ObservationToken
}

extension DynamicElements: ComputedRows {
  var reading: RowReading { .elements(self) }
}

extension DynamicGroups: ComputedRows {
  var reading: RowReading { .groups(self) }
}
