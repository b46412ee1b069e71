import HeraldModel
import HeraldQuery
import Testing

/// How much the randomised tests do: HERALD_QUESTIONS, or 20,000 questions.
let questionCount =
  CommandLine.environmentNumber("HERALD_QUESTIONS") ?? 20_000

/// Where they begin: HERALD_SEED, or a new one each time. The first question of a failure's seed fails.
let firstSeed =
  CommandLine.environmentNumber("HERALD_SEED").map { UInt64($0) }
  ?? UInt64.random(in: 0..<1_000_000_000)

@Suite struct TwinTests {
  @Test func `plans and the twin find the same rows`() throws {
    print("questions from seed \(firstSeed)")
    let names = ["n": QueryOperand.value(.int(2))]
    for round in 0..<questionCount {
      let seed = firstSeed + UInt64(round)
      var maker = QuestionMaker(seed: seed)
      let store = maker.store()
      var variables = names
      variables["p"] = .value(.link(ObjectID(ClassID(2), 1)))
      let text = "where " + maker.predicate() + maker.stages()
      let kennel = KennelNames(variables: variables)
      let (tail, end) = try QueryParser.parseTail(Array(text.utf8), from: 0)
      try #require(end == text.utf8.count, "seed \(seed): \(text)")
      let query: BoundQuery
      do {
        query = try BoundQuery.bind(
          tail, root: ClassID(1), schema: Kennel.schema, names: kennel,
          reader: seed.isMultiple(of: 2) ? store : nil)
      } catch {
        Issue.record("seed \(seed): \(text): \(error)")
        return
      }
      let twin = Twin(store: store, variables: variables)
      let members = twin.rows(tail.predicate, of: ClassID(1))
      let expected = twin.apply(tail.stages, to: members)
      try #require(query.rows(store) == expected, "seed \(seed): \(text)")
      try #require(query.count(store) == expected.count, "seed \(seed): \(text)")
      for number in store.numbers(of: ClassID(1)) {
        try #require(
          query.predicate.matches(number, store) == members.contains(number),
          "seed \(seed), object \(number): \(text)")
      }
      try expectSameTree(tail, seed)
    }
  }

  /// The printed tree parses to the same tree.
  private func expectSameTree(_ tail: QueryTail, _ seed: UInt64) throws {
    let printed = tail.description
    let (again, end) = try QueryParser.parseTail(Array(printed.utf8), from: 0)
    try #require(end == printed.utf8.count, "seed \(seed): \(printed)")
    try #require(again.outline == tail.outline, "seed \(seed): \(printed)")
  }
}

extension Twin {
  func apply(_ stages: [StageSyntax], to rows: [ObjectNumber]) -> [ObjectNumber] {
    var rows = rows
    for stage in stages {
      switch stage.kind {
      case .limit(let count):
        guard case .literal(.int(let limit)) = count.kind else { continue }
        rows = Array(rows.prefix(limit))
      case .distinct(let paths):
        var seen: [[Value]] = []
        rows = rows.filter { row in
          let key = paths.map { value($0, row) }
          if seen.contains(key) { return false }
          seen.append(key)
          return true
        }
      case .sort(let keys):
        let sorted = rows.enumerated().sorted { a, b in
          for key in keys {
            let (x, y) = (value(key.path, a.element), value(key.path, b.element))
            if x == y { continue }
            return comesBefore(x, y) == key.isAscending
          }
          return a.offset < b.offset
        }
        rows = sorted.map(\.element)
      }
    }
    return rows
  }

  private func value(_ path: PathSyntax, _ row: ObjectNumber) -> Value {
    var value = Value.link(ObjectID(ClassID(1), row))
    for step in path.steps {
      guard case .link(let object) = value, case .name(let name) = step.kind else { return .null }
      let property = store.schema.classSchema(object.classID)!.property(named: name)!
      value = store.value(property.id, of: object)
    }
    return value
  }

  private func comesBefore(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.null, _): true
    case (_, .null): false
    case (.int(let a), .int(let b)): a < b
    case (.float(let a), .float(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.bool(let a), .bool(let b)): !a && b
    case (.date(let a), .date(let b)): a < b
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.string(let a), .string(let b)):
      a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    default: false
    }
  }
}
