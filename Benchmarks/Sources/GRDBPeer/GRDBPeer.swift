import Dispatch
import GRDB
import Synchronization

/// Times GRDB's `ValueObservation` over the dogs in an SQLite file, which it copies into memory: from the beginning of the
/// write until the program knows, by comparing the new array with the old, which rows it changed.
///
///     GRDBPeer FILE SECONDS SORTED FILTERED OBJECT
///
/// measures for as many seconds each, and prints a line for each of the three names of works: GRDB, the name, the
/// shortest time in seconds, and the number of changed rows, with tabs between.
@main
struct GRDBPeer {
  private let queue: DatabaseQueue
  private let count: Int
  private let budget: Double

  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 6, let budget = Double(words[2]) else {
      throw WrongUse(description: "usage: GRDBPeer FILE SECONDS SORTED FILTERED OBJECT")
    }
    print("GRDB 7")
    let peer = try GRDBPeer(file: words[1], budget: budget)
    let anyRow = { round in round * 7919 % peer.count + 1 }
    let sorted = try peer.rounds(of: anyRow) { database in
      try Int64.fetchAll(
        database, sql: "SELECT rowid FROM dog WHERE age >= 0 ORDER BY weight, rowid")
    }
    report(words[3], sorted)
    let filtered = try peer.rounds(of: anyRow) { database in
      try Measure.fetchAll(
        database, sql: "SELECT rowid, weight FROM dog WHERE age >= 0 ORDER BY rowid")
    }
    report(words[4], filtered)
    let row = peer.count / 2 + 1
    let theRow: (Int) -> Int = { _ in row }
    let object = try peer.rounds(of: theRow) { database in
      try Measure.fetchAll(
        database, sql: "SELECT rowid, weight, name, age, breed FROM dog WHERE rowid = ?",
        arguments: [row])
    }
    report(words[5], object)
  }

  private static func report(_ name: String, _ time: Double) { print("GRDB\t\(name)\t\(time)\t1") }

  private init(file: String, budget: Double) throws {
    self.budget = budget
    queue = try DatabaseQueue()
    try DatabaseQueue(path: file).backup(to: queue)
    try queue.write { database in
      try database.execute(sql: "CREATE INDEX weights ON dog (weight, age)")
    }
    count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM dog") } ?? 0
  }

  /// Changes the weight of one row after another until the time is up, at least three times and at most a thousand
  /// times; returns the shortest time until the rows that `fetch` reads were compared.
  private func rounds<Element: Equatable & Sendable>(
    of row: (_ round: Int) -> Int, fetch: @escaping @Sendable (Database) throws -> [Element]
  ) throws -> Double {
    let rows = Mutex<[Element]>([])
    let changed = Mutex(0)
    let delivered = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking(fetch)
    let observer = observation.start(
      in: queue, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { fatalError("\($0)") },
      onChange: { new in
        let old = rows.withLock { old in
          defer { old = new }
          return old
        }
        if !old.isEmpty { changed.withLock { $0 = new.difference(from: old).insertions.count } }
        delivered.signal()
      })
    defer { observer.cancel() }
    delivered.wait()
    var total = 0
    var shortest = Double.infinity
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(budget))
    var round = 0
    while round < 3 || round < 1_000 && clock.now < end {
      round += 1
      let (row, weight) = (row(round), Double.random(in: 0..<6_000))
      let time = try clock.measure {
        try queue.write { database in
          try database.execute(
            sql: "UPDATE dog SET weight = ? WHERE rowid = ?", arguments: [weight, row])
        }
        delivered.wait()
      }
      total += changed.withLock { $0 }
      shortest = min(shortest, time / .seconds(1))
    }
    // A new sort key can be in the place of the old one.
    guard total <= round, total * 2 > round else {
      throw WrongUse(description: "\(total) rows changed in \(round) rounds")
    }
    return shortest
  }

  private struct Measure: Equatable, Sendable, FetchableRecord {
    let id: Int64
    let weight: Double

    init(row: Row) {
      id = row[0]
      weight = row[1]
    }
  }

  private struct WrongUse: Error, CustomStringConvertible {
    let description: String
  }
}
