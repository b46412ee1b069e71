import Herald
import TestSupport
import Testing

/// A process that commits in a loop is killed at random moments: every commit that it has
/// acknowledged is there, and the store is whole. `CrashWriter` says what the commits do.
@Suite struct CrashTests {
  @Test func `a killed writer loses nothing that it acknowledged`() throws {
    let writer = KilledWriter(kills: 200, commits: 12, spinning: 20_000)
    let numbers = try writer.run(seed: givenSeed ?? 20, faults)
    // The writer did get to write.
    #expect(numbers.last ?? 0 > 20)
  }

  private func faults(_ store: DynamicStore, _ commits: Int?) throws -> [String] {
    guard let commits else { return [] }
    let counter = try #require(try store.object("Counter", key: .int(1)))
    let kept = max(1, commits - 39)..<(commits + 1)
    let items = try store.objects("Item").objects
    let links = try items.map { try $0.value("before") }
    let log = (max(1, commits - 699)..<(commits + 1)).map(Value.int)
    let checks: [(name: String, holds: Bool)] = [
      ("items", try items.map { try $0.value("id") } == kept.map(Value.int)),
      ("texts", try items.map { try $0.value("text") } == kept.map { .string("item \($0)") }),
      ("links", links == (items.isEmpty ? [] : [.null] + items.dropLast().map { .link($0.id) })),
      ("list", try counter.collection("items").values == items.map { .link($0.id) }),
      ("log", try counter.collection("log").values == log),
    ]
    return checks.filter { !$0.holds }.map(\.name)
  }
}
