import TestSupport
import Testing

@testable import HeraldShell

/// Observed sections beside those that are shown after each statement.
struct SectionObservationTests {
  /// A query, the key of its sections, and a query whose observer knows which rows are modified; nil if none does. Of a
  /// collection that may have an object twice only the replay law is tested.
  private static let targets: [(query: String, key: String, flat: String?)] = [
    ("Dog", "name", "Dog"), ("Dog where age > 2", "age desc", "Dog where age > 2"),
    ("Dog sort(age)", "name", "Dog"), ("Dog sort(name, age desc) limit(5)", "age", nil),
    ("Dog", "owner.name", "Dog"), ("Dog sort(age)", "age / 2", "Dog"),
    ("Dog", "age > (Dog).@avg.age", "Dog"), ("Dog distinct(age)", "name", nil),
    ("Person#1.dogs", "name", nil), ("Person#1.dogs where age > 1", "age desc", nil),
    ("Person#1.dogs sort(age)", "name", nil), ("Person#1.pets", "age", "Person#1.pets"),
    ("Person#1.owned", "name desc", "Person#1.owned"), ("Dog", "nums.@count", "Dog"),
    ("Dog sort(name)", "owner.name ?? mate.name", "Dog"), ("Person", "owned.@count desc", "Person"),
    ("Dog where owner.n > Person#2.n", "mate.age", "Dog where owner.n > Person#2.n"),
    ("Dog sort(name) distinct(age)", "owner.n > Person#3.n", nil),
    ("Dog", "name.upper", "Dog"), ("Dog sort(age desc)", "Person#1.n - age", "Dog"),
    ("Dog sort(age * Person#1.n)", "name", "Dog"), ("Dog sort(nums.@count)", "age", "Dog"),
    ("Dog sort(age * (Person).@max.n desc) limit(5)", "name", nil),
  ]

