import Herald

/// The time from the beginning of the write until the program knows which rows it changed, by their indices: from
/// Herald's change set; with the update hook after the query was run again and its rows compared.
extension PeerWork {
  /// The names, which GRDB's program prints, too.
  static let sortedName = "notify: filtered and sorted, a sort key changed"
  static let filteredName = "notify: filtered, one row changed"
  static let objectName = "notify: one object changed"

  static func notifications(_ data: PeerData) -> [PeerWork] {
    [
      notification(
        data, sortedName, "where age >= 0 sort(weight)",
        "SELECT rowid, 0 FROM dog WHERE age >= 0 ORDER BY weight, rowid"),
      notification(
        data, filteredName, "where age >= 0",
        "SELECT rowid, weight FROM dog WHERE age >= 0 ORDER BY rowid"),
      PeerWork(
        name: objectName,
        measures: [(.herald, { try object(data, $0) }), (.sqlite, { try hook(data, $0) })]),
    ]
  }

  private static let change = "UPDATE dog SET weight = ? WHERE rowid = ?"

  private static func notification(
    _ data: PeerData, _ name: String, _ query: String, _ text: String
  ) -> PeerWork {
    PeerWork(
      name: name,
      measures: [
        (.herald, { try observed(data, query, $0) }),
        (.sqlite, { try compared(data, text, $0) }),
      ])
  }

  private static func observed(
    _ data: PeerData, _ query: String, _ effort: Effort
  ) throws -> PeerFigure {
    let store = data.dogs.store
    let recorder = try store.results(Kennel.className, query).recorder()
    defer { recorder.stop() }
    // Of its own for each work, since an equal value is no change.
    var random = SplitMix64(seed: UInt64(query.utf8.count))
    let samples = try effort.samples(1_000) { _ in
      let dog = data.dogs.objects[Int.random(in: 0..<data.size, using: &random)]
      let weight = Double.random(in: 0..<6_000, using: &random)
      let calls = recorder.calls
      let time = try seconds {
        try store.write { try dog.set("weight", to: .value(.double(weight))) }
        try store.endTurn()
      }
      let changed = recorder.update.map { $0.insertions.count + $0.modifications.count }
      try require(recorder.calls == calls + 1 && changed == 1, "the block was not called once")
      return time
    }
    return PeerFigure(samples, result: 1)
  }

  private static func object(_ data: PeerData, _ effort: Effort) throws -> PeerFigure {
    let store = data.dogs.store
    let dog = data.dogs.objects[data.size / 2]
    let recorder = ChangeRecorder<DynamicObjectChange>()
    recorder.hold(try dog.observe { _, change in recorder.record(change) })
    defer { recorder.stop() }
    try store.endTurn()
    let samples = try effort.samples(1_000) { iteration in
      let calls = recorder.calls
      let time = try seconds {
        try store.write { try dog.set("weight", to: .value(.double(Double(iteration) + 0.25))) }
        try store.endTurn()
      }
      try require(recorder.calls == calls + 1, "the block was not called once")
      return time
    }
    return PeerFigure(samples, result: 1)
  }

  /// SQLite's update hook, after which the query is run again.
  private static func compared(
    _ data: PeerData, _ text: String, _ effort: Effort
  ) throws -> PeerFigure {
    let database = data.dogs.database
    try database.execute("CREATE INDEX weights ON dog (weight, age)")
    let change = try database.prepare(change)
    let query = try database.prepare(text)
    var rows = query.measures()
    var random = SplitMix64(seed: UInt64(text.utf8.count))
    let samples = try database.notingUpdates {
      try effort.samples(21) { _ in
        let row = Int.random(in: 1...data.size, using: &random)
        let weight = Double.random(in: 0..<6_000, using: &random)
        return try seconds {
          change.bind(weight, at: 1)
          change.bind(row, at: 2)
          try change.run()
          try require(database.updatedRow == row, "the hook was not called")
          let new = query.measures()
          let difference = new.difference(from: rows)
          rows = new
          // A new sort key can be in the place of the old one.
          try require(difference.count <= 2, "\(difference.count) rows differ")
        }
      }
    }
    try database.execute("DROP INDEX weights")
    return PeerFigure(samples, result: 1)
  }

  /// SQLite's update hook, which names the row.
  private static func hook(_ data: PeerData, _ effort: Effort) throws -> PeerFigure {
    let database = data.dogs.database
    let row = data.size / 2 + 1
    let change = try database.prepare(change)
    let samples = try database.notingUpdates {
      try effort.samples(1_000) { iteration in
        try seconds {
          change.bind(Double(iteration) + 0.25, at: 1)
          change.bind(row, at: 2)
          try change.run()
          try require(database.updatedRow == row, "the hook was not called")
        }
      }
    }
    return PeerFigure(samples, result: 1)
  }
}
