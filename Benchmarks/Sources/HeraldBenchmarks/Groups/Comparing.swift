import Herald

extension HeraldBenchmarks {
  /// The same work on the same data by Herald and by SQLite, both in memory, SQLite's statements prepared.
  /// The two run in pairs, and must have the same result.
  static func comparing() -> [Benchmark] {
    inserted() + keyReads() + counts() + sorts() + aggregates()
  }

  private static let sizes = [100_000, 1_000_000]

  private static func pair(
    _ name: String, unit: Benchmark.Unit,
    herald: @escaping (Census, Effort) throws -> Samples,
    sqlite: @escaping (Census, Effort) throws -> Samples
  ) -> [Benchmark] {
    [
      Benchmark(name: "beside: \(name), Herald", sizes: sizes, unit: unit) { size, effort in
        try herald(Census.of(size), effort)
      },
      Benchmark(name: "beside: \(name), SQLite", sizes: sizes, unit: unit) { size, effort in
        try sqlite(Census.of(size), effort)
      },
    ]
  }

  private static func inserted() -> [Benchmark] {
    pair("bulk insert, key and index", unit: .each("row")) { census, effort in
      try effort.samples(3, units: census.people.count) { _ in
        let store = try DynamicStore()
        defer { store.close() }
        return try seconds { try Census.fill(store, census.people) }
      }
    } sqlite: { census, effort in
      try effort.samples(3, units: census.people.count) { _ in
        let database = try SQLiteDatabase()
        return try seconds { try Census.fill(database, census.people) }
      }
    }
  }

  private static func keyReads() -> [Benchmark] {
    let batch = 10_000
    func keys(_ census: Census, _ random: inout SplitMix64) -> [Census.Person] {
      (0..<batch).map { _ in
        census.people[Int.random(in: 0..<census.people.count, using: &random)]
      }
    }
    return pair("a value by primary key", unit: .each("read")) { census, effort in
      var random = SplitMix64(seed: 2)
      return try effort.samples(51, units: batch) { _ in
        let sought = keys(census, &random)
        var sum = 0
        let time = try seconds {
          for person in sought {
            let found = try census.store.object(Census.className, key: .int(person.id))
            if case .int(let age)? = try found?.value("age") { sum += age }
          }
        }
        try require(sum == sought.reduce(0) { $0 + $1.age }, "reads returned wrong values")
        return time
      }
    } sqlite: { census, effort in
      var random = SplitMix64(seed: 2)
      let statement = try census.database.prepare("SELECT age FROM person WHERE id = ?")
      return try effort.samples(51, units: batch) { _ in
        let sought = keys(census, &random)
        var sum = 0
        let time = try seconds {
          for person in sought {
            statement.bind(person.id, at: 1)
            sum += try statement.integer()
          }
        }
        try require(sum == sought.reduce(0) { $0 + $1.age }, "reads returned wrong values")
        return time
      }
    }
  }

  private static func counts() -> [Benchmark] {
    let number = Registry.number(of: 500)
    let queries = [
      ("count of age > 50", "age > 50", "age > 50"),
      ("count of a name's prefix", "name BEGINSWITH 'Person 12'", "name GLOB 'Person 12*'"),
      ("count of an equality, unindexed", "plate == \(number)", "plate = \(number)"),
      ("count of an equality, indexed", "chip == \(number)", "chip = \(number)"),
      ("count of a range, indexed", "chip BETWEEN {500, 600}", "chip BETWEEN 500 AND 600"),
    ]
    return queries.flatMap { name, predicate, condition in
      pair(name, unit: .none) { census, effort in
        let results = try census.store.results(Census.className, "where " + predicate)
        let statement = try census.database.prepare(
          "SELECT count(*) FROM person WHERE " + condition)
        let expected = try statement.integer()
        return try effort.times(51) {
          try require(results.count == expected, "'\(predicate)' has another result in SQLite")
        }
      } sqlite: { census, effort in
        let statement = try census.database.prepare(
          "SELECT count(*) FROM person WHERE " + condition)
        return try effort.times(51) { _ = try statement.integer() }
      }
    }
  }

  /// Both are timed up to the first row, which requires the whole sort, because reading the other rows would
  /// measure the reading.
  private static func sorts() -> [Benchmark] {
    let queries = [
      (
        "top 10 by weight", "sort(weight) limit(10)",
        "SELECT id FROM person ORDER BY weight LIMIT 10"
      ),
      (
        "sort of age > 50 by age, name", "where age > 50 sort(age, name)",
        "SELECT id FROM person WHERE age > 50 ORDER BY age, name"
      ),
    ]
    return queries.flatMap { name, query, text in
      pair(name, unit: .none) { census, effort in
        let results = try census.store.results(Census.className, query)
        let rows = try results.objects
        let expected = try census.database.prepare(text).integers()
        // The order of equal rows may differ, so only the number is compared.
        try require(rows.count == expected.count, "'\(query)' has another result in SQLite")
        let first = rows[0]
        return try effort.times(11) {
          try require(results[0] == first, "the first row of '\(query)' changed")
        }
      } sqlite: { census, effort in
        let statement = try census.database.prepare(text)
        return try effort.times(11) { _ = try statement.integer() }
      }
    }
  }

  private static func aggregates() -> [Benchmark] {
    let queries = [
      ("sum of age", "@sum.age", "sum(age)"), ("largest plate", "@max.plate", "max(plate)"),
    ]
    return queries.flatMap { name, operation, function in
      pair(name, unit: .none) { census, effort in
        let text = "\(Census.className).\(operation)"
        let (expression, _) = try QueryParser.parseExpression(Array(text.utf8), from: 0)
        let statement = try census.database.prepare("SELECT \(function) FROM person")
        let expected = try statement.integer()
        return try effort.times(51) {
          let result = try census.store.evaluate(expression, names: NoNames())
          guard case .value(.int(expected)) = result else {
            throw WrongWork(description: "'\(text)' has another result in SQLite")
          }
        }
      } sqlite: { census, effort in
        let statement = try census.database.prepare("SELECT \(function) FROM person")
        return try effort.times(51) { _ = try statement.integer() }
      }
    }
  }
}
