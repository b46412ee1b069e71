import Herald

extension HeraldBenchmarks {
  /// The first row of a sorted query, which sorts the whole class.
  static func sorting() -> [Benchmark] {
    let queries = [
      ("an int of few values", "sort(age)"), ("a random int", "sort(plate)"),
      ("a double", "sort(weight)"), ("a string", "sort(name)"),
      ("a string, then a double descending", "sort(breed, weight desc)"),
      ("a double, the first 10", "sort(weight) limit(10)"),
      ("a double, half of the rows", "where age > 9 sort(weight)"),
    ]
    return queries.map { name, query in
      Benchmark(
        name: "sort: \(name)", sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .each("row")
      ) { size, effort in
        let results = try Registry.of(size).store.results(Registry.className, query)
        let first = try results[0]
        return try effort.times(11, units: size) {
          try require(results[0] == first, "the first row of '\(query)' changed")
        }
      }
    }
  }
}