  @Test(arguments: seeds(20))
  func `sections are notified of what became of their rows`(seed: UInt64) throws {
    var kennel = KennelScript(seed: seed)
    var random = SplitMix64(seed: seed)
    let run = LiveRun(kennel.beginning())
    let observed = Self.targets.enumerated().filter { _ in random.chance(50) }
    let options = observed.map { _ in random.chance(20) ? " keypaths none" : "" }
    for (place, target) in observed.enumerated() {
      let (query, key, flat) = target.element
      run("observe \(query) sections by \(key) as s\(place)\(options[place])")
      if let flat { run("observe \(flat) as f\(place)\(options[place])") }
    }
    func state(_ place: Int) throws -> SectionReplay {
      let (query, key, _) = observed[place].element
      return SectionReplay(
        try JSONValue.read(
          try #require(run.lines("show \(query) sections by \(key) { id }").first))[
            "result"])
    }
    var states: [SectionReplay] = []
    for event in try run.take().map(JSONValue.read) where event["sections"] != nil {
      let place = states.count
      states.append(try state(place))
      let counts = states[place].sections.map(\.rows.count)
      #expect(event["sections"]?.elements.compactMap { $0["count"]?.int } == counts)
      #expect(
        event["sections"]?.elements.map { $0["key"] ?? .null } == states[place].sections.map(\.key))
      #expect(event["count"]?.int == counts.reduce(0, +))
    }
    #expect(states.count == observed.count)
    var seen = (updates: 0, sections: 0, moves: 0)
    for _ in 0..<40 {
      for statement in kennel.statements() {
        let isSilent = random.chance(12) && statement.hasPrefix("write {")
        let names = observed.indices.map { "s\($0)" }.joined(separator: ", ")
        run(
          isSilent
            ? "write without \(names)" + statement.dropFirst("write".count) : statement)
        let events = try run.take().map(JSONValue.read)
        for place in observed.indices {
          let new = try state(place)
          defer { states[place] = new }
          let own = events.filter { $0["token"] == .string("s\(place)") }
          if isSilent {
            #expect(own.isEmpty)
            continue
          }
          #expect(own.count < 2)
          let text = "seed \(seed): \(observed[place].element) after \(statement)"
          let update = own.first
          if let update {
            seen.updates += 1
            seen.sections += SectionReplay.numbers("sectionInsertions", of: update).count
            seen.moves += update["moves"]?.elements.count ?? 0
          }
          let rows = (states[place], new)
          guard rows.0.isUnique && rows.1.isUnique else {
            var replayed = rows.0
            if let update { replayed.follow(update, to: new) }
            #expect(replayed.sections == new.sections, "\(text)")
            continue
          }
          let law = SectionLaw(
            old: rows.0, new: new,
            modified: observed[place].element.flat == nil ? nil : modified(events, place),
            isSorted: observed[place].element.query.contains("sort("))
          let mistakes = law.mistakes(of: update)
          let event = update.map { "\($0)" } ?? "none"
          #expect(mistakes.isEmpty, "\(text): \(rows.0.sections), \(event)")
        }
      }
    }
    run.finish()
    #expect(
      seen.updates > 50 && seen.sections > 5 && seen.moves > 5, "seed \(seed): \(seen)")
  }

  /// An expression is ordered as the property is that it reads, whatever types its values have.
  @Test func `sections of values of different types are in the order of these`() throws {
    let run = LiveRun(
      """
      class T { id: int primary; x: any }
      add T [{ id: 1, x: "b" }, { id: 2, x: 3 }, { id: 3, x: 2.5 }, { id: 4 }, { id: 5, x: true }]
      add T [{ id: 6, x: "a" }, { id: 7, x: 3.0 }, { id: 8, x: [1] }, { id: 9, x: 2000-01-01 }]
      observe T sections by x as path
      observe T sections by x ?? x as expression
      """)
    func keys(_ expression: String) throws -> JSONValue? {
      try run.lines("show T sections by \(expression) { id }").first.map(JSONValue.read)
    }
    #expect(try keys("x") == keys("x ?? x"))
    #expect(try keys("x desc") == keys("x ?? x desc"))
    #expect(try SectionReplay(keys("x")?["result"]).sections.map(\.rows).contains([2, 7]))
    let statements = [
      "set T#3.x = \"a\"", "set T#2.x = 4", "set T#4.x = 1.5", "set T#6.x = nil",
      "write { delete T#7; set T#1.x = 4.0; set T#5.x = 4 }", "set T#9.x = [1]",
    ]
    for statement in statements {
      run(statement)
      let events = try run.take().map(JSONValue.read)
      let parts = ["sectionDeletions", "sectionInsertions", "deletions", "insertions", "moves"]
      #expect(events.count == 2, "\(statement)")
      for part in parts { #expect(events.first?[part] == events.last?[part], "\(statement)") }
    }
    run.finish()
  }

  /// What cannot be computed is nil, and what a condition reads of the store may order the sections anew.
  @Test func `the sections follow what their key reads`() {
    let run = ScriptRun(
      """
      class Dog { id: int primary; age: int = 0; town: string? }
      class Limit { id: int primary; age: int = 0 }
      add Limit { id: 1, age: 4 }
      add Dog [{ id: 1, age: 1 }, { id: 2, age: 5 }, { id: 3, age: 6, town: "Rome" }]
      observe Dog sort(age desc) sections by age > Limit#1.age as old
      observe Dog sections by 12 / (age - 1) as parts
      observe Dog sections by town as towns keypaths none
      observe Dog sections by 6 / (Dog where age > 100).@count as constant keypaths none
      expect constant initial 3
      expect old initial 3
      expect parts initial 3 rows
      expect towns initial 3
      set Limit#1.age = 5
      expect old deletions [1.1] insertions [0.0]
      set Limit#1.age = 6
      expect old sections deleted [1] insertions [0.0]
      set Limit#1.age = 0
      expect old sections deleted [0] sections inserted [0] insertions [0.0, 0.1, 0.2]
      set Dog#1.age = 3
      expect parts sections deleted [0] sections inserted [2] insertions [2.0]
      expect old modifications [0.2]
      set Dog#1.town = "Rome"
      expect parts modifications [2.0]
      expect old modifications [0.2]
      expect towns deletions [0.0] insertions [1.0]
      delete Limit#1
      expect old sections deleted [0] sections inserted [0] insertions [0.0, 0.1, 0.2]
      set Dog#3.town = "Oslo"
      set Dog#3.age = 200
      expect constant sections deleted [0] sections inserted [0] insertions [0.0, 0.1, 0.2]
      expect error "missing: sections deleted [3]" { expect towns sections deleted [3] deletions [1.1] }
      """)
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)\n\(run.output)")
  }

  @Test func `sections are shown in every mode, with the columns of a definition`() {
    let run = ScriptRun(
      """
      class Dog { id: int primary; age: int = 0; town: string? }
      add Dog [{ id: 1, age: 1, town: "a|b" }, { id: 2, age: 5 }]
      define Old as Dog where age > 0 sort(age desc) { town, age }
      show Old sections by age > 3
      mode markdown
      show Dog sections by town { town, id }
      mode jsonl
      show Dog sections by town { town, id }
      """)
    #expect(
      run.output == """
        false: 1 row
           town  age
        0  a|b     1
        true: 1 row
           town  age
        0  nil     5
        | town | id |
        | --- | --: |
        | nil | 2 |
        | a\\|b | 1 |
        {"town": null, "id": 2}
        {"town": "a|b", "id": 1}

        """, "\(run.output)")
  }

  /// The rows that the observer of all rows says are modified.
  private func modified(_ events: [JSONValue], _ place: Int) -> Set<Int> {
    let own = events.filter { $0["token"] == .string("f\(place)") }
    return Set(own.flatMap { $0["keys"]?["modifications"]?.elements.compactMap(\.int) ?? [] })
  }
}

extension SectionReplay {
  /// Whether no object is there twice.
  fileprivate var isUnique: Bool {
    let rows = sections.flatMap(\.rows)
    return Set(rows).count == rows.count
  }
}
