import Foundation
import HeraldCompatibility
import Testing

private enum Size: Int, PersistableEnum { case small, large }

private final class Tree: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var isTall = false
  @Persisted var size = Size.small
  @Persisted var parent: Tree?
  @Persisted var seedlings: List<Tree>
  @Persisted var rings: List<Int>
  @Persisted var heights: Map<String, Int>
}

/// Conditions as formats of `NSPredicate`.
@Suite struct PredicateFormatTests {
  private func format(_ condition: (Query<Tree>) -> Query<Bool>) -> String {
    let (format, arguments) = condition(Query<Tree>._constructForTesting())._constructPredicate()
    return ([format] + arguments.map { "\($0)" }).joined(separator: " | ")
  }

  @Test func `comparisons and connectives have parentheses`() {
    #expect(format { $0.age == 3 } == "(age == %@) | 3")
    #expect(format { $0.age != 3 } == "(age != %@) | 3")
    #expect(format { $0.parent.name < "x" } == "(parent.name < %@) | x")
    #expect(format { $0.parent == nil } == "(parent == %@) | <null>")
    #expect(format { $0.size == .large } == "(size == %@) | 1")
    #expect(format { $0.age == $0.parent.age } == "(age == parent.age)")
    #expect(
      format { $0.age > 3 && $0.name == "x" && $0.age < 9 }
        == "(((age > %@) && (name == %@)) && (age < %@)) | 3 | x | 9")
    #expect(
      format { $0.age > 3 || ($0.name == "x" && $0.age < 9) }
        == "((age > %@) || ((name == %@) && (age < %@))) | 3 | x | 9")
  }

  @Test func `Booleans stand alone`() {
    #expect(format { $0.isTall } == "isTall == true")
    #expect(format { !$0.isTall } == "isTall == false")
    #expect(format { $0.isTall == true } == "(isTall == %@) | true")
    #expect(format { $0.isTall && !$0.isTall } == "(isTall == true && isTall == false)")
    #expect(format { !($0.age > 3) } == "(NOT age > %@) | 3")
    #expect(format { !($0.age > 3 && $0.isTall) } == "NOT ((age > %@) && isTall == true) | 3")
  }

  @Test func `ranges, lists and texts`() {
    #expect(format { $0.age.between(1, 3) } == "(age BETWEEN {%@, %@}) | 1 | 3")
    #expect(format { $0.age.contains(1...3) } == "(age BETWEEN {%@, %@}) | 1 | 3")
    #expect(format { $0.age.contains(1..<3) } == "((age >= %@) && (age < %@)) | 1 | 3")
    #expect(format { $0.age.in([1]) }.hasPrefix("(age IN %@) | "))
    #expect(
      format { $0.name.starts(with: "x", options: [.caseInsensitive, .diacriticInsensitive]) }
        == "(name BEGINSWITH[cd] %@) | x")
    #expect(format { $0.name.like("x", options: .caseInsensitive) } == "(name LIKE[c] %@) | x")
    #expect(format { $0.name.contains("x") } == "(name CONTAINS %@) | x")
  }

  @Test func `collections`() {
    #expect(format { $0.rings.contains(3) } == "(%@ IN rings) | 3")
    #expect(format { $0.rings.containsAny(in: [3]) }.hasPrefix("(ANY rings IN %@) | "))
    #expect(format { $0.seedlings.age == 3 } == "(ANY seedlings.age == %@) | 3")
    #expect(format { $0.seedlings.count > 3 } == "(seedlings.@count > %@) | 3")
    #expect(format { $0.seedlings.age.sum > 3 } == "(seedlings.@sum.age > %@) | 3")
    #expect(format { $0.rings.min > 3 } == "(rings.@min > %@) | 3")
    #expect(
      format { $0.rings.contains(1...3) } == "((rings.@min >= %@) && (rings.@max <= %@)) | 1 | 3")
    #expect(format { $0.heights["a"] > 3 } == "(heights[%@] > %@) | a | 3")
    #expect(format { $0.heights.keys == "a" } == "(ANY heights.@allKeys == %@) | a")
    #expect(format { $0.heights.values > 3 } == "(ANY heights.@allValues > %@) | 3")
    #expect(
      format { ($0.seedlings.age > 3 && $0.seedlings.name == "x").count > 1 }
        == "(SUBQUERY(seedlings, $col1, (($col1.age > %@) && ($col1.name == %@))).@count > %@)"
        + " | 3 | x | 1")
  }

  @Test func `conditions on elements that calculate, and Booleans of elements, are counted`() throws
  {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "trees"))
    try realm.write {
      realm.deleteAll()
      let tree = realm.create(Tree.self, value: ["age": 1, "isTall": true])
      for age in 2...5 {
        tree.seedlings.append(Tree(value: ["age": age, "isTall": age > 3] as [String: Any]))
      }
    }
    let trees = realm.objects(Tree.self)
    #expect(trees.where { ($0.seedlings.age + 1 > 4).count == 2 }.count == 1)
    #expect(trees.where { ($0.seedlings.age * $0.seedlings.age > 9).count == 2 }.count == 1)
    #expect(trees.where { ($0.seedlings.isTall).count == 2 }.count == 1)
    #expect(trees.where { (!$0.seedlings.isTall).count == 2 }.count == 1)
    #expect(trees.where { $0.age.in(Set([4, 5])) }.count == 2)
    #expect(trees.where { $0.seedlings.age.in([5, 9]) }.count == 1)
  }
}
