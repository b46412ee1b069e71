import Foundation
import Herald
import TestSupport
import Testing

/// A process that commits in a loop is killed at random moments: every commit that it has
/// acknowledged is there, and the store is whole.
@Suite struct CrashTests {
  static let kills = 200

  @Test func `a killed writer loses nothing that it acknowledged`() throws {
    let seed = givenSeed ?? 20
    var random = SplitMix64(seed: seed)
    try withDirectory { directory in
      var path = ""
      var acknowledged = 0
      for round in 0..<Self.kills {
        // A new store now and then, so that its making is interrupted too.
        if round % 20 == 0 {
          path = directory.appendingPathComponent("\(round).hdb").path
          acknowledged = 0
        }
        let last = try TwinProcess(path)
          .kill(afterCommits: random.below(12), spinning: random.below(20_000))
        acknowledged = max(acknowledged, last)
        let (number, faults) = try verify(path, acknowledged)
        // What this writer did not live to acknowledge is there for the next one.
        acknowledged = number
        guard faults.isEmpty else {
          Issue.record("HERALD_SEED=\(seed), kill \(round): \(faults.joined(separator: "\n"))")
          return
        }
      }
      // The writer did get to write.
      #expect(acknowledged > 20)
    }
  }

  /// Looks at a store after its writer was killed: how many commits it holds, what is wrong.
  private func verify(
    _ path: String, _ acknowledged: Int
  ) throws -> (number: Int, faults: [String]) {
    guard FileManager.default.fileExists(atPath: path) else {
      return (0, acknowledged == 0 ? [] : ["the file is gone"])
    }
    let store = try Store(path: path)
    defer { store.close() }
    var faults = store.check()
    guard store.schema.classSchema(named: "Counter") != nil,
      let counter = try store.object("Counter", key: .int(1))
    else { return (0, faults + (acknowledged == 0 ? [] : ["the counter is gone"])) }
    guard case .int(let number) = try counter.value("n") else { return (0, faults + ["number"]) }
    // At most one commit can have been made and not been acknowledged.
    if number < acknowledged || number > acknowledged + 1 {
      faults.append("\(acknowledged) commits were acknowledged, \(number) are there")
    }
    let kept = max(1, number - 39)..<(number + 1)
    let items = try store.objects("Item").objects
    if try items.map({ try $0.value("id") }) != kept.map(Value.int) { faults.append("items") }
    if try items.map({ try $0.value("text") }) != kept.map({ .string("item \($0)") }) {
      faults.append("texts")
    }
    let links = try items.map { try $0.value("before") }
    if links != (items.isEmpty ? [] : [.null] + items.dropLast().map { .link($0.id) }) {
      faults.append("links")
    }
    if try counter.collection("items").values != items.map({ .link($0.id) }) {
      faults.append("list")
    }
    let log = (max(1, number - 699)..<(number + 1)).map(Value.int)
    if try counter.collection("log").values != log { faults.append("log") }
    return (number, faults)
  }
}
