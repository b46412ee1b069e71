import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// The parts of a property's numbers, which are counted from columns, are those of an expression that is equal to it, which
/// are counted from groups.
@Suite struct HistogramTests {
  private static let unusualDoubles = [
    "nil", "nan", "inf", "-inf", "0.0", "-0.0", "1.7976931348623157e308", "-1e308", "5e-324", "0.1",
    "0.3",
  ]
  private static let unusualIntegers = [
    "nil", "0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993",
  ]

  /// Numbers near each other, with a few of the unusual ones.
  private static func numbers(_ random: inout SplitMix64, _ count: Int) -> [(x: String, n: String)]
  {
    let hasUnusual = Bool.random(using: &random)
    let range = [1, 3, 100, 1_000_000].randomElement(using: &random) ?? 1
    return (0..<count).map { _ in
      let isUnusual = hasUnusual && Int.random(in: 0..<8, using: &random) == 0
      let integer = Int.random(in: -range...range, using: &random)
      return (
        isUnusual
          ? unusualDoubles.randomElement(using: &random) ?? "nil" : "\(Double(integer) / 8)",
        isUnusual ? unusualIntegers.randomElement(using: &random) ?? "nil" : "\(integer)"
      )
    }
  }

  @Test(arguments: seeds(40))
  func `parts of a column are those of equal values`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = [0, 1, 2, 30, 700].randomElement(using: &random) ?? 0
    let rows = Self.numbers(&random, count).map { "{ x: \($0.x), n: \($0.n) }" }
    let clause = ["", " where n > 0", " where x < 1"].randomElement(using: &random) ?? ""
    let bins = [1, 2, 7, 10, 1000].randomElement(using: &random) ?? 1
    for property in ["x", "n"] {
      let run = ScriptRun(
        """
        class T { x: double?; n: int? }
        add T [\(rows.joined(separator: ", "))]
        mode jsonl
        histogram T\(clause) by \(property) bins \(bins)
        print "then"
        histogram T\(clause) by \(property) ?? nil bins \(bins)
        """)
      #expect(run.errors == "")
      let halves = run.output.split(separator: "then\n", omittingEmptySubsequences: false)
      #expect(halves.count == 2 && halves[0] == halves[1], "seed \(seed): \(run.output)")
    }
  }

  @Test(arguments: [
    ("1960-01-01", "2024-12-30", 7), ("1969-12-31", "1970-01-01", 7),
    ("0004-01-01", "1969-01-01", 3),
  ])
  func `parts of dates before 1970 have bounds that are dates`(
    _ first: String, _ last: String, _ bins: Int
  ) {
    let run = ScriptRun(
      """
      class P { t: date }
      add P [{ t: \(first) }, { t: \(last) }]
      histogram P by t bins \(bins)
      observe histogram P by t bins \(bins) as h
      """)
    #expect(run.errors == "" && run.output.contains("h: initial \(bins) rows"))
    let bounds = run.output.split(separator: "\n").dropFirst().prefix(bins).map {
      $0.split(separator: " ")[1]
    }
    #expect(bounds.count == bins && bounds[0].hasPrefix(first), "\(run.output)")
    #expect(bounds.allSatisfy { Timestamp(literal: String($0)) != nil }, "\(bounds)")
  }

  @Test func `an old row has the names of its form`() {
    let run = ScriptRun(
      """
      class U { n: any }
      details on
      observe histogram U by n as h
      add U { n: "al" } as $u
      delete $u
      add U { n: 1 } as $v
      $v.n = "x"
      """)
    #expect(run.errors == "")
    #expect(run.output.contains("{value: \"al\", count: 1}"), "\(run.output)")
    #expect(run.output.contains("{from: 1, to: 1, count: 1}"), "\(run.output)")
  }
}
