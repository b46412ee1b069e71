import Foundation
import Herald
import Testing

@Suite(.serialized) struct TypedQueryTests {
  @Test(arguments: [7, 8])
  func `comparisons find what a filter finds`(seed: UInt64) throws {
    let kennels = try Kennels(seed: seed)
    kennels.check("==", { $0.age == 3 }, { $0.age == 3 })
    kennels.check("!=", { $0.age != 3 }, { $0.age != 3 })
    kennels.check("<", { $0.age < 3 }, { $0.age < 3 })
    kennels.check("<=", { $0.weight <= 3.5 }, { $0.weight <= 3.5 })
    kennels.check(">", { $0.small > -1 }, { $0.small > -1 })
    kennels.check(">=", { $0.price >= 3 }, { !($0.price < 3) })
    kennels.check(
      "date", { $0.born < Date(timeIntervalSince1970: 3) },
      { $0.born < Date(timeIntervalSince1970: 3) })
    kennels.check("optional", { $0.years > 2 }, { $0.years.map { $0 > 2 } ?? false })
    kennels.check("nil", { $0.years == nil }, { $0.years == nil })
    kennels.check("not nil", { $0.nick != nil }, { $0.nick != nil })
    let years: Int? = 2
    kennels.check("optional value", { $0.years == years }, { $0.years == years })
    kennels.check(
      "string order", { $0.name < "a" }, { Array($0.name.utf8).lexicographicallyPrecedes([97]) })
    kennels.check("Bool", { $0.isGood }, { $0.isGood })
    kennels.check("not Bool", { !$0.isGood && $0.isGood == false }, { !$0.isGood })
    kennels.check("enum", { $0.coat == .long }, { $0.coat == .long })
    kennels.check("optional enum", { $0.second == .curly }, { $0.second == .curly })
    kennels.check("raw", { $0.coat.rawValue.starts(with: "c") }, { $0.coat == .curly })
    kennels.check("any", { $0.extra == .int(2) }, { $0.extra == .int(2) })
    kennels.check(
      "any order", { $0.extra >= .int(2) }, { $0.extra == .int(2) || $0.extra == .int(3) })
    kennels.check("in", { $0.age.in([1, 2, 20]) }, { [1, 2, 20].contains($0.age) })
    kennels.check("optional in", { $0.years.in([1, nil]) }, { [1, nil].contains($0.years) })
    kennels.check("enum in", { $0.coat.in([.long, .curly]) }, { $0.coat != .short })
    kennels.check("closed range", { $0.age.contains(2...4) }, { (2...4).contains($0.age) })
    kennels.check(
      "range", { $0.years.contains(2..<4) }, { $0.years.map { (2..<4).contains($0) } ?? false })
    kennels.check("in a closed range", { $0.age.in(2...4) }, { (2...4).contains($0.age) })
    kennels.check("in a range", { $0.years.in(2..<4) }, { $0.years == 2 || $0.years == 3 })
    kennels.check("between", { $0.weight.between(2, 4) }, { (2...4).contains($0.weight) })
    #expect(kennels.all.where { $0.age.in([]) }.isEmpty)
  }

