import Herald
import TestSupport
import Testing

@Suite struct ObjectLogTests {
  @Test(arguments: (0..<UInt64(20)).map { firstSeed + $0 }, [false, true])
  func `the log of an object has the commits that touched it`(
    seed: UInt64, hasKey: Bool
  ) throws {
    var random = SplitMix64(seed: seed)
    let store = try DynamicStore()
    try store.write {
      try store.declare(
        ClassDefinition(
          name: "Dog",
          properties: [
            ClassDefinition.Property(name: "id", element: .int, isPrimaryKey: hasKey),
            ClassDefinition.Property(name: "age", element: .int),
            ClassDefinition.Property(name: "mates", element: .link("Dog"), shape: .list),
          ]))
    }
    var alive: [Int: ObjectHandle] = [:]
    var touched: [Int: [Int]] = [:]
    for _ in 0..<30 {
      var keys: Set<Int> = []
      try store.write {
        for _ in 0..<random.below(3) + 1 {
          let key =
            hasKey ? 1 + random.below(6) : alive.keys.sorted().randomElement(using: &random) ?? 0
          if let object = alive[key], random.below(3) > 0 {
            if random.below(3) == 0 {
              // Those that link to it are touched as well.
              for (other, dog) in alive where other != key {
                let mates = try dog.collection("mates")
                if mates.values.contains(.link(object.id)) { keys.insert(other) }
              }
              try store.delete(object)
              alive[key] = nil
            } else {
              let old = try object.value("age")
              let new = Value.int(random.below(100))
              try object.set("age", to: .value(new))
              if old == new { continue }
            }
            keys.insert(key)
          } else if alive[key] == nil || !hasKey {
            let mates = alive.values.filter { _ in random.below(3) == 0 }.map { Value.link($0.id) }
            let object = try store.add(
              "Dog",
              [
                ("id", .value(.int(key))), ("age", .value(.int(1_000))), ("mates", .list(mates)),
              ])
            let number = hasKey ? key : object.id.number
            alive[number] = object
            keys.insert(number)
          }
        }
      }
      for key in keys { touched[key, default: []].append(store.version) }
    }
    for (key, versions) in touched {
      let log = try store.log(1_000, of: "Dog", key: .int(key)).map(\.version)
      // A value that was set away and back, and an object that a commit made and deleted, are no changes.
      #expect(Set(log).isSubset(of: versions), "seed \(seed), key \(key)")
      #expect(log == log.sorted(by: >))
      let whole = try store.log(1_000).map(\.version)
      let expected = try versions.reversed().filter { version in
        guard whole.contains(version) else { return false }
        return try store.commit(version).changes.contains { $0.label.key == .int(key) }
      }
      #expect(log == expected, "seed \(seed), key \(key)")
      #expect(
        try store.log(2, of: "Dog", key: .int(key)).map(\.version) == Array(expected.prefix(2)))
    }
    #expect(try store.log(of: "Dog", key: .int(999)).isEmpty)
  }
}
