import Dispatch
import GRDB
import GRDBSQLite
import Herald
import Synchronization

/// Times what an observer of 1,000,000 filtered and sorted rows needs to learn which rows one commit changed:
/// Herald's change set; GRDB's `ValueObservation` and the difference of the two arrays; SQLite's update hook,
/// after which the query is run again and compared. Polling costs the last figure at each poll.
///
/// Each round changes the sort key of one row; measured is the time from the beginning of the write until the
/// program knows the deleted and the inserted indices. Prints the median and the smallest of the rounds.
@main
enum ObservationComparison {
  static let query = "SELECT id FROM dog WHERE age > 0 ORDER BY weight, id"

  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000_000
    print("one sort key changed among \(count) observed rows: median (smallest)")
    report("Herald", try herald(count, rounds: 1_000))
    report("GRDB ValueObservation, arrays compared", try grdb(count, rounds: 9))
    report(
      "SQLite update hook, query run again, arrays compared", try updateHook(count, rounds: 9))
  }

  private static func report(_ name: String, _ times: [Duration]) {
    let sorted = times.sorted()
    print("\(name): \(sorted[sorted.count / 2]) (\(sorted[0]))")
  }

  /// The weight that round `round` gives to the dog at `index`.
  private static func change(_ round: Int, _ count: Int) -> (index: Int, weight: Double) {
    var random = UInt64(round + 1) &* 0x9E37_79B9_7F4A_7C15
    random ^= random >> 29
    return (Int(random % UInt64(count)), Double(random >> 40) / 1_000)
  }

  private static func weight(_ index: Int) -> Double {
    Double((UInt64(index) &* 0x2545_F491_4F6C_DD1D) >> 40) / 1_000
  }

  private static func herald(_ count: Int, rounds: Int) throws -> [Duration] {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [.init(name: "age", element: .int), .init(name: "weight", element: .double)]))
    var dogs: [DynamicObject] = []
    try store.write {
      for index in 0..<count {
        dogs.append(
          try store.add(
            "Dog", [("age", .value(.int(1))), ("weight", .value(.double(weight(index))))]))
      }
    }
    var deliveries = 0
    let (tail, _) = try QueryParser.parseTail(Array("where age > 0 sort(weight)".utf8), from: 0)
    let token = try store.results("Dog", tail, names: NoNames()).observe { _, change in
      if case .update = change { deliveries += 1 }
    }
    try store.endTurn()
    defer { token.invalidate() }
    return try (0..<rounds).map { round in
      let (index, weight) = change(round, count)
      let time = try ContinuousClock().measure {
        try store.write { try dogs[index].set("weight", to: .value(.double(weight))) }
        try store.endTurn()
      }
      guard deliveries == round + 1 else { throw Missing(round: round) }
      return time
    }
  }

  private static func database(_ count: Int) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE dog(id INTEGER PRIMARY KEY, age INTEGER, weight REAL);
          CREATE INDEX dogByWeight ON dog(weight, id, age);
          """)
      let insert = try database.makeStatement(sql: "INSERT INTO dog VALUES (?, 1, ?)")
      for index in 0..<count { try insert.execute(arguments: [index, weight(index)]) }
    }
    return queue
  }

  private static func update(_ queue: DatabaseQueue, _ round: Int, _ count: Int) throws {
    let (index, weight) = change(round, count)
    try queue.write { database in
      try database.execute(
        sql: "UPDATE dog SET weight = ? WHERE id = ?", arguments: [weight, index])
    }
  }

  private static func grdb(_ count: Int, rounds: Int) throws -> [Duration] {
    let queue = try database(count)
    let rows = Mutex<[Int64]>([])
    let delivered = DispatchSemaphore(value: 0)
    let difference = Mutex(0)
    let observation = ValueObservation.tracking { try Int64.fetchAll($0, sql: query) }
    let observer = observation.start(
      in: queue, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { fatalError("\($0)") },
      onChange: { new in
        let old = rows.withLock { old in
          defer { old = new }
          return old
        }
        if !old.isEmpty { difference.withLock { $0 = new.difference(from: old).count } }
        delivered.signal()
      })
    defer { observer.cancel() }
    delivered.wait()
    return try (0..<rounds).map { round in
      let time = try ContinuousClock().measure {
        try update(queue, round, count)
        delivered.wait()
      }
      guard difference.withLock({ $0 }) == 2 else { throw Missing(round: round) }
      return time
    }
  }

  private static func updateHook(_ count: Int, rounds: Int) throws -> [Duration] {
    let queue = try database(count)
    let calls = Box()
    try queue.inDatabase { database in
      _ = sqlite3_update_hook(
        database.sqliteConnection,
        { context, _, _, _, _ in
          guard let context else { return }
          Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().count += 1
        }, Unmanaged.passUnretained(calls).toOpaque())
    }
    var old = try queue.read { try Int64.fetchAll($0, sql: query) }
    return try (0..<rounds).map { round in
      let time = try ContinuousClock().measure {
        try update(queue, round, count)
        let new = try queue.read { try Int64.fetchAll($0, sql: query) }
        _ = new.difference(from: old)
        old = new
      }
      guard calls.count == round + 1 else { throw Missing(round: round) }
      return time
    }
  }

  private final class Box { var count = 0 }

  private struct Missing: Error { var round: Int }
}
