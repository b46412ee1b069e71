import Herald
import TestSupport
import Testing

/// A process that commits for ever, killed again and again at random moments: the store holds every
/// commit that it acknowledged, at most one more, and what belongs to them.
struct KilledWriter {
  var isAltering = false
  let kills: Int
  /// Each kill waits for fewer commits than this.
  let commits: Int
  /// It then spins for fewer turns than this.
  let spinning: Int

  /// - Parameter faults: what is wrong with the content of a store with so many commits; nil commits:
  ///   the store has no counter yet.
  /// - Returns: how many commits the store held after each kill; none where something was wrong.
  func run(
    seed: UInt64, _ faults: (_ store: DynamicStore, _ commits: Int?) throws -> [String]
  ) throws -> [Int] {
    var random = SplitMix64(seed: seed)
    var numbers: [Int] = []
    try withFolder { folder in
      var path = ""
      // What a writer did not live to acknowledge is there for the next one.
      var acknowledged = 0
      for kill in 0..<kills {
        // A new store now and then, so that its making is interrupted too.
        if kill % 20 == 0 {
          path = "\(folder)/\(kill).hdb"
          acknowledged = 0
        }
        let last = try CommittingProcess(path, isAltering: isAltering)
          .kill(afterCommits: random.below(commits), spinning: random.below(spinning))
        let (number, found) = try verify(path, acknowledged: max(acknowledged, last), faults)
        acknowledged = number
        numbers.append(number)
        guard found.isEmpty else {
          Issue.record("HERALD_SEED=\(seed), kill \(kill): \(found.joined(separator: "\n"))")
          numbers = []
          return
        }
      }
    }
    return numbers
  }

  /// Looks at a store after its writer was killed: how many commits it holds, what is wrong.
  private func verify(
    _ path: String, acknowledged: Int, _ faults: (DynamicStore, Int?) throws -> [String]
  ) throws -> (number: Int, faults: [String]) {
    guard FileTree.exists(path) else {
      return (0, acknowledged == 0 ? [] : ["the file is gone"])
    }
    let store = try DynamicStore(path: path)
    defer { store.close() }
    let number = try store.commitCount
    var found = try store.check() + faults(store, number)
    let count = number ?? 0
    if count < acknowledged || count > acknowledged + 1 {
      found.append("\(acknowledged) commits were acknowledged, \(count) are there")
    }
    return (count, found)
  }
}

extension DynamicStore {
  /// What the writer's counter says; nil where there is none.
  fileprivate var commitCount: Int? {
    get throws {
      guard schema.classSchema(named: "Counter") != nil,
        let counter = try object("Counter", key: .int(1))
      else { return nil }
      guard case .int(let number) = try counter.value("n") else { return nil }
      return number
    }
  }
}
