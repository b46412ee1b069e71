import Herald

extension HeraldBenchmarks {
  /// The count of objects that match a predicate, by a scan of the class or an index.
  static func scanning() -> [Benchmark] {
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    let number = Registry.number(of: 500)
    return [
      Benchmark(
        name: "scan: count of a comparison on an int", sizes: sizes, unit: .each("row"),
        target: .atMost(1.8e-3)
      ) { try count("where age > 9", $0, $1) },
      Benchmark(
        name: "scan: count of a comparison on a double", sizes: sizes, unit: .each("row")
      ) { try count("where weight > 40.5", $0, $1) },
      Benchmark(
        name: "scan: count of a string prefix", sizes: sizes, unit: .each("row")
      ) { try count("where name BEGINSWITH 'Dog 12'", $0, $1) },
      Benchmark(
        name: "scan: count of a string prefix in any case", sizes: sizes, unit: .each("row")
      ) { try count("where name BEGINSWITH[c] 'dOG 12'", $0, $1) },
      Benchmark(
        name: "scan: count of an int and a string", sizes: sizes, unit: .each("row")
      ) { try count("where age > 9 AND breed == 'husky'", $0, $1) },
      Benchmark(
        name: "scan: count of an equality, unindexed", sizes: sizes, unit: .each("row")
      ) { try count("where plate == \(number)", $0, $1) },
      Benchmark(
        name: "scan: count of an equality, indexed", sizes: sizes, unit: .none
      ) { try count("where chip == \(number)", $0, $1) },
      Benchmark(
        name: "scan: count of all", sizes: sizes, unit: .none
      ) { try count("", $0, $1) },
    ]
  }

  private static func count(_ query: String, _ size: Int, _ effort: Effort) throws -> Samples {
    let results = try Registry.of(size).store.results(Registry.className, query)
    let expected = try results.count
    try require(expected > 0, "'\(query)' finds nothing")
    return try effort.times(51, units: size) {
      try require(results.count == expected, "the count of '\(query)' changed")
    }
  }
}
