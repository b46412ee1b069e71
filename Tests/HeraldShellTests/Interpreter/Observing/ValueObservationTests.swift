import TestSupport
import Testing

@testable import HeraldShell

/// Observed values beside the same expressions, evaluated after each statement.
struct ValueObservationTests {
  static let expressions = [
    "Dog.@count", "(Dog where age > 3).@count", "(Dog).@sum.age", "(Dog).@avg.age",
    "(Dog).@max.age - (Dog).@min.age", "(Dog).@median.age", "(Dog).@percentile(0.9).age",
    "(Dog).@stddev.age", "(Dog).@distinct.name", "(Dog).@min.name", "Person#1.dogs.@count",
    "Person#1.dogs.@avg.age", "(Person#1.dogs where age > 2).@sum.age", "Person#1.tags.@count",
    "Person#1.marks.@sum", "(Dog where owner.n > 2).@count",
    "(Dog).@sum.age / ((Dog where age > 3).@count - 2)", "((Person).@max.n * 2) ?? 0",
    "(Dog sort(age) limit(2)).@sum.age", "(Dog where age > (Dog).@avg.age).@count",
    "Person#1.owned.@count", "(Dog where ANY nums > 3).@count", "round((Dog).@avg.age, 1)",
    "$p.dogs.@sum.age", "($p.dogs where age > 2).@count", "Person#2.n * (Dog).@count",
    "(Dog where mate.age > 2).@max.age + (Person).@sum.n", "(Dog where x != nil).@count",
    "$q.@count", "$of.@max.age", "$above.@sum.age", "($above where age < 5).@count",
    "$rows.@sum.age", "$dogs.@count", "$pets.@avg.age + $q.@sum.age", "$owned.@min.name",
    "$card.@max.years", "$rows.@count * Person#1.n",
    "$marks.@count",
    "$marks.@count + $above.@count",
    "($high sort(self desc) limit(1)).@max", "$tags.@count",
  ]

  /// The variables in them.
  private static let variables = """
    let $p = Person#1
    let $q = Dog where age > 3
    let $of = $q where name != "b"
    let $above = Dog where age > (Dog).@avg.age
    let $rows = Person#1.dogs where age > Person#2.n
    let $dogs = Person#1.dogs
    let $pets = Person#1.pets
    let $owned = Person#1.owned
    let $card = Card where years > 1
    let $marks = Person#1.marks where self > 1
    let $high = $marks where self > (Dog).@min.age
    let $tags = Person#1.tags where self != "b"

    """

  /// Conditions, and what they are of an int.
  static let conditions: [(text: String, holds: @Sendable (Int) -> Bool)] = [
    ("> 4", { $0 > 4 }), ("value % 2 == 0", { $0 % 2 == 0 }),
    ("IN {3, 5, 6}", { [3, 5, 6].contains($0) }),
    ("<= 5 AND value != 2", { $0 <= 5 && $0 != 2 }),
  ]

  @Test(arguments: seeds(20))
  func `a value is notified of each delivery after which it differs`(seed: UInt64) throws {
    var kennel = KennelScript(seed: seed)
    var random = SplitMix64(seed: seed)
    let observed = Self.expressions.filter { _ in random.chance(50) }
    let run = LiveRun(kennel.beginning() + Self.variables)
    let conditional = Self.conditions.enumerated().map { ("c\($0)", $1) }
    for (index, expression) in observed.enumerated() {
      run("observe value \(expression) as v\(index)")
    }
    for (name, condition) in conditional {
      run("observe value Dog.@count when \(condition.text) as \(name)")
    }
    var last: [String: String] = [:]
    var events = run.take()
    var differences = 0
    func check(_ statement: String) {
      for (index, expression) in observed.enumerated() {
        let value = run.value(expression)
        let own = events.filter { $0.contains("\"token\":\"v\(index)\",") }
        let old = last["v\(index)"]
        let expected =
          if let old {
            old == value
              ? []
              : [
                "{\"event\":\"value\",\"token\":\"v\(index)\",\"session\":\"main\",\"old\":\(old),\"new\":\(value)}"
              ]
          } else {
            [
              "{\"event\":\"initial\",\"token\":\"v\(index)\",\"session\":\"main\",\"value\":\(value)}"
            ]
          }
        #expect(own == expected, "seed \(seed): \(expression) after \(statement)")
        if old != nil { differences += expected.count }
        last["v\(index)"] = value
      }
      let count = Int(run.value("Dog.@count")) ?? 0
      for (name, condition) in conditional {
        let own = events.filter { $0.contains("\"token\":\"\(name)\",") }
        let old = last[name].flatMap(Int.init)
        let begins = old.map { condition.holds(count) && !condition.holds($0) } ?? true
        #expect(own.count == (begins ? 1 : 0), "seed \(seed): \(condition.text) after \(statement)")
        if let old, begins {
          #expect(own.first?.hasSuffix("\"old\":\(old),\"new\":\(count)}") == true)
        }
        last[name] = "\(count)"
      }
    }
    check("the beginning")
    for _ in 0..<25 {
      for statement in kennel.statements() {
        let isSilent = random.chance(16) && statement.hasPrefix("write {")
        let names = observed.indices.map { "v\($0)" } + conditional.map(\.0)
        let text =
          isSilent
          ? "write without \(names.joined(separator: ", "))" + statement.dropFirst("write".count)
          : statement
        run(text)
        events = run.take()
        guard isSilent else {
          check(text)
          continue
        }
        // It counts as a delivery.
        #expect(events.isEmpty, "seed \(seed): \(text)")
        for (index, expression) in observed.enumerated() {
          last["v\(index)"] = run.value(expression)
        }
        for (name, _) in conditional { last[name] = run.value("Dog.@count") }
      }
    }
    run.finish()
    #expect(differences > 30, "seed \(seed)")
  }

