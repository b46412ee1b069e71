import Synchronization

/// The number of transactions that the twins make, and have made in this process.
///
/// A run of all tests makes `planned`, at least 50,000; `HERALD_TIMES=20` multiplies that by 20.
package enum TransactionCount {
  /// The number of transactions per seed, and of seeds.
  package typealias Plan = (perSeed: Int, seeds: Int)

  /// The library, with sessions, processes and blocks that write.
  package static let library: Plan = (100, 120)
  /// The library, whose classes change.
  package static let schemas: Plan = (40, 60)
  /// The library, whose blocks do everything that blocks may do.
  package static let reactions: Plan = (80, 40)
  /// The engine alone: everything, objects, collections, many filters, and few tokens.
  package static let everything: Plan = (110, 60)
  package static let objects: Plan = (110, 40)
  package static let collections: Plan = (110, 40)
  package static let filters: Plan = (80, 20)
  package static let fewTokens: Plan = (100, 240)

  package static let planned = [
    library, schemas, reactions, everything, objects, collections, filters, fewTokens,
  ]
  .reduce(0) { $0 + $1.perSeed * $1.seeds }

  private struct Made {
    var all = 0
    var inDeliveries = 0
    var inOtherProcesses = 0
  }

  private static let made = Mutex(Made())

  /// - Parameters:
  ///   - inDeliveries: How many of them a block began during a delivery.
  ///   - inOtherProcesses: How many of them another process made.
  package static func add(
    _ transactions: Int, inDeliveries: Int = 0, inOtherProcesses: Int = 0
  ) {
    made.withLock {
      $0.all += transactions
      $0.inDeliveries += inDeliveries
      $0.inOtherProcesses += inOtherProcesses
    }
  }

  package static var text: String {
    let made = made.withLock { $0 }
    return "twins: \(made.all) transactions so far, \(made.inDeliveries) of them in deliveries and"
      + " \(made.inOtherProcesses) in another process; \(planned) in a run of all tests"
  }
}
