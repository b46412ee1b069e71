import HeraldServer
import TestSupport
import Testing

@Suite struct ResumeTests {
  private static let queries = [
    "/live?q=Dog", "/live?q=Dog%20sort(age)", "/live?q=Dog%20where%20age%20%3E%205%20sort(name)",
    "/live?q=Dog%20sort(age%20desc)%20limit(3)",
    "/live?group=Dog%20by%20age%20%7B%20n:%20@count%20%7D", "/live?q=Dog.age",
  ]

  private static func statement(_ random: inout SplitMix64, _ keys: inout [Int]) -> String {
    let key = keys.isEmpty ? 0 : random.pick(keys)
    switch random.below(keys.isEmpty ? 1 : 4) {
    case 0:
      let new = (keys.max() ?? 0) + 1
      keys.append(new)
      return "add Dog { id: \(new), name: \"n\(random.below(9))\", age: \(random.below(10)) }"
    case 1:
      keys.removeAll { $0 == key }
      return "delete Dog#\(key)"
    case 2: return "Dog#\(key).age = \(random.below(10))"
    case _: return "Dog#\(key).name = \"n\(random.below(9))\""
    }
  }

  @Test(arguments: seeds(3))
  func `a reader that comes back again and again has the rows of now`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try ServedStore()
    var keys: [Int] = []
    let targets = Self.queries.dropLast()
    var rows = [ReplayedEvents](repeating: ReplayedEvents(), count: targets.count)
    var versions = [Int?](repeating: nil, count: targets.count)
    for round in 0..<12 {
      if round == 6 { try store.restart() }
      let readers = try zip(targets, versions).map { try EventReader(store.port, $0, after: $1) }
      var version = 0
      for _ in 0..<random.below(4) + 1 {
        let text = (0...random.below(3)).map { _ in Self.statement(&random, &keys) }
        #expect(try store.write(text.joined(separator: "\n")).status == 200)
      }
      version = try #require(try store.metric("herald_version"))
      for (index, target) in targets.enumerated() {
        // A reader may leave before it has received everything.
        let wanted = random.chance(30) ? versions[index] ?? 0 : version
        while readers[index].version ?? 0 < wanted {
          guard try isBehind(rows[index], target, store) else { break }
          let event = try #require(
            try? readers[index].next(), "\(target) has \(rows[index].rows) at \(version)")
          try rows[index].apply(event.json)
        }
        versions[index] = readers[index].version
        if wanted == version { #expect(try !isBehind(rows[index], target, store)) }
      }
    }
  }

  /// Whether a reader does not have the rows of now yet.
  private func isBehind(_ rows: ReplayedEvents, _ target: String, _ store: ServedStore) throws
    -> Bool
  {
    let query = target.replacing("/live?q=", with: "/query?q=show%20")
      .replacing("/live?group=", with: "/query?q=group%20")
    return try ReplayedEvents.rows(of: store.get(query).body) != rows.rows
  }

  @Test func `a reader that has missed nothing receives nothing`() throws {
    let store = try ServedStore()
    let reader = try EventReader(store.port, "/live?q=Dog", after: 1)
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    let event = try reader.next()
    #expect(event.version == 2)
    #expect(event.json.contains("\"insertions\":[0]"))
  }

  @Test func `a value continues from what it was`() throws {
    let store = try ServedStore()
    _ = try store.write("add Dog { id: 1, name: \"Max\", age: 4 }")
    _ = try store.write("Dog#1.age = 7")
    let reader = try EventReader(store.port, "/live?value=(Dog).@sum.age", after: 2)
    #expect(
      try reader.next().json
        == "{\"event\":\"value\",\"token\":\"live\",\"session\":\"main\",\"old\":4,\"new\":7}")
  }

  @Test func `a version that the log has no more begins anew, and says so`() throws {
    let store = try ServedStore()
    let reader = try EventReader(store.port, "/live?q=Dog", after: 99)
    let event = try reader.next()
    #expect(event.version == 1)
    #expect(
      event.json == """
        {"event":"initial","token":"live","session":"main",\
        "anew":"there is no version 99; the newest is 1","count":0,"rows":[]}
        """)
  }

  @Test func `a Last-Event-ID that is no version is refused`() throws {
    let store = try ServedStore()
    let answer = try store.get("/live?q=Dog", ["Last-Event-ID": "x"])
    #expect(answer.status == 400)
    #expect(answer.body == "{\"error\":{\"message\":\"Last-Event-ID is not a version\"}}\n")
  }
}
