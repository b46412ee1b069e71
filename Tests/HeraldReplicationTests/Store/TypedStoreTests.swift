import Glibc
import HeraldReplication
import TestSupport
import Testing

private final class Kennel: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var dogs: List<Hound>
}

private final class Hound: Object {
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var kennels: LinkingObjects<Kennel>
}

/// Typed stores on two machines.
@Suite(.serialized) @MainActor struct TypedStoreTests {
  @Test func `typed objects, lists and backlinks arrive at another machine, with its observers`()
    throws
  {
    let servers = try NATSServers()
    let folder = try TemporaryFolder()
    let types: [ObjectBase.Type] = [Kennel.self, Hound.self]
    let stream = servers.stream("kennels")
    let one = try Store(
      replicated: stream, cache: folder.path + "/one.hdb", objectTypes: types)
    let two = try Store(
      replicated: stream, cache: folder.path + "/two.hdb", objectTypes: types)
    var events: [String] = []
    let token = two.objects(Hound.self).sorted(byKeyPath: "age").observe { change in
      switch change {
      case .initial(let hounds): events.append("initial \(hounds.count)")
      case .update(_, let deletions, let insertions, let modifications):
        events.append("\(deletions) \(insertions) \(modifications)")
      case .error(let error): events.append("\(error)")
      }
    }
    two.refresh()
    try one.write {
      let kennel = one.create(Kennel.self, value: ["name": "North"])
      for (name, age) in [("Max", 3), ("Wolf", 7)] {
        kennel.dogs.append(one.create(Hound.self, value: ["name": name, "age": age]))
      }
    }
    try Self.follow(one, by: two)
    let kennel = try #require(two.object(ofType: Kennel.self, forPrimaryKey: "North"))
    #expect(kennel.dogs.map(\.name) == ["Max", "Wolf"])
    #expect(kennel.dogs[0].kennels.map(\.name) == ["North"])
    // The other machine writes, too, and the observer receives its own commit.
    try two.write { kennel.dogs[0].age = 9 }
    two.refresh()
    try Self.follow(two, by: one)
    #expect(one.objects(Hound.self).filter("name == 'Max'").first?.age == 9)
    try one.write { one.delete(one.objects(Hound.self).filter("age == 7").first!) }
    try Self.follow(one, by: two)
    #expect(kennel.dogs.map(\.name) == ["Max"])
    #expect(events == ["initial 0", "[] [0, 1] []", "[0] [1] []", "[0] [] []"])
    token.invalidate()
    one.close()
    two.close()
    withExtendedLifetime(servers) {}
  }

  struct Late: Error {}

  private static func follow(_ one: Store, by two: Store) throws {
    for _ in 0..<3000 {
      two.refresh()
      if two.version >= one.version { return }
      usleep(10_000)
    }
    throw Late()
  }
}
