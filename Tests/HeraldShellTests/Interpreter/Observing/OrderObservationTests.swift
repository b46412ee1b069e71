import TestSupport
import Testing

@testable import HeraldShell

/// Observed orders by what is computed, beside the same queries, run after each statement.
struct OrderObservationTests {
  /// Queries with the name of what identifies their rows.
  private static let targets: [(query: String, identity: String)] = [
    ("Dog sort(age * Person#1.n)", "id"), ("Dog sort(age * (Person).@max.n desc, name)", "id"),
    ("Dog sort(age * Person#2.n) limit(3)", "id"),
    ("Dog sort(age % (Person#1.n + 1)) sort(name)", "id"),
    ("Dog sort(age - (Dog where age > 2).@count) distinct(name)", "id"),
    ("Dog where age > Person#2.n sort(age * Person#1.n)", "id"),
    ("Dog sort(nums.@count desc)", "id"), ("Dog sort(nums.@sum) limit(2)", "id"),
    ("Dog sort(nums[0] desc)", "id"), ("Dog distinct(nums.@count)", "id"),
    ("Person sort(owned.@count desc)", "id"), ("Person sort(dogs.@max.age)", "id"),
    ("Dog sort(x.n)", "id"), ("Dog sort(x.name desc) limit(3)", "id"), ("Dog distinct(x.n)", "id"),
    ("Dog sort(age > Person#1.n, name == \"b\" desc)", "id"), ("Dog sort(owner == nil)", "id"),
    ("Dog distinct(age / 2)", "id"), ("Dog distinct(age > Person#1.n)", "id"),
    ("Dog where ANY nums > 1 sort(nums.@count == 2 OR age < 3) limit(3)", "id"),
    ("Person#1.owned sort(age * Person#1.n)", "id"), ("$dogs sort(age * Person#1.n)", "id"),
    ("group Dog by name { n: @count } sort(n * Person#1.n, name)", "name"),
    ("group Dog by x.n as n { most: @max.x.n, all: @sum.nums.@count } sort(all desc)", "n"),
    ("group Dog by age { n: @count } where n > Person#1.n sort(age * Person#2.n)", "age"),
    ("Person#1.marks sort(self * Person#1.n)", "self"),
  ]

  @Test(arguments: seeds(20))
  func `rows move when what orders them changes`(seed: UInt64) throws {
    var kennel = KennelScript(seed: seed)
    var random = SplitMix64(seed: seed)
    let run = LiveRun(kennel.beginning() + "let $dogs = Dog where age > 0\n")
    let observed = Self.targets.filter { _ in random.chance(60) }
    for (place, target) in observed.enumerated() { run("observe \(target.query) as o\(place)") }
    func state(_ place: Int) throws -> [JSONValue] {
      let (query, identity) = observed[place]
      let columns = query.hasPrefix("group ") ? "" : " { \(identity) }"
      let rows = try JSONValue.read(
        try #require(run.lines("show \(query)\(columns)").first))["result"]
      return rows?.elements.map { $0[identity] ?? .null } ?? []
    }
    _ = run.take()
    var states = try observed.indices.map(state)
    var seen = (updates: 0, moves: 0)
    for _ in 0..<40 {
      var statements = kennel.statements()
      if random.chance(50) {
        let x = random.pick(["Person#1", "Person#2", "{ n: \(random.below(5)) }", "nil", "7"])
        statements.append("set Dog where age == \(random.below(6)) { x: \(x) }")
      }
      for statement in statements {
        run(statement)
        let events = try run.take().map(JSONValue.read)
        for place in observed.indices {
          let (old, new) = (states[place], try state(place))
          states[place] = new
          let text = "seed \(seed): \(observed[place].query) after \(statement)"
          let own = events.filter { $0["token"] == .string("o\(place)") }
          #expect(own.count < 2, "\(text)")
          guard let update = own.first else {
            #expect(old == new, "\(text): no event")
            continue
          }
          seen.updates += 1
          let (deleted, inserted) = (
            positions("deletions", update), positions("insertions", update)
          )
          #expect(
            old.indices.filter { !deleted.contains($0) }.map { old[$0] }
              == new.indices.filter { !inserted.contains($0) }.map { new[$0] },
            "\(text): \(old) to \(new) by \(update)")
          for case let move in update["moves"]?.elements ?? [] {
            let places = move.elements.compactMap(\.int)
            #expect(places.count == 2 && old[places[0]] == new[places[1]], "\(text)")
            seen.moves += 1
          }
        }
      }
    }
    run.finish()
    #expect(seen.updates > 50 && seen.moves > 10, "seed \(seed): \(seen)")
  }

  private func positions(_ name: String, _ event: JSONValue) -> Set<Int> {
    Set(event[name]?.elements.compactMap(\.int) ?? [])
  }
}
