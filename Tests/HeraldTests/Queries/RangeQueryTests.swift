import Foundation
import Herald
import Testing

/// Ranges over collections, which one element is to meet.
@Suite(.serialized) struct RangeQueryTests {
  @Test func `one element of a collection is within both bounds`() throws {
    let kennels = try Kennels()
    func day(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    kennels.check(
      "one between", { $0.siblings.age.between(4, 6) },
      { $0.siblings.contains { (4...6).contains($0.age) } })
    kennels.check(
      "one in a range", { $0.siblings.years.contains(1..<3) },
      { $0.siblings.contains { $0.years == 1 || $0.years == 2 } })
    kennels.check(
      "one in a range of doubles", { $0.siblings.weight.contains(4.5..<6) },
      { $0.siblings.contains { $0.weight >= 4.5 && $0.weight < 6 } })
    kennels.check(
      "one in a range of dates", { $0.siblings.born.contains(day(2)..<day(4)) },
      { $0.siblings.contains { (day(2)..<day(4)).contains($0.born) } })
    kennels.check(
      "how many between", { ($0.siblings.age.between(3, 6) && $0.siblings.isGood).count == 1 },
      { $0.siblings.filter { (3...6).contains($0.age) && $0.isGood }.count == 1 })
    kennels.check(
      "how many in a range", { ($0.siblings.age.contains(3..<6)).count == 1 },
      { $0.siblings.filter { (3..<6).contains($0.age) }.count == 1 })
    kennels.check(
      "none between", { !$0.siblings.age.between(3, 6) },
      { !$0.siblings.contains { (3...6).contains($0.age) } })
    kennels.check(
      "a value between", { $0.scores.values.between(2, 3) },
      { $0.scores["go"].map { (2...3).contains($0) } ?? false })
    kennels.check(
      "that of a key between", { $0.scores["go"].between(2, 3) },
      { $0.scores["go"].map { (2...3).contains($0) } ?? false })
    kennels.check(
      "that of a key in some", { $0.scores["go"].in([1, 4]) },
      { $0.scores["go"] == 1 || $0.scores["go"] == 4 })
  }
}