  @Test(arguments: [11, 12])
  func `conditions calculate with numbers`(seed: UInt64) throws {
    let kennels = try Kennels(seed: seed)
    kennels.check("+", { $0.age + 1 > 5 }, { $0.age + 1 > 5 })
    kennels.check("number +", { 1 + $0.weight <= 5.5 }, { 1 + $0.weight <= 5.5 })
    kennels.check("+ property", { $0.age + $0.age > 9 }, { $0.age + $0.age > 9 })
    kennels.check("-", { $0.small - 1 < 0 }, { $0.small - 1 < 0 })
    kennels.check("number -", { 9 - $0.age == 4 }, { 9 - $0.age == 4 })
    kennels.check("- property", { $0.age - $0.age * 2 < -3 }, { $0.age - $0.age * 2 < -3 })
    kennels.check("*", { $0.price * 2 >= 6 }, { $0.price >= 3 })
    kennels.check("number *", { 3 * $0.age == 12 }, { $0.age == 4 })
    kennels.check("* property", { $0.age * $0.age == 16 }, { $0.age == 4 })
    kennels.check("/", { $0.weight / 2 > 2.5 }, { $0.weight / 2 > 2.5 })
    kennels.check(
      "/ property", { ($0.weight + 1) / ($0.weight + 1) == 1 && $0.age > 3 }, { $0.age > 3 })
    kennels.check("%", { $0.age % 3 == 1 }, { $0.age % 3 == 1 })
    kennels.check("order", { ($0.age + 1) * 2 == 8 }, { $0.age == 3 })
    kennels.check("optional", { $0.years + 1 > 3 }, { $0.years.map { $0 + 1 > 3 } ?? false })
    kennels.check("link", { $0.best.age + 1 > 5 }, { $0.best.map { $0.age + 1 > 5 } ?? false })
    kennels.check(
      "any of a collection", { $0.siblings.age + 1 > 8 },
      { $0.siblings.contains { $0.age + 1 > 8 } })
  }

  @Test(arguments: [9, 10])
  func `two properties of an object are compared, optional or not`(seed: UInt64) throws {
    let kennels = try Kennels(seed: seed)
    kennels.check("==", { $0.age == $0.years }, { $0.age == $0.years })
    kennels.check("!=", { $0.name != $0.nick }, { $0.nick != $0.name })
    kennels.check("== optional", { $0.nick == $0.name }, { $0.nick == $0.name })
    kennels.check(
      ">", { $0.age > $0.years }, { hound in hound.years.map { hound.age > $0 } ?? false })
    kennels.check(
      "<", { $0.years < $0.age }, { hound in hound.years.map { $0 < hound.age } ?? false })
    kennels.check(
      ">=", { $0.years >= $0.years && $0.weight <= $0.weight }, { $0.years != nil })
    kennels.check(
      "link", { $0.best.age > $0.age }, { hound in hound.best.map { $0.age > hound.age } ?? false })
    kennels.check(
      "links", { $0.best.years <= $0.years },
      { hound in
        guard let best = hound.best?.years, let own = hound.years else { return false }
        return best <= own
      })
    kennels.check(
      "collection", { $0.siblings.age < $0.age },
      { hound in hound.siblings.contains { $0.age < hound.age } })
  }

  @Test func `the objects of an unmanaged list have aggregates by name, as those of a store do`()
    throws
  {
    let keeper = Keeper()
    for age in [4, 9, 2] {
      let hound = Hound()
      hound.age = age
      hound.years = age == 9 ? nil : age
      hound.keeper = keeper
      keeper.hounds.append(hound)
    }
    func check(_ hounds: List<Hound>) {
      #expect(hounds.sum(ofProperty: "age") == 15 && hounds.sum(ofProperty: "years") == 6)
      #expect(hounds.min(ofProperty: "age") == 2 && hounds.max(ofProperty: "years") == 4)
      #expect(hounds.average(ofProperty: "age") == 5.0)
      #expect(hounds.values(ofProperty: "age") == [4, 9, 2])
      #expect(hounds.values(ofProperty: "years") == [4, nil, 2])
      #expect(hounds.values(ofProperty: "keeper.name") == ["", "", ""])
    }
    check(keeper.hounds)
    #expect(List<Int8>([100, -1, 5]).sum() == 104 && List<Int16>([300, 1]).average() == 150.5)
    let store = try Store()
    try store.write { store.add(keeper) }
    check(keeper.hounds)
  }

