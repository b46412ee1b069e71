import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

/// Conditions of very many parts and of very many levels, which work that grows with the square of
/// the parts, or doubles with each level, would not come to an end with.
@Suite struct LongConditionTests {
  private static let count = 20_000

  private func condition(
    _ word: String, count: Int = Self.count, _ part: (Int) -> String
  ) -> String {
    (0..<count).map(part).joined(separator: " \(word) ")
  }

  private func text(of condition: String) throws -> String? {
    let kennel = KennelStore()
    return try kennel.query("where " + condition).explanation(kennel.store).steps.first?.text
  }

  @Test func `evaluates many conditions together`() throws {
    #expect(try rows(condition("and") { "age != \($0 + 5)" }) == [1, 4, 5])
    #expect(try rows(condition("and") { "age > \(-$0)" }) == [1, 2, 3])
    #expect(try rows(condition("and") { "height < \(40 - Double($0) / 1_000)" }) == [3, 5])
    #expect(try rows(condition("and") { "name >= 'K\($0)'" }) == [1, 3, 4])
    #expect(try rows(condition("and") { "nick != 'M\($0)'" }) == [1, 2, 3, 4, 5])
  }

  @Test func `evaluates many conditions for one that holds`() throws {
    #expect(try rows(condition("or", count: 2_000) { "age == \($0)" }) == [1, 2, 3])
    let breeds = condition("or", count: 2_000) { "breed == 'husky\($0)' or breed == 'mops'" }
    #expect(try rows(breeds) == [2])
    #expect(try rows("cost in {" + condition(",", count: 2_000) { "\($0).5" } + "}") == [])
  }

  @Test func `adds many terms`() throws {
    #expect(try rows("age + " + condition("+") { _ in "age" } + " > 100000") == [2, 3])
  }

  @Test func `writes each of many clauses once`() throws {
    let parts = (0..<Self.count).map { "age != \($0)" }
    let whole = parts.joined(separator: " AND ")
    #expect(try text(of: (parts + parts).joined(separator: " and ")) == "Dog: " + whole)
  }

  @Test func `writes alternatives of conjunctions of alternatives`() throws {
    var condition = "age == 0 OR age == 100"
    for level in 1...90 {
      condition = "age == \(level) OR isGood == true AND (\(condition))"
    }
    #expect(try text(of: condition) == "Dog: " + condition)
  }

  private func rows(_ condition: String) throws -> [ObjectNumber] {
    try KennelStore().rows("where " + condition)
  }
}
