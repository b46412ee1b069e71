import Herald

extension PeerWork {
  /// Counts, sums, sorts and groups.
  static func queries(_ data: PeerData) -> [PeerWork] {
    let number = Registry.number(of: 500)
    return [
      count(data, "scan: count of age > 50", "age > 50", "age > 50"),
      count(
        data, "scan: count of a name's prefix", "name BEGINSWITH 'Person 12'",
        "name GLOB 'Person 12*'"),
      count(
        data, "scan: count of a prefix in any case", "name BEGINSWITH[c] 'pERSON 12'",
        "name LIKE 'pERSON 12%'", duckdb: "name ILIKE 'pERSON 12%'"),
      count(data, "scan: count of an equality", "plate == \(number)", "plate = \(number)"),
      count(
        data, "index: count of an equality", "chip == \(number)", "chip = \(number)",
        isScan: false),
      count(
        data, "index: count of a range", "chip BETWEEN {500, 600}", "chip BETWEEN 500 AND 600",
        isScan: false),
      aggregate(data, "scan: sum of age", "@sum.age", "sum(age)"),
      aggregate(data, "scan: largest plate", "@max.plate", "max(plate)"),
      median(data),
      sort(
        data, "sort: top 10 by weight", "sort(weight) limit(10)", "ORDER BY weight LIMIT 10"),
      sort(
        data, "sort: age > 50 by age and name", "where age > 50 sort(age, name)",
        "WHERE age > 50 ORDER BY age, name", isUnique: false),
      groups(data), byKey(data),
    ]
  }

  private static func count(
    _ data: PeerData, _ name: String, _ predicate: String, _ condition: String,
    duckdb: String? = nil, isScan: Bool = true
  ) -> PeerWork {
    let text = "SELECT count(*) FROM person WHERE "
    return PeerWork(
      name: name,
      measures: [
        (
          .herald,
          { effort in
            let results = try data.census.store.results(Census.className, "where " + predicate)
            var count = 0
            return PeerFigure(try effort.times(51) { count = try results.count }, result: count)
          }
        ),
        (.sqlite, { try integer(data, text + condition, $0) }),
      ], statement: isScan ? text + (duckdb ?? condition) : nil)
  }

  private static func aggregate(
    _ data: PeerData, _ name: String, _ operation: String, _ function: String
  ) -> PeerWork {
    let text = "SELECT \(function) FROM person"
    return PeerWork(
      name: name,
      measures: [
        (
          .herald,
          { effort in
            try evaluation(of: operation, data, effort) { value in
              if case .int(let result) = value { result } else { nil }
            }
          }
        ),
        (.sqlite, { try integer(data, text, $0) }),
      ], statement: text)
  }

  /// Times an aggregate of all people. `result` returns nil for a value of another type.
  private static func evaluation(
    of operation: String, _ data: PeerData, _ effort: Effort, _ result: (Value) -> Int?
  ) throws -> PeerFigure {
    let source = "\(Census.className).\(operation)"
    let (expression, _) = try QueryParser.parseExpression(Array(source.utf8), from: 0)
    var last = 0
    let samples = try effort.times(51) {
      guard
        case .value(let value) = try data.census.store.evaluate(expression, names: NoNames()),
        let number = result(value)
      else { throw WrongWork(description: "'\(source)' is of another type") }
      last = number
    }
    return PeerFigure(samples, result: last)
  }

  /// SQLite has none. In millionths, rounded.
  private static func median(_ data: PeerData) -> PeerWork {
    PeerWork(
      name: "scan: median of weight",
      measures: [
        (
          .herald,
          { effort in
            try evaluation(of: "@median.weight", data, effort) { value in
              if case .double(let median) = value { Int((median * 1e6).rounded()) } else { nil }
            }
          }
        )
      ], statement: "SELECT CAST(round(median(weight) * 1e6) AS BIGINT) FROM person")
  }

  /// Up to the first row, which requires the whole sort, because reading the other rows would measure the reading.
  private static func sort(
    _ data: PeerData, _ name: String, _ query: String, _ clauses: String, isUnique: Bool = true
  ) -> PeerWork {
    let text = "SELECT id FROM person " + clauses
    return PeerWork(
      name: name,
      measures: [
        (
          .herald,
          { effort in
            let results = try data.census.store.results(Census.className, query)
            var first: ObjectHandle?
            let samples = try effort.times(11) { first = try results[0] }
            guard case .int(let id)? = try first?.value("id") else {
              throw WrongWork(description: "'\(query)' has no rows")
            }
            return PeerFigure(samples, result: id)
          }
        ),
        (.sqlite, { try integer(data, text, $0) }),
      ], statement: text, comparesResults: isUnique)
  }

  private static func groups(_ data: PeerData) -> PeerWork {
    let groups = "SELECT age, count(*) AS n, max(weight) FROM person GROUP BY age"
    let text = "SELECT sum(n) FROM (\(groups))"
    return PeerWork(
      name: "group: count and largest weight by age",
      measures: [
        (
          .herald,
          { effort in
            let groups = try data.census.store.groups(
              "\(Census.className) by age { n: @count, most: @max.weight }")
            var rows: [[Value]] = []
            let samples = try effort.times(11) { rows = try groups.rows }
            let counts = rows.map { row in if case .int(let count) = row[1] { count } else { 0 } }
            return PeerFigure(samples, result: counts.reduce(0, +))
          }
        ),
        (.sqlite, { try integer(data, text, $0) }),
      ], statement: text)
  }

  /// Measures a statement of SQLite by its first value.
  private static func integer(
    _ data: PeerData, _ text: String, _ effort: Effort
  ) throws -> PeerFigure {
    let statement = try data.census.database.prepare(text)
    var result = 0
    let samples = try effort.times(51) { result = try statement.integer() }
    return PeerFigure(samples, result: result)
  }

  private static func byKey(_ data: PeerData) -> PeerWork {
    PeerWork(
      name: "read: a value by primary key",
      measures: [
        (
          .herald,
          { effort in
            try reads(data, effort) { key in
              let found = try data.census.store.object(Census.className, key: .int(key))
              guard case .int(let age)? = try found?.value("age") else { return 0 }
              return age
            }
          }
        ),
        (
          .sqlite,
          { effort in
            let statement = try data.census.database.prepare("SELECT age FROM person WHERE id = ?")
            return try reads(data, effort) { key in
              statement.bind(key, at: 1)
              return try statement.integer()
            }
          }
        ),
      ])
  }

  /// Times the ages of random people by their keys.
  private static func reads(
    _ data: PeerData, _ effort: Effort, _ age: (_ key: Int) throws -> Int
  ) throws -> PeerFigure {
    let batch = 10_000
    var random = SplitMix64(seed: 2)
    let samples = try effort.samples(51, units: batch) { _ in
      let people = (0..<batch).map { _ in
        data.census.people[Int.random(in: 0..<data.size, using: &random)]
      }
      let keys = people.map(\.id)
      var sum = 0
      let time = try seconds {
        for key in keys { sum += try age(key) }
      }
      try require(sum == people.reduce(0) { $0 + $1.age }, "reads returned wrong values")
      return time
    }
    return PeerFigure(samples, result: batch)
  }
}
