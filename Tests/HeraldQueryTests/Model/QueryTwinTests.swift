import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import TestModel

/// How much the randomised tests do: HERALD_QUESTIONS, or 20,000 queries.
let queryCount =
  environmentNumber("HERALD_QUESTIONS") ?? 20_000

@Suite struct QueryTwinTests {
  @Test func `plans and the twin find the same rows`() throws {
    print("queries from seed \(firstSeed)")
    let names = ["n": QueryOperand.value(.int(2))]
    for round in 0..<queryCount {
      let seed = firstSeed + UInt64(round)
      var maker = QueryGenerator(seed: seed)
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
          tail, root: ClassID(1), schema: KennelStore.schema, names: kennel,
          reader: seed.isMultiple(of: 2) ? store : nil)
      } catch {
        Issue.record("seed \(seed): \(text): \(error)")
        return
      }
      let twin = QueryTwin(store: store, variables: variables)
      let members = twin.rows(tail.predicate, of: ClassID(1))
      let expected = twin.apply(tail.stages, to: members)
      try #require(query.rows(store) == expected, "seed \(seed): \(text)")
      try #require(query.count(store) == expected.count, "seed \(seed): \(text)")
      for number in store.numbers(of: ClassID(1)) {
        try #require(
          query.predicate.matches(number, store) == members.contains(number),
          "seed \(seed), object \(number): \(text)")
      }
      if let span = query.predicate.span {
        for number in members {
          let value = store.value(span.property, of: ObjectID(ClassID(1), number))
          let place = try #require(value.intervalKey, "seed \(seed), object \(number): \(text)")
          try #require(
            span.lower <= place && place <= span.upper, "seed \(seed), object \(number): \(text)")
        }
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

extension QueryTwin {
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
          if seen.contains(where: { zip($0, key).allSatisfy(isSame) }) { return false }
          seen.append(key)
          return true
        }
      case .sort(let keys):
        let sorted = rows.enumerated().sorted { a, b in
          for key in keys {
            let (x, y) = (value(key.path, a.element), value(key.path, b.element))
            if x == y || !comesBefore(x, y) && !comesBefore(y, x) { continue }
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
    for (place, step) in path.steps.enumerated() {
      if case .name("marks") = step.kind {
        return mark(path.steps[place + 1].kind, of: row)
      }
      guard case .link(let object) = value, case .name(let name) = step.kind else { return .null }
      let property = store.schema.classSchema(object.classID)!.property(named: name)!
      value = store.value(property.id, of: object)
    }
    return value
  }

  private func mark(_ step: PathSyntax.Step.Kind, of row: ObjectNumber) -> Value {
    let key =
      switch step {
      case .name(let name): name
      case .key(let key): key
      default: ""
      }
    let (object, marks) = (ObjectID(ClassID(1), row), PropertyID(17))
    for index in 0..<store.listCount(marks, of: object)
    where store.mapKey(marks, of: object, at: index) == key {
      return store.listElement(marks, of: object, at: index)
    }
    return .null
  }

  private func isSame(_ a: Value, _ b: Value) -> Bool {
    a == b || (rank(a) == 2 && rank(b) == 2 && !comesBefore(a, b) && !comesBefore(b, a))
  }

  /// The rank of a value's type among those that an `any` of the random stores holds.
  private func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    default: 6
    }
  }

  private func comesBefore(_ a: Value, _ b: Value) -> Bool {
    if rank(a) != rank(b) { return rank(a) < rank(b) }
    if let x = double(a), let y = double(b) { return x < y }
    switch (a, b) {
    case (.link(let a), .link(let b)): return a < b
    case (.bool(let a), .bool(let b)): return !a && b
    case (.date(let a), .date(let b)): return a < b
    case (.data(let a), .data(let b)): return a.lexicographicallyPrecedes(b)
    case (.string(let a), .string(let b)):
      return a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    default: return false
    }
  }
}
