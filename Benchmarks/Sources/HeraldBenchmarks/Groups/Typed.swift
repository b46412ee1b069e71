import Herald

/// A dog as a class of the program.
private final class Entrant: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight = 0.0
}

/// One store of dogs, read by objects with properties and by names.
private final class Field {
  let store: Store
  let results: Results<Entrant>
  let untyped: DynamicResults
  /// One of the dogs, and the same by names.
  let entrant: Entrant
  let named: ObjectHandle

  init(_ count: Int) throws {
    store = try Store()
    try store.write { [store] in
      for index in 0..<count { store.add(Field.entrant(index)) }
    }
    results = store.objects(Entrant.self)
    untyped = try store.untyped.objects("Entrant")
    entrant = results[count / 2]
    named = try untyped[count / 2]
  }

  static func entrant(_ index: Int) -> Entrant {
    let entrant = Entrant()
    entrant.name = "Dog \(index)"
    entrant.age = index % 20
    entrant.weight = Double(index % 80)
    return entrant
  }
}

extension HeraldBenchmarks {
  /// Typed objects beside the same by names.
  static func typed() -> [Benchmark] {
    typedReading() + typedRandomReading() + typedScanning() + typedQueries() + typedInserting() + [typedNotifying()]
  }

  private static let reads = 100_000

  private static func each(
    _ name: String, _ sizes: Int..., limit: Double?, units: Int? = nil,
    _ work: @escaping (Field) throws -> Void
  ) -> Benchmark {
    Benchmark(
      name: "typed: \(name)", sizes: sizes, unit: .each("unit"),
      target: limit.map { .atMost($0, .unit) }
    ) { size, effort in
      let field = try Field(size)
      return try effort.times(21, units: units ?? size) { try work(field) }
    }
  }

  private static func typedReading() -> [Benchmark] {
    [
      each("a number of a held object", 1_000, 1_000_000, limit: 8e-9, units: reads) { field in
        let entrant = field.entrant
        var sum = 0
        for _ in 0..<reads { sum &+= entrant.age }
        try require(sum == reads * entrant.age, "another age was read")
      },
      each(
        "a number of a held object, untyped", 1_000, 1_000_000, limit: 8e-9, units: reads
      ) { field in
        let entrant = field.named
        for _ in 0..<reads { _ = try entrant.value("age") }
      },
      each("a string of a held object", 1_000, 1_000_000, limit: 15e-9, units: reads) { field in
        let entrant = field.entrant
        var sum = 0
        for _ in 0..<reads { sum &+= entrant.name.utf8.count }
        try require(sum == reads * entrant.name.utf8.count, "another name was read")
      },
      each(
        "a string of a held object, untyped", 1_000, 1_000_000, limit: 15e-9, units: reads
      ) { field in
        let entrant = field.named
        for _ in 0..<reads { _ = try entrant.value("name") }
      },
      each("a number of an unmanaged object", 1, limit: 2e-9, units: reads) { _ in
        let entrant = Field.entrant(3)
        var sum = 0
        for _ in 0..<reads { sum &+= entrant.age }
        try require(sum == reads * 3, "another age was read")
      },
    ]
  }

  /// Reads of held objects that are in no order: bound by the memory of the instances and of the values.
  private static func typedRandomReading() -> [Benchmark] {
    func each(_ name: String, _ read: @escaping (Entrant) -> Int) -> Benchmark {
      Benchmark(
        name: "typed: \(name) of random held objects", sizes: [1_000, 1_000_000],
        unit: .each("read")
      ) { size, effort in
        let field = try Field(size)
        var random = SplitMix64(seed: 3)
        let held = (0..<reads).map { _ in
          field.results[Int.random(in: 0..<size, using: &random)]
        }
        return try effort.times(51, units: reads) {
          var sum = 0
          for entrant in held { sum &+= read(entrant) }
          try require(sum > 0, "nothing was read")
        }
      }
    }
    return [each("a number") { $0.age }, each("a string") { $0.name.utf8.count }]
  }