  @Test func `the owner of a collection ends a value with that of an empty one`() {
    let run = ScriptRun(
      """
      class Dog { id: int primary; age: int = 0 }
      class Person { id: int primary; dogs: list<Dog>; scores: list<int> }
      add Dog [{ id: 1, age: 3 }, { id: 2, age: 5 }]
      add Person [{ id: 1, scores: [3, 4], dogs: [Dog#1, Dog#2] }, { id: 2 }]
      let $p = Person#1
      observe value $p.scores.@sum as sum
      observe value Person#1.dogs.@avg.age as mean
      observe value ($p.dogs where age > 3).@count + (Dog).@count as both
      observe value Person#2.scores.@count as zero
      observe value (Dog).@sum.age / (Person).@count as each
      expect sum initial 7
      expect mean initial 4.0
      expect both initial 3
      expect zero initial 0
      expect each initial 4
      delete Person#2
      expect zero 0 -> 0
      expect each 4 -> 8
      delete Person#1
      expect sum 7 -> 0
      expect mean 4 -> nil
      expect both 3 -> 2
      expect each 8 -> nil
      add Person { id: 1, scores: [9] }
      expect each nil -> 8
      expect nothing
      observe value (Person where id == 1).@count when > 0 as some do { print $old, $new }
      expect some initial 1
      write { delete Person; add Person { id: 1 } }
      expect nothing
      delete Person
      expect each 8 -> nil
      add Person { id: 1 }
      expect each nil -> 8
      expect some 0 -> 1
      """)
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)\n\(run.output)")
    #expect(run.output.contains("nil 1\n") && run.output.contains("0 1\n"))
  }

  /// Keys that are computed, of objects that come, go and take the key of others.
  @Test func `an object by a key is what has the key now`() {
    let run = ScriptRun(
      """
      class Own { id: int primary; x: int = 0; next: int = 2; orders: list<Own> }
      class Pick { id: int primary; key: string? }
      class Named { key: string primary; top: int = 0 }
      add Own [{ id: 1, x: 10 }, { id: 2, x: 20 }, { id: 3, x: 30 }]
      add Pick [{ id: 1, key: "a" }, { id: 2 }]
      add Named { key: "a", top: 20 }
      observe value (Named#((Pick).@max.key).top ?? 0) + (Pick where id > 0).@count as sum
      observe value Own#(Own#1.next).x as x
      observe Own where x < Own#(Own#1.next).x as less
      expect sum initial 22
      expect x initial 20
      expect less initial 1
      Pick#1.key = nil
      expect sum 22 -> 2
      Pick#1.key = "a"
      expect sum 2 -> 22
      Own#1.next = 3
      expect x 20 -> 30
      expect less insertions [1] modifications [0]
      Own#1.next = 77
      expect x 30 -> nil
      expect less deletions [0, 1]
      Own#1.next = 2
      expect x nil -> 20
      expect less insertions [0]
      observe Own where x > (Named#"a".top ?? 0) as more
      observe value Named#"a".top as top
      expect more initial 1
      expect top initial 20
      delete Named#"a"
      expect sum 22 -> 2
      expect more insertions [0, 1]
      expect top 20 -> nil
      undo
      expect sum 2 -> 22
      expect more deletions [0, 1]
      expect top nil -> 20
      observe value (Own).@count when > Own#1.x as many
      expect many initial 3
      Own#1.x = 0
      expect many 3 -> 3
      Own#1.orders = [Own#2]
      observe value Own#1.orders.@count as orders
      expect orders initial 1
      write { delete Own#1; add Own { id: 1, orders: [Own#2, Own#2] } }
      expect orders 1 -> 0
      """)
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)\n\(run.output)")
  }

  @Test(arguments: [
    ("observe value 3", "expected an aggregate of a query or a collection, found '3'"),
    ("observe value $n + 1", "expected an aggregate of a query or a collection"),
    ("observe value Dog.@sum.agee", "did you mean 'age'?"),
    ("observe value (Dog).@count depth 2", "'depth' is only for"),
    ("observe value (Dog).@count when nme > 3", "no column 'nme'"),
    ("observe value (Dog).@count when", "expected a value or a property"),
    ("observe value Dog#9.tags.@count", "there is no object Dog#9"),
  ])
  func `what is no value is refused`(statement: String, message: String) {
    let run = ScriptRun(
      "class Dog { id: int primary; age: int; tags: list<string> }\nlet $n = 3\n" + statement)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  /// A store that has a class of that name still opens.
  @Test func `a class may be called value`() {
    let run = ScriptRun("class value { n: int }\nobserve value as v\nexpect v initial 0 rows")
    #expect(run.errors.isEmpty || run.errors.contains("'value'"), "\(run.errors)")
  }
}