  @Test func `conditions on strings and their connectives find what a filter finds`() throws {
    let kennels = try Kennels()
    kennels.check("starts", { $0.name.starts(with: "Ma") }, { $0.name.hasPrefix("Ma") })
    kennels.check(
      "folded", { $0.name.starts(with: "ma", options: .caseInsensitive) },
      { $0.name.lowercased().hasPrefix("ma") })
    kennels.check("ends", { $0.nick.ends(with: "x") }, { $0.nick?.hasSuffix("x") ?? false })
    kennels.check("contains", { $0.name.contains("ax") }, { $0.name.contains("ax") })
    kennels.check("like", { $0.name.like("M?x*") }, { $0.name == "Max" || $0.name == "Maxine" })
    kennels.check(
      "equals", { $0.name.equals("MAX", options: .caseInsensitive) },
      { $0.name.lowercased() == "max" })
    kennels.check(
      "notEquals", { $0.name.notEquals("MAX", options: .caseInsensitive) },
      { $0.name.lowercased() != "max" })
    kennels.check(
      "and or not", { ($0.age > 5 || $0.isGood) && !($0.name == "Bo") && $0.weight > 1 },
      { ($0.age > 5 || $0.isGood) && $0.name != "Bo" && $0.weight > 1 })
    kennels.check(
      "eight",
      {
        $0.age > 1 && $0.name != "Bo" && $0.weight < 9 && $0.isGood && $0.nick == nil
          && $0.years == nil && $0.coat == .short && $0.keeper.name != "x"
      },
      {
        $0.age > 1 && $0.name != "Bo" && $0.weight < 9 && $0.isGood && $0.nick == nil
          && $0.years == nil && $0.coat == .short && $0.keeper?.name != "x"
      })
  }

  @Test func `conditions over links and collections find what a filter finds`() throws {
    let kennels = try Kennels()
    let (first, keeper) = (kennels.hounds[0], kennels.keepers[1])
    let best = try #require(kennels.hounds.lazy.compactMap(\.best).first)
    let sibling = try #require(kennels.hounds.lazy.compactMap { $0.siblings.first }.first)
    kennels.check("link", { $0.best == best }, { $0.best == best })
    kennels.check("no link", { $0.best == nil }, { $0.best == nil })
    kennels.check("over a link", { $0.best.age > 5 }, { ($0.best?.age ?? 0) > 5 })
    kennels.check("over two", { $0.best.keeper.name == "Max" }, { $0.best?.keeper?.name == "Max" })
    kennels.check("keeper", { $0.keeper == keeper }, { $0.keeper == keeper })
    kennels.check("embedded", { $0.collar.color == "Bo" }, { $0.collar?.color == "Bo" })
    kennels.check("no embedded", { $0.collar == nil }, { $0.collar == nil })
    kennels.check("any", { $0.siblings.age > 7 }, { $0.siblings.contains { $0.age > 7 } })
    kennels.check(
      "any name", { $0.siblings.name.starts(with: "M") },
      { $0.siblings.contains { $0.name.hasPrefix("M") } })
    kennels.check("contains", { $0.siblings.contains(sibling) }, { $0.siblings.contains(sibling) })
    kennels.check("count", { $0.siblings.count >= 2 }, { $0.siblings.count >= 2 })
    kennels.check("value", { $0.marks.contains(2) }, { $0.marks.contains(2) })
    kennels.check("set", { $0.tags.contains("good") }, { $0.tags.contains("good") })
    kennels.check(
      "backlinks", { $0.keepers.name == "Max" }, { $0.keepers.contains { $0.name == "Max" } })
    kennels.check("sum", { $0.siblings.age.sum > 9 }, { $0.siblings.reduce(0) { $0 + $1.age } > 9 })
    kennels.check("max", { $0.siblings.age.max > 7 }, { ($0.siblings.map(\.age).max() ?? 0) > 7 })
    kennels.check("min", { $0.siblings.age.min == nil }, { $0.siblings.isEmpty })
    kennels.check(
      "avg", { $0.siblings.years.avg >= 2 },
      {
        let years = $0.siblings.compactMap(\.years)
        return !years.isEmpty && Double(years.reduce(0, +)) / Double(years.count) >= 2
      })
    kennels.check("sum of values", { $0.marks.sum == 6 }, { $0.marks.reduce(0, +) == 6 })
    kennels.check(
      "subquery", { ($0.siblings.age > 3 && $0.siblings.isGood).count >= 1 },
      { $0.siblings.contains { $0.age > 3 && $0.isGood } })
    kennels.check(
      "subquery count", { ($0.siblings.age > 3).count == 2 && $0.age > 2 },
      { $0.siblings.filter { $0.age > 3 }.count == 2 && $0.age > 2 })
    kennels.check("map", { $0.scores["go"] > 2 }, { ($0.scores["go"] ?? 0) > 2 })
    kennels.check("no key", { $0.scores["go"] == nil }, { $0.scores["go"] == nil })
    kennels.check("keys", { $0.scores.keys == "go" }, { $0.scores["go"] != nil })
    kennels.check("map values", { $0.scores.values > 2 }, { ($0.scores["go"] ?? 0) > 2 })
    kennels.check("map contains", { $0.scores.contains(4) }, { $0.scores["go"] == 4 })
    _ = first
  }

