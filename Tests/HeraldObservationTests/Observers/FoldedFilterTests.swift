import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// Filters that are folded whenever nothing is pending, against a twin whose filters keep their observers.
@Suite struct FoldedFilterTests {
  private static let count = 12

  /// A condition that is an interval of ages, alone or with others.
  private static func condition(_ random: inout SplitMix64) -> String {
    let lower = random.below(12)
    let upper = lower + random.below(6)
    return random.pick([
      "age BETWEEN {\(lower), \(upper)}", "age >= \(lower) AND age < \(upper)", "age > \(lower)",
      "age == \(lower)", "name == 'Max' AND age > \(lower)", "age <= \(upper) AND 3 < age",
      "name == \"\(random.pick(["Max", "Rex", "Leo"]))\"",
      "age == 3 AND name == \"\(random.pick(["Max", "Rex", "Leo"]))\"",
    ])
  }

  private static func query(_ text: String, _ session: RuleSession) throws -> BoundQuery {
    let tail = try QueryParser.parseTail(Array("where \(text)".utf8), from: 0).tail
    return try BoundQuery.bind(
      tail, root: RuleSession.dog, schema: session.reader.schema, names: NoNames(),
      reader: session.reader)
  }

  @Test(arguments: seeds(40))
  func `1.5, 1.10, 4.1, 5.1 a folded filter receives and explains what one with an observer does`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let (folding, plain) = (RuleSession(ages: [3, 5, 7]), RuleSession(ages: [3, 5, 7]))
    folding.observatory.unfoldedLimit = random.oneIn(4) ? 3 : 0
    var tokens: [TokenID] = []
    func observe() throws {
      let text = Self.condition(&random)
      let filter: RowFilter =
        random.pick([
          .standard, .deep(limit: 0), .keyPaths([]), .keyPaths([RuleSession.path("name")]),
        ])
      let name = "\(tokens.count) \(text)"
      let query = folding.observatory.compacted(try Self.query(text, folding))
      tokens.append(folding.observe(name, .results(query, filter)))
      plain.observe(name, .results(try Self.query(text, plain), filter))
    }
    for _ in 0..<Self.count { try observe() }
    var (reports, folded) = (0, 0)
    for _ in 0..<120 {
      switch random.below(8) {
      case 0: try observe()
      case 1:
        let token = random.pick(tokens)
        for session in [folding, plain] { session.observatory.invalidate(token) }
      case 2: compareRows(random.pick(tokens), folding, plain, seed)
      case _: write(&random, tokens, folding, plain)
      }
      if random.oneIn(3) { continue }
      let (received, expected) = (folding.deliver(), plain.deliver())
      #expect(received == expected, "seed \(seed)")
      reports += received.count
      folded += folding.observatory.interest.foldedFilters.ids.count
      for token in tokens where random.oneIn(3) {
        let reason = folding.observatory.why(token, folding.reader)
        #expect(reason == plain.observatory.why(token, plain.reader), "seed \(seed)")
      }
      if random.oneIn(4) { compareExplanations(random.pick(tokens), folding, plain, seed) }
      #expect(folding.observatory.violations(folding.reader) == [], "seed \(seed)")
    }
    #expect(folded > 0 && reports > 40, "seed \(seed): \(folded) folded, \(reports) reports")
    #expect(plain.observatory.interest.foldedFilters.ids.isEmpty, "seed \(seed)")
    for session in [folding, plain] { session.observatory.invalidateAll() }
    #expect(folding.observatory.interest.foldedFilters.ids.isEmpty)
    #expect(folding.observatory.interest.classes.values.allSatisfy { $0.groups.isEmpty })
    #expect(
      folding.observatory.interest.ofResults.isEmpty && folding.observatory.interest.paths.isEmpty)
  }

  private func write(
    _ random: inout SplitMix64, _ tokens: [TokenID], _ folding: RuleSession, _ plain: RuleSession
  ) {
    let silenced = random.oneIn(6) ? [random.pick(tokens)] : []
    let dogs = folding.reader.state.numbers(of: RuleSession.dog)
    let changes = (0..<1 + random.below(3)).map { _ in
      (kind: random.below(10), dog: dogs.isEmpty ? 0 : random.pick(dogs), age: random.below(14))
    }
    for session in [folding, plain] {
      session.write(without: silenced.filter(session.observatory.isLive)) { write in
        var deleted: Set<ObjectNumber> = []
        for change in changes {
          let exists = change.dog > 0 && !deleted.contains(change.dog)
          switch change.kind {
          case 0...1: write.addDog(change.age % 2 == 0 ? "Max" : "Rex", age: change.age)
          case 2 where exists:
            write.delete(RuleSession.dog(change.dog))
            deleted.insert(change.dog)
          case 3 where exists:
            write.set(
              RuleSession.name, of: RuleSession.dog(change.dog),
              to: .string(change.age % 2 == 0 ? "Max" : "Leo"))
          case _ where exists: write.setAge(RuleSession.dog(change.dog), change.age)
          case _: break
          }
        }
      }
    }
  }

  private func compareRows(
    _ token: TokenID, _ folding: RuleSession, _ plain: RuleSession, _ seed: UInt64
  ) {
    let rows = folding.observatory.objects(of: token, at: 0..<100, folding.reader)
    #expect(rows == plain.observatory.objects(of: token, at: 0..<100, plain.reader), "seed \(seed)")
  }

  private func compareExplanations(
    _ token: TokenID, _ folding: RuleSession, _ plain: RuleSession, _ seed: UInt64
  ) {
    var (seen, expected) = (
      folding.observatory.explanation(token, folding.reader.schema),
      plain.observatory.explanation(token, plain.reader.schema)
    )
    // How much room an array has left depends on how it was made.
    seen?.memory = 0
    expected?.memory = 0
    #expect(seen == expected, "seed \(seed)")
  }

  @Test func `the filters notified last keep their observers`() throws {
    let session = RuleSession(ages: [3, 5, 7])
    let observatory = session.observatory
    observatory.unfoldedLimit = 2
    for age in 0..<10 {
      let query = observatory.compacted(try Self.query("age == \(age)", session))
      session.observe("\(age)", .results(query, .standard))
    }
    func observed() -> [Int] { observatory.interest.observers.ids.map(\.rawValue) }
    session.deliver()
    #expect(observed() == [0, 1])
    // One value: the filters answer without an observer.
    session.write { $0.setAge(RuleSession.dog(1), 4) }
    #expect(session.deliver() == ["3: -[0] +[] ~[]", "4: -[] +[0] ~[]"])
    #expect(observed() == [0, 1])
    session.write {
      $0.setAge(RuleSession.dog(1), 3)
      $0.setAge(RuleSession.dog(2), 6)
    }
    #expect(session.deliver().count == 4)
    #expect(observed() == [0, 1, 3, 4, 5, 6])
    for round in 0..<100 {
      session.write {
        $0.setAge(RuleSession.dog(2), 5 + round % 2)
        $0.setAge(RuleSession.dog(3), 8 - round % 2)
      }
      #expect(session.deliver().count == 4)
    }
    #expect(observed() == [5, 6, 7, 8])
  }
}
