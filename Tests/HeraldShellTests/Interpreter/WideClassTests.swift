import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Objects of classes with many properties, given in any order.
@Suite struct WideClassTests {
  private static let count = 40

  /// `p0 … p39` of doubles, an int with a default and an indexed one; whole numbers have to be coerced.
  private static let schema =
    "class W { " + (0..<count).map { "p\($0): double?; " }.joined()
    + "d: int = 7; i: int? indexed; tags: list<string> }\n"

  @Test(arguments: seeds(30))
  func `properties in any order, some of them and some to be coerced, are kept`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      var given = Array(0..<Self.count).shuffled(using: &random)
      given.removeLast(random.below(Self.count))
      let isSorted = random.chance(20)
      if isSorted { given.sort() }
      let isWhole = given.map { _ in random.chance(30) }
      var members = zip(given, isWhole).map { "p\($0): \($0)\($1 ? "" : ".5")" }
      let hasDefault = random.chance(50)
      if !hasDefault { members.insert("d: 1", at: random.below(members.count + 1)) }
      let hasTags = random.chance(50)
      if hasTags { members.insert("tags: [\"a\"]", at: random.below(members.count + 1)) }
      let run = ScriptRun(
        Self.schema + "add W { \(members.joined(separator: ", ")) }\nexport W to - as csv\n"
          + "count W where i == nil\n")
      var fields = Array(repeating: "", count: Self.count)
      for (index, isWhole) in zip(given, isWhole) {
        fields[index] = "\(index).\(isWhole ? "0" : "5")"
      }
      fields += [hasDefault ? "7" : "1", "", hasTags ? "\"[\"\"a\"\"]\"" : "[]"]
      #expect(run.errors == "", "seed \(seed): \(members)")
      let lines = run.output.split(separator: "\n")
      let row = fields.joined(separator: ",")
      #expect(lines.dropFirst().first.map(String.init) == row, "seed \(seed)")
      #expect(lines.last == "1", "seed \(seed): an index has the object without a value")
    }
  }

  @Test(arguments: [0, 1, 16, 17, 39], [true, false])
  func `a property given twice is refused wherever it stands`(first: Int, isSorted: Bool) throws {
    let store = try DynamicStore()
    let properties = (0..<Self.count).map {
      ClassDefinition.Property(name: "p\($0)", element: .int, isOptional: true)
    }
    try store.declare(ClassDefinition(name: "W", properties: properties))
    try store.write {
      let numbers = isSorted ? Array(0..<Self.count) : (0..<Self.count).reversed()
      let contents = (numbers + [first]).map { NamedContent("p\($0)", .value(.int($0))) }
      #expect(throws: HeraldError.duplicateProperty("p\(first)", className: "W")) {
        try store.add("W", contents)
      }
    }
    #expect(try store.objects("W").count == 0)
  }
}
