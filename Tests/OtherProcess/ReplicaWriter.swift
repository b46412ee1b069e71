import Glibc
import Herald
import HeraldReplication

/// One of the writers of the tests of replication, with an observer of its own.
///
/// It adds `count` objects, each in a commit of its own, with its process number and ascending numbers, and writes each
/// number to standard output once its commit is acknowledged. If a commit is not, for whatever reason, it tries the same
/// number again. At the end it waits for standard input to end, and checks that what its observer received leads to what
/// is in the store: else its status is 3.
final class ReplicaWriter {
  private let store: DynamicStore
  private let count: Int
  private var rows: [Value] = []
  private var token: ObservationToken?
  private var failure: String?

  init(path: String, address: String, count: Int) throws {
    var stream = try NATSStream(address: address)
    stream.patience = 30
    stream.snapshotInterval = 100
    store = try DynamicStore(replicated: stream, cache: path)
    self.count = count
    try Self.untilItWorks {
      try store.declare(
        ClassDefinition(
          name: "Note",
          properties: [
            .init(name: "writer", element: .int, isIndexed: true),
            .init(name: "number", element: .int),
          ]))
    }
    token = try store.objects("Note").observe { [unowned self] notes, change in
      try self.apply(change, notes)
    }
    try store.endTurn()
  }

  private func apply(_ change: DynamicCollectionChange, _ notes: DynamicResults) throws {
    switch change {
    case .initial: rows = try notes.objects.map { try $0.value("number") }
    case .update(let changes, _):
      for row in changes.deletions.reversed() { rows.remove(at: row) }
      // A row by its position costs as much as all of them.
      let inserted = changes.insertions.count > 1 ? try notes.objects : []
      for row in changes.insertions {
        let note = inserted.isEmpty ? try notes[row] : inserted[row]
        rows.insert(try note.value("number"), at: row)
      }
    case .mapUpdate: break
    case .error(let error): failure = error.message
    }
    let count = try notes.count
    if rows.count != count { failure = "\(rows.count) rows instead of \(count)" }
  }

  func run() throws -> Int32 {
    for number in 1..<count + 1 {
      try Self.untilItWorks {
        try store.write {
          _ = try store.add(
            "Note",
            [("writer", .value(.int(Int(getpid())))), ("number", .value(.int(number)))])
        }
      }
      var acknowledged = number
      guard write(STDOUT_FILENO, &acknowledged, MemoryLayout<Int>.size) > 0 else { return 0 }
      try store.endTurn()
    }
    var end: UInt8 = 0
    while read(STDIN_FILENO, &end, 1) > 0 {}
    _ = try store.refresh()
    try store.endTurn()
    let found = try store.objects("Note").objects.map { try $0.value("number") }
    if failure == nil, rows == found { return 0 }
    let message = Array((failure ?? "the rows differ from the store's").utf8) + [10]
    _ = write(STDERR_FILENO, message, message.count)
    return 3
  }

  private static func untilItWorks(_ body: () throws -> Void) throws {
    while true {
      do {
        return try body()
      } catch HeraldError.raceLost, HeraldError.notConnected, HeraldError.notConfirmed {
        continue
      }
    }
  }
}