  @Test func `results of results, of lists and of backlinks compose`() throws {
    let kennels = try Kennels()
    let sorted = kennels.all.sorted(by: \.age, ascending: false)
    let expected = kennels.hounds.enumerated().sorted {
      ($1.element.age, $0.offset) < ($0.element.age, $1.offset)
    }.map(\.element)
    #expect(Array(sorted) == expected && sorted.first == expected.first)
    #expect(sorted.last == expected.last && sorted[7] == expected[7])
    #expect(Array(sorted.where { $0.isGood }) == expected.filter(\.isGood))
    #expect(sorted.where { $0.isGood }.first == expected.first(where: \.isGood))
    let good = kennels.all.where { $0.isGood }.sorted(byKeyPath: "keeper.name")
    #expect(Set(good) == Set(kennels.hounds.filter(\.isGood)))
    #expect(good.compactMap(\.keeper?.name) == good.compactMap(\.keeper?.name).sorted())
    let two = kennels.all.sorted(by: [
      SortDescriptor(keyPath: \Hound.isGood, ascending: false), "age",
    ])
    #expect(two.first?.isGood == true && two.last?.isGood == false)
    #expect(Set(kennels.all.distinct(by: ["name"]).map(\.name)).count == 7)
    #expect(kennels.all.distinct(by: [\.name]).count == 7)
    let keeper = kennels.keepers[2]
    let list = Array(keeper.hounds)
    #expect(Array(keeper.hounds.where { $0.age > 4 }) == list.filter { $0.age > 4 })
    #expect(keeper.hounds.sorted(by: \.age).map(\.age) == list.map(\.age).sorted())
    #expect(kennels.hounds[0].keepers.where { $0.name != "" || $0.name == "" }.count == 1)
    #expect(kennels.all.filter { $0.age > 4 } == kennels.hounds.filter { $0.age > 4 })
    let hound = kennels.hounds[55]
    #expect(
      kennels.all.index(of: hound) == 55
        && sorted.index(of: hound) == expected.firstIndex(of: hound))
    #expect(
      kennels.all.where { $0.isGood }.index(of: hound)
        == kennels.hounds.filter(\.isGood).firstIndex(of: hound))
    #expect(keeper.hounds.index(of: list[3]) == list.firstIndex(of: list[3]))
    #expect(sorted.index(matching: { $0.age == 4 }) == expected.firstIndex { $0.age == 4 })
    #expect(keeper.hounds.index(matching: "age == %@", 4) == list.firstIndex { $0.age == 4 })
  }

  @Test func `text with arguments finds what a filter finds`() throws {
    let kennels = try Kennels()
    func check(_ text: String, _ arguments: Any?..., filter: (Hound) -> Bool) throws {
      let found: Results<Hound>
      switch arguments.count {
      case 0: found = try kennels.all.query(text)
      case 1: found = try kennels.all.query(text, arguments[0])
      default: found = try kennels.all.query(text, arguments[0], arguments[1])
      }
      #expect(Array(found) == kennels.hounds.filter(filter), "\(text)")
    }
    let keeper = kennels.keepers[0]
    try check("age > %@ AND name == %@", 5, "Max") { $0.age > 5 && $0.name == "Max" }
    try check("%K == %@", "nick", nil) { $0.nick == nil }
    try check("age > %d && weight < %f", 5, 3.5) { $0.age > 5 && $0.weight < 3.5 }
    try check("age IN %@", [1, 2]) { [1, 2].contains($0.age) }
    try check("age BETWEEN %@", 2...4) { (2...4).contains($0.age) }
    try check("age BETWEEN {%@, %@}", 2, 4) { (2...4).contains($0.age) }
    try check("keeper == %@", keeper) { $0.keeper == keeper }
    try check("keeper IN %@", kennels.keepers) { $0.keeper != nil }
    try check("name == '%@' OR name BEGINSWITH[c] \"ma\"") { $0.name.lowercased().hasPrefix("ma") }
    try check("coat == %@", Coat.long) { $0.coat == .long }
    try check("born < %@", Date(timeIntervalSince1970: 3)) {
      $0.born < Date(timeIntervalSince1970: 3)
    }
    try check("ANY siblings.age > %@", 7) { $0.siblings.contains { $0.age > 7 } }
    try check("age == %@\n  AND isGood == true\n", Int16(3)) { $0.age == 3 && $0.isGood }
    #expect(kennels.all.filter("age > 5").count == kennels.hounds.filter { $0.age > 5 }.count)
    for (text, arguments, words) in [
      ("age >", [] as [Any?], "expected"), ("aeg > 3", [], "aeg"), ("age > 3 4", [], "end"),
      ("age > %@", [], "more placeholders"), ("age > 3", [5], "0 placeholders"),
      ("age > %@", [Hound()], "Hound"), ("age > %y", [5], "%y"),
      ("age > %@", [Unstorable()], "Unstorable"),
    ] {
      do {
        _ =
          arguments.isEmpty
          ? try kennels.all.query(text) : try kennels.all.query(text, arguments[0])
        Issue.record("'\(text)' is no error")
      } catch {
        #expect("\(error)".contains(words), "\(text): \(error)")
      }
    }
  }

  private struct Unstorable {}

  @Test(arguments: [10, 300, 1000])
  func `columns and aggregates are those of the objects`(count: Int) throws {
    let kennels = try Kennels(count: count)
    try kennels.store.write {
      for (index, hound) in kennels.hounds.enumerated() where index % 7 == 3 {
        kennels.store.delete(hound)
      }
    }
    let hounds = kennels.hounds.filter { !$0.isInvalidated }
    func check(_ results: Results<Hound>, _ hounds: [Hound]) {
      #expect(results.values(\.age) == hounds.map(\.age))
      #expect(results.values(\.weight) == hounds.map(\.weight))
      #expect(results.values(\.years) == hounds.map(\.years))
      #expect(results.values(\.nick) == hounds.map(\.nick))
      #expect(results.values(\.isGood) == hounds.map(\.isGood))
      #expect(results.values(\.small) == hounds.map(\.small))
      #expect(results.values(\.born) == hounds.map(\.born))
      #expect(results.values(\.coat) == hounds.map(\.coat))
      #expect(results.values(\.best) == hounds.map(\.best))
      let names: [String] = results.values(ofProperty: "name")
      #expect(names == hounds.map(\.name))
      #expect(results.sum(\.age) == hounds.map(\.age).reduce(0, +))
      #expect(results.sum(\.weight) == hounds.map(\.weight).reduce(0, +))
      #expect(results.sum(\.years) == hounds.compactMap(\.years).reduce(0, +))
      #expect(results.sum(\.price) == hounds.map(\.price).reduce(0, +))
      #expect(results.min(\.age) == hounds.map(\.age).min())
      #expect(results.max(\.years) == hounds.compactMap(\.years).max())
      #expect(results.max(\.weight) == hounds.map(\.weight).max())
      #expect(results.max(\.born) == hounds.map(\.born).max())
      let average =
        hounds.isEmpty ? nil : Double(hounds.map(\.age).reduce(0, +)) / Double(hounds.count)
      #expect(results.average(\.age) == average)
      #expect(results.min(ofProperty: "small") == hounds.map(\.small).min())
      let total: Int = results.sum(ofProperty: "age")
      #expect(total == hounds.map(\.age).reduce(0, +))
    }
    check(kennels.all, hounds)
    check(kennels.all.where { $0.age > 4 }, hounds.filter { $0.age > 4 })
    check(kennels.all.where { $0.age > 40 }, [])
    check(
      kennels.all.sorted(byKeyPath: "isGood"),
      hounds.filter { !$0.isGood } + hounds.filter(\.isGood))
    let list = kennels.keepers[1].hounds
    #expect(
      list.values(\.age) == list.map(\.age) && list.sum(\.age) == list.map(\.age).reduce(0, +))
    let hound = Hound()
    hound.marks.append(contentsOf: [3, 1, 2])
    #expect(hound.marks.sum() == 6 && hound.marks.average() == 2 && hound.marks.max() == 3)
    #expect(hound.marks.sorted(ascending: false) == [3, 2, 1])
    try kennels.store.write { kennels.store.add(hound) }
    #expect(hound.marks.sum() == 6 && hound.marks.average() == 2 && hound.marks.min() == 1)
  }

  @Test func `an iteration goes over the rows there were when it began`() throws {
    let kennels = try Kennels(count: 600)
    let hounds = kennels.hounds
    var seen = 0
    try kennels.store.write {
      for hound in kennels.all {
        seen += 1
        if seen == 1 { kennels.store.delete(hounds[400]) }
        if seen < 10 { kennels.store.add(Hound()) }
        #expect(hound.isInvalidated == (seen == 401))
      }
    }
    #expect(seen == 600 && kennels.all.count == 608)
    #expect(kennels.all[399] == hounds[399] && kennels.all[400] == hounds[401])
    #expect(kennels.all.last == kennels.all[607] && kennels.all.first == hounds[0])
  }

  @Test func `results follow the statements of the open transaction`() throws {
    let kennels = try Kennels()
    let good = kennels.all.where { $0.isGood && $0.keeper.name == "Max" }
    func check() {
      #expect(Array(good) == kennels.hounds.filter { $0.isGood && $0.keeper?.name == "Max" })
    }
    try kennels.store.write {
      for index in 0..<good.count { good[index].age += 1 }
      check()
      good[0].isGood = false
      check()
      kennels.keepers[0].name = "Min"
      check()
      #expect(good.isEmpty)
      kennels.keepers[1].name = "Max"
      check()
      kennels.hounds[3].keeper = kennels.keepers[1]
      kennels.hounds[3].isGood = true
      check()
      kennels.store.delete(kennels.keepers[1])
      #expect(good.isEmpty)
    }
    check()
    // Two rolled back writes of as many statements.
    for name in ["Max", "Min"] {
      kennels.store.beginWrite()
      kennels.keepers[2].name = name
      check()
      kennels.store.cancelWrite()
      check()
    }
  }

  @Test func `what is wrong with a condition reaches the observer`() throws {
    let kennels = try Kennels(count: 3)
    let results = kennels.all.where { $0.doubled > 3 && $0.best == Hound() }
    var failure = ""
    let token = results.observe { if case .error(let error) = $0 { failure = "\(error)" } }
    kennels.store.refresh()
    #expect(failure.contains("no @Persisted property"))
    token.invalidate()
  }
}