  private static func typedScanning() -> [Benchmark] {
    let size = 1_000_000
    return [
      each("an iteration with one property", size, limit: 100e-9) { field in
        var sum = 0
        for entrant in field.results { sum &+= entrant.age }
        try require(sum > 0, "nothing was read")
      },
      each("an iteration with one property, untyped", size, limit: nil) { field in
        for entrant in try field.untyped.objects { _ = try entrant.value("age") }
      },
      each("a column of integers", size, limit: 10e-9) { field in
        try require(field.results.values(\.age).count == size, "values are missing")
      },
      each("a column of doubles", size, limit: 10e-9) { field in
        try require(field.results.values(\.weight).count == size, "values are missing")
      },
      each("the sum of integers", size, limit: 0.5e-9) { field in
        try require(field.results.sum(\.age) > 0, "the sum is 0")
      },
      each("the average of doubles", size, limit: 3e-9) { field in
        try require(field.results.average(\.weight) != nil, "there is no average")
      },
    ]
  }

  private static func typedQueries() -> [Benchmark] {
    [
      each("making a query of three terms", 1_000, limit: 5e-6, units: 1_000) { field in
        for _ in 0..<1_000 {
          _ = field.results.where { $0.age > 5 && $0.name == "Dog 7" && $0.weight < 9 }
        }
      },
      each("making a query of three terms, untyped", 1_000, limit: nil, units: 1_000) { field in
        for _ in 0..<1_000 {
          _ = try field.store.untyped.results(
            "Entrant", "where age > 5 AND name == 'Dog 7' AND weight < 9")
        }
      },
    ]
  }

  private static func typedInserting() -> [Benchmark] {
    let size = 100_000
    return [
      Benchmark(name: "typed: an insert", sizes: [size], unit: .each("object")) { size, effort in
        let store = try Store()
        return try effort.times(11, units: size) {
          try store.write {
            for index in 0..<size { store.add(Field.entrant(index)) }
          }
        }
      },
      Benchmark(
        name: "typed: an insert, untyped", sizes: [size], unit: .each("object")
      ) { size, effort in
        let store = try Store(objectTypes: [Entrant.self]).untyped
        return try effort.times(11, units: size) {
          try store.write {
            for index in 0..<size {
              _ = try store.add(
                "Entrant",
                [
                  ("name", .value(.string("Dog \(index)"))), ("age", .value(.int(index % 20))),
                  ("weight", .value(.double(Double(index % 80)))),
                ])
            }
          }
        }
      },
      Benchmark(
        name: "typed: the first use of a class", sizes: [1], unit: .none, target: .atMost(100e-6)
      ) { _, effort in
        // A class has a first use in each process: each sample uses another one.
        var next: Rookies = .first(Rookie<Void>.self)
        return try effort.samples(21) { _ in
          let store = try Store()
          defer { next = next.next }
          return seconds { next.use(store) }
        }
      },
    ]
  }
}

/// A class of the program for each type that it is made with.
private final class Rookie<Kind>: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight = 0.0
}

/// Classes that were not used before, one after the other.
private struct Rookies {
  let use: (Store) -> Void
  private let makeNext: () -> Rookies

  var next: Rookies { makeNext() }

  static func first<Kind>(_: Rookie<Kind>.Type) -> Rookies {
    Rookies { store in
      _ = store.objects(Rookie<Kind>.self).count
    } makeNext: {
      first(Rookie<[Kind]>.self)
    }
  }
}

extension HeraldBenchmarks {
  /// What the typed change adds to each call of an observer's block.
  private static func typedNotifying() -> Benchmark {
    Benchmark(
      name: "typed: an observer's block, above the untyped one", sizes: [1_000, 1_000_000],
      unit: .each("block"), target: .atMost(300e-9, .unit)
    ) { size, effort in
      let count = 100
      let field = try Field(size)
      var calls = 0
      func round(_ index: Int) throws -> Double {
        let entrant = field.results[index % size]
        return try seconds {
          try field.store.write { entrant.age += 1 }
          field.store.refresh()
        }
      }
      return try effort.samples(201, units: count) { index in
        let untyped = try (0..<count).map { _ in
          try field.untyped.observe { _, change in
            if case .update(let changes, _) = change { calls += changes.modifications.count }
          }
        }
        field.store.refresh()
        let before = try round(index)
        untyped.forEach { $0.invalidate() }
        let typed = (0..<count).map { _ in
          field.results.observe { change in
            if case .update(_, _, _, let modifications) = change { calls += modifications.count }
          }
        }
        field.store.refresh()
        let after = try round(index)
        typed.forEach { $0.invalidate() }
        try require(calls == (index + 1) * 2 * count, "blocks were not called")
        return after - before
      }
    }
  }
}
