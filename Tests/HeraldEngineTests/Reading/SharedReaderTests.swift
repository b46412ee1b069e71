import HeraldModel
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine
@testable import HeraldQuery

/// A version that several threads read gives each of them what the session's own reader gives.
@Suite struct SharedReaderTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, isOptional: true, isIndexed: true),
      .init(name: "name", element: .string, isIndexed: true),
      .init(name: "weight", element: .double, isOptional: true),
      .init(name: "friends", element: .link("Dog"), shape: .list),
      .init(name: "numbers", element: .int, shape: .set),
      .init(name: "scores", element: .int, shape: .map), .init(name: "any", element: .any),
      .init(name: "fans", element: .link("Dog"), shape: .backlinks("friends")),
    ])

  /// A store with dogs in two blocks, some of which are deleted again.
  private func filled(_ random: inout SplitMix64) throws -> (session: Session, dogs: [ObjectID]) {
    let session = try Session.made(Self.dog)
    try session.write {
      var dogs: [ObjectID] = []
      for index in 0..<280 {
        let friends = dogs.isEmpty ? [] : (0..<random.below(3)).map { _ in random.pick(dogs) }
        dogs.append(
          try session.add(
            "Dog", ("age", random.chance(20) ? .null : .int(random.below(30))),
            ("name", .string("d\(index % 50)")), ("weight", .double(Double(random.below(9)) / 2)),
            ("friends", .list(friends.map { .link($0) })),
            ("numbers", .list((0..<random.below(4)).map { .int($0) })),
            ("scores", .map(["a": .int(index), "b": .int(1)])), ("any", .list([.map(["k": .null])]))
          ))
      }
      try session.delete(dogs.filter { _ in random.chance(20) }) {}
    }
    return (session, try session.objects("Dog"))
  }

  /// Everything that a reader gives, as texts.
  private func contents(_ reader: any ObjectReader, _ dogs: [ObjectID]) throws -> [String] {
    let dogClass = try #require(reader.schema.classSchema(named: "Dog"))
    let id = dogClass.id
    func property(_ name: String) -> PropertyID { dogClass.property(named: name)!.id }
    var texts = ["\(reader.objectCount(of: id)) \(reader.blockCount(of: id))"]
    for dog in dogs + [ObjectID(id, 100_000)] {
      var elements: [Value] = []
      reader.forEachElement(property("friends"), of: dog) {
        elements.append($0)
        return elements.count < 2
      }
      var origins: [String] = []
      reader.forEachOrigin(of: dog, origin: id, property: property("friends")) {
        origins.append("\($0) \($1)")
        return true
      }
      texts.append(
        "\(reader.exists(dog)) \(reader.value(property("age"), of: dog)) "
          + "\(reader.value(property("any"), of: dog).text) "
          + "\(reader.references.value(property("any"), of: dog).text) \(elements) \(origins) "
          + "\(reader.listCount(property("fans"), of: dog)) "
          + "\(reader.mapKeys(property("scores"), of: dog)) "
          + "\(reader.partition(property("numbers"), of: dog) { $0 == .int(0) }) "
          + "\(reader.keyPartition(property("scores"), of: dog) { $0 == "a" }) "
          + "\(reader.linkCount(from: 7, origin: id, property: property("friends"), to: dog))")
      guard reader.exists(dog) else { continue }
      texts.append(
        "\(reader.mapKey(property("scores"), of: dog, at: 1)) "
          + "\(reader.listElement(property("scores"), of: dog, at: 0))")
    }
    let test = ColumnTest.integers(lower: 3, upper: 9, inverted: false, null: true)
    for block in 0..<reader.blockCount(of: id) {
      let presence = reader.presence(of: id, block: block)
      let selected = reader.select(
        test, property: property("age"), of: id, block: block, within: presence)
      var ranks = [UInt64](repeating: 0, count: 256)
      let exact = ranks.withUnsafeMutableBufferPointer {
        reader.ranks(property("name"), of: id, block: block, depth: 0, into: $0).isExact
      }
      var sum = ""
      reader.withNumbers(property("age"), of: id, block: block) { found in
        sum = "\(found.integerSum(presence & ~found.nulls)) "
        sum += found.integerZone.map { "\($0)" } ?? ""
      }
      texts.append(
        "\(Array(BlockBits(presence))) \(Array(BlockBits(selected))) \(ranks) \(exact) "
          + "\(sum) "
          + "\(reader.column(property("weight"), of: id, block: block)) "
          + "\(reader.isDecided(test, property: property("age"), of: id, block: block))")
    }
    let range = IndexRange<Value>.between(.int(3), .int(9))
    texts.append(
      "\(reader.indexed(property("age"), of: id, in: range) ?? []) "
        + "\(reader.firstIndexed(property("age"), of: id, in: range, limit: 3) ?? []) "
        + "\(reader.indexedCount(property("name"), of: id, in: .equal(.string("d1")), limit: 99) ?? 0)"
    )
    return texts
  }

  @Test(arguments: seeds(2))
  func `it gives what the reader gives, on several threads at once`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (session, dogs) = try filled(&random)
    let expected = try contents(session.snapshot, dogs)
    let frozen = try session.freeze()
    let shared = try #require(frozen.position.shared)
    #expect(shared.version == session.version)
    // The session goes on, and its reader with it.
    try session.write {
      for dog in dogs { try session.set(dog, ("age", .int(1)), ("any", .null)) }
    }
    let wrong = Atomic(0)
    let threads = (0..<3).map { _ in
      JoinableThread {
        if try contents(shared, dogs) != expected { wrong.add(1, ordering: .relaxed) }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.load(ordering: .relaxed) == 0, "seed \(seed)")
    #expect(try contents(frozen.standing, dogs) == expected, "seed \(seed)")
    #expect(try contents(session.snapshot, dogs) != expected, "seed \(seed)")
  }

  @Test func `a session behind the newest version shares its own reader until it advances`() throws
  {
    let session = try Session.made(Self.dog)
    let dog = try session.write { try session.add("Dog", ("name", .string("a"))) }
    let other = try session.sibling()
    try session.write { try session.set(dog, ("name", .string("b"))) }
    #expect(other.position.shared == nil)
    let frozen = try other.freeze()
    #expect(other.position.shared === frozen.position.shared && other.position.shared != nil)
    #expect(try other.read("name", of: dog) == .string("a"))
    _ = try other.refresh()
    #expect(other.position.shared == nil)
    #expect(try other.read("name", of: dog) == .string("b"))
    #expect(try frozen.read("name", of: dog) == .string("a"))
    // A session at the newest version opens another reader.
    let current = try session.freeze()
    #expect(session.position.shared == nil && current.position.shared != nil)
  }

  @Test func `a read may call back and read more`() throws {
    let session = try Session.made(Self.dog)
    let dogs = try session.write {
      let first = try session.add("Dog", ("name", .string("a")))
      return [
        first, try session.add("Dog", ("name", .string("b")), ("friends", .list([.link(first)]))),
      ]
    }
    let reader = try session.freeze().standing
    let (friends, name) = (
      try session.property("friends", of: dogs[0]).id, try session.property("name", of: dogs[0]).id
    )
    var names: [Value] = []
    reader.forEachElement(friends, of: dogs[1]) { friend in
      names += friend.links.map { reader.value(name, of: $0) }
      return true
    }
    #expect(names == [.string("a")])
  }

  @Test func `parts are read once each, unless the read is interrupted`() throws {
    var random = SplitMix64(seed: 1)
    let (session, _) = try filled(&random)
    let id = try session.declaredClass("Dog").id
    final class Counts: Sendable { let counts = Mutex([Int](repeating: 0, count: 40)) }
    for reader in [session.snapshot, try session.freeze().standing] as [any ObjectReader] {
      let read = Counts()
      reader.readConcurrently(40) { part, reader in
        let count = reader.objectCount(of: id)
        read.counts.withLock { $0[part] += count }
      }
      #expect(
        read.counts.withLock { $0 } == Array(repeating: reader.objectCount(of: id), count: 40))
      let parts = Counts()
      reader.concurrently(40) { part in parts.counts.withLock { $0[part] += 1 } }
      #expect(parts.counts.withLock { $0 } == Array(repeating: 1, count: 40))
      let interruption = Interruption()
      interruption.request()
      let none = Counts()
      reader.withInterruption(interruption) {
        #expect(reader.isInterrupted)
        reader.concurrently(40) { part in none.counts.withLock { $0[part] += 1 } }
        reader.readConcurrently(40) { part, _ in none.counts.withLock { $0[part] += 1 } }
      }
      #expect(!reader.isInterrupted)
      #expect(none.counts.withLock { $0 } == Array(repeating: 0, count: 40))
    }
  }
}
