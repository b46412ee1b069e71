import HeraldModel
import TestSupport
import Testing

@testable import HeraldShell

/// Replays the keys of update events.
private struct KeyReplay {
  private(set) var rows: [JSONValue] = []
  private(set) var mistakes: [String] = []

  private func member(_ name: String, of value: JSONValue?) -> JSONValue? {
    guard case .object(let members)? = value else { return nil }
    return members.first { $0.name == name }?.value
  }

  private func list(_ name: String, of value: JSONValue?) -> [JSONValue] {
    if case .array(let values)? = member(name, of: value) { values } else { [] }
  }

  private func positions(_ name: String, of event: JSONValue) -> [Int] {
    list(name, of: event).compactMap { if case .int(let row) = $0 { row } else { nil } }
  }

  mutating func follow(_ event: JSONValue) {
    guard member("event", of: event) == .string("update") else { return }
    let keys = member("keys", of: event)
    let deletions = positions("deletions", of: event)
    let deleted = list("deletions", of: keys)
    if deletions.map({ rows[$0] }) != deleted { mistakes.append("deleted \(deleted)") }
    for row in deletions.reversed() { rows.remove(at: row) }
    let inserted = list("insertions", of: keys)
    for (row, key) in zip(positions("insertions", of: event), inserted) {
      rows.insert(key, at: row)
    }
    let modified = positions("modificationsNew", of: event).map { rows[$0] }
    if modified != list("modifications", of: keys) { mistakes.append("modified \(modified)") }
  }
}

@Suite struct EventKeyTests {
  @Test(
    arguments: (0..<UInt64(20)).map { firstSeed + $0 },
    ["Dog", "Dog where age > 2", "Dog sort(age desc) limit(3)", "Card", "Person#1.dogs", "Cat"])
  func `the keys of events are those of the rows`(seed: UInt64, target: String) throws {
    var random = SplitMix64(seed: seed)
    let className = target == "Cat" ? "Cat" : "Dog"
    var script = """
      class Dog { id: string primary; age: int }
      class Cat { age: int }
      class Person { id: int primary; dogs: list<Dog> }
      projection Card of Dog { years: age }
      add Person { id: 1 }
      observe \(target) as d

      """
    var alive: [String] = []
    var next = 1
    for _ in 0..<12 {
      script += "write {\n"
      for _ in 0..<random.below(4) + 1 {
        switch alive.isEmpty ? 0 : random.below(4) {
        case 0, 1:
          let key = className == "Cat" ? "\(next)" : "\"k\(next)\""
          next += 1
          alive.append(key)
          let given = className == "Cat" ? "" : "id: \(key), "
          script += "add \(className) { \(given)age: \(random.below(6)) } as $o\n"
          if className == "Dog" { script += "append $o to Person#1.dogs\n" }
        case 2:
          let key = alive.remove(at: random.below(alive.count))
          script += "delete \(className)#\(key)\n"
        default: script += "set \(className)#\(random.pick(alive)).age = \(random.below(6))\n"
        }
      }
      script += "}\n"
      if random.below(6) == 0 { script += "mode text\nmode json\n" }
    }
    script += "for $x in \(target) { show $x }\n"
    var options = Interpreter.Options()
    options.mode = .json
    let run = ScriptRun(script, options)
    #expect(run.errors == "", "seed \(seed)")
    var replay = KeyReplay()
    var rows: [JSONValue] = []
    for line in run.output.split(separator: "\n") {
      var reader = JSONReader(Array(line.utf8))
      let value = try reader.value()
      replay.follow(value)
      guard case .object(let members) = value, members.first?.name == "result" else { continue }
      rows.append(members[0].value)
    }
    #expect(replay.mistakes.isEmpty, "seed \(seed): \(script)\n\(run.output)")
    #expect(replay.rows.count == rows.count, "seed \(seed)")
    for (key, row) in zip(replay.rows, rows) where className == "Dog" && target != "Card" {
      guard case .object(let members) = row else { continue }
      #expect(members.first { $0.name == "id" }?.value == key, "seed \(seed): \(row)")
    }
  }
}
