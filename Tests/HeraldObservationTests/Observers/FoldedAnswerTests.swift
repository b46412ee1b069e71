import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// Changes that folded filters answer without observers, while their blocks observe, invalidate and write.
@Suite struct FoldedAnswerTests {
  @Test(arguments: seeds(60))
  func `1.7, 1.10, 4.1, 4.2, 6.1, 6.2 filters answer without observers as with them`(
    seed: UInt64
  ) throws {
    let folding = FilterRun(seed: seed, isFolding: true)
    let plain = FilterRun(seed: seed, isFolding: false)
    for step in 0..<80 {
      try folding.step()
      try plain.step()
      #expect(folding.lines == plain.lines, "seed \(seed), step \(step)")
      #expect(folding.faults == [] && plain.faults == [], "seed \(seed), step \(step)")
      if folding.lines != plain.lines { return }
    }
    #expect(folding.answers > 20, "seed \(seed): \(folding.answers) answers without observers")
    #expect(folding.reports > 80 && plain.answers == 0, "seed \(seed)")
  }
}

/// A session with filters of ages and of names, whose blocks act at random: in the same way for the same seed and the same
/// reports.
private final class FilterRun {
  /// A filter with the rows that its block knows.
  private struct Known {
    let bounds: ClosedRange<Int>
    /// Of a filter of one name that.
    let name: String?
    var rows: [ObjectNumber]?
  }

  private static let ages = 20

  private let session = RuleSession(ages: [3, 5, 7])
  private let isFolding: Bool
  private var random: SplitMix64
  private var known: [TokenID: Known] = [:]
  private var depth = 0
  private(set) var lines: [String] = []
  /// What contradicts the replay law, or an invariant.
  private(set) var faults: [String] = []
  private(set) var reports = 0
  /// The number of reports for filters that had no observer afterwards.
  private(set) var answers = 0

  init(seed: UInt64, isFolding: Bool) {
    random = SplitMix64(seed: seed)
    self.isFolding = isFolding
    if isFolding { session.observatory.unfoldedLimit = 0 }
    session.write { write in
      for age in 0..<9 { write.addDog("Rex", age: age) }
    }
  }

  func step() throws {
    lines = []
    while known.count < 8 { try observe() }
    switch random.below(10) {
    case 0: try observe()
    case 1: invalidate()
    case 2: write(without: known.keys.sorted().randomElement(using: &random).map { [$0] } ?? [])
    case _: write(without: [])
    }
    if random.oneIn(6) { write(without: []) }
    try deliver()
    if isFolding { faults += session.observatory.violations(session.reader) }
    for token in known.keys.sorted() where random.oneIn(8) {
      lines.append("\(token.rawValue): \(session.observatory.why(token, session.reader))")
    }
  }

  private func observe() throws {
    let lower = random.below(Self.ages)
    let bounds = lower...lower + random.pick([0, 0, 1, 2, 6])
    let name = random.oneIn(4) ? "Rex \(random.below(4))" : nil
    let text =
      name.map { "name == \"\($0)\"" }
      ?? random.pick([
        "age BETWEEN {\(bounds.lowerBound), \(bounds.upperBound)}",
        "age >= \(bounds.lowerBound) AND age < \(bounds.upperBound + 1)",
      ])
    let tail = try QueryParser.parseTail(Array("where \(text)".utf8), from: 0).tail
    let query = try BoundQuery.bind(
      tail, root: RuleSession.dog, schema: session.reader.schema, names: NoNames(),
      reader: session.reader)
    let filter: RowFilter =
      random.pick([.deep(limit: 0), .keyPaths([]), .keyPaths([RuleSession.path("age")]), .standard])
    let token = session.observe(
      text, .results(isFolding ? session.observatory.compacted(query) : query, filter))
    known[token] = Known(bounds: bounds, name: name)
  }

  private func invalidate() {
    guard let token = known.keys.sorted().randomElement(using: &random) else { return }
    known[token] = nil
    session.observatory.invalidate(token)
  }

  /// Mostly of one value.
  private func write(without silenced: [TokenID]) {
    let dogs = session.reader.state.numbers(of: RuleSession.dog).sorted()
    session.write(without: silenced) { write in
      if dogs.count < 8 || random.oneIn(12) { write.addDog("Rex", age: random.below(Self.ages)) }
      guard let dog = dogs.randomElement(using: &random) else { return }
      if dogs.count > 8, random.oneIn(12) { return write.delete(RuleSession.dog(dog)) }
      if random.oneIn(4) {
        return write.set(
          RuleSession.name, of: RuleSession.dog(dog), to: .string("Rex \(random.below(6))"))
      }
      for _ in 0..<random.pick([1, 1, 1, 2]) {
        write.setAge(RuleSession.dog(dogs[random.below(dogs.count)]), random.below(Self.ages))
      }
    }
    // It knows the rows after the commit, though not from a report.
    for token in silenced where known[token]?.rows != nil {
      let rows = rows(of: token)
      known[token]?.rows = rows
    }
  }

  private func deliver() throws {
    depth += 1
    defer { depth -= 1 }
    let (observatory, reader) = (session.observatory, session.reader)
    let round = observatory.beginRound()
    while let due = try observatory.next(in: round, reader) {
      let token = due.token
      lines.append("\(token.rawValue): \(due.report.text)")
      reports += 1
      replay(due)
      if isFolding, case .rows = due.report, observatory.interest.observers[token] == nil {
        answers += 1
      }
      try act(in: token)
    }
  }

  /// What the block of a token does.
  private func act(in token: TokenID) throws {
    switch random.below(24) {
    case 0: try observe()
    case 1...2: invalidate()
    case 3:
      let rows = session.observatory.objects(of: token, at: 0..<100, session.reader)
      lines.append("\(token.rawValue) has \(String(describing: rows))")
    case 4...5 where depth < 3:
      // Beginning to write delivers the rest first.
      try deliver()
      write(without: [])
    case 6 where depth < 3:
      // Another session's commit, which beginning a write advances over.
      write(without: [])
      try deliver()
    case _: break
    }
  }

  /// Checks that the rows that the block knew become those of the version, by the report.
  private func replay(_ due: Due) {
    let token = due.token
    guard let expected = rows(of: token) else {
      faults.append("token \(token.rawValue) was called after its end")
      return
    }
    defer { known[token]?.rows = expected }
    guard case .rows(let delivered) = due.report else { return }
    let changes = delivered.changes
    guard var rows = known[token]?.rows else {
      faults.append("token \(token.rawValue) had no initial")
      return
    }
    for index in changes.deletions.reversed() { rows.remove(at: index) }
    for index in changes.insertions { rows.insert(expected[index], at: index) }
    if rows != expected {
      faults.append("token \(token.rawValue): \(rows) after \(due.report.text), not \(expected)")
    }
  }

  /// The rows that a filter has in the session's version; nil for one that has ended.
  private func rows(of token: TokenID) -> [ObjectNumber]? {
    guard let known = known[token] else { return nil }
    let reader = session.reader
    return reader.state.numbers(of: RuleSession.dog).sorted().filter { number in
      if let name = known.name {
        return reader.value(RuleSession.name, of: RuleSession.dog(number)) == .string(name)
      }
      guard case .int(let age) = reader.value(RuleSession.age, of: RuleSession.dog(number)) else {
        return false
      }
      return known.bounds.contains(age)
    }
  }
}
