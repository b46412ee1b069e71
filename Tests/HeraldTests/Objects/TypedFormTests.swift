import Herald
import TestSupport
import Testing

private class Vessel: Object { @Persisted var name = "" }

private final class Yacht: Vessel {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var small: Int8 = 0
  @Persisted var mates: Map<String, Yacht?>
  @Persisted var ports: List<String>
}

/// Forms of the interface that other tests have no use for.
@Suite(.serialized) @MainActor struct TypedFormTests {
  private func fleet() throws -> (Store, Yacht) {
    let store = try Store()
    let yacht = try store.write {
      store.create(Vessel.self, value: ["name": "Raft"])
      return store.create(Yacht.self, value: ["id": 1, "name": "Ann", "small": 100])
    }
    return (store, yacht)
  }

  @Test func `objects of a class are without those of its subclasses, which have its properties`()
    throws
  {
    let (store, yacht) = try fleet()
    #expect(store.objects(Vessel.self).map(\.name) == ["Raft"])
    #expect(store.objects(Yacht.self).where { $0.name == "Ann" && $0.small == 100 }.first == yacht)
  }

  @Test func `two instances of one object are equal and hash alike`() throws {
    let (store, yacht) = try fleet()
    let same = try #require(store.objects(Yacht.self).first)
    #expect(same !== yacht && same == yacht && Set([same, yacht]).count == 1)
  }

  @Test func `a number out of the range of its property is an error`() throws {
    let (store, yacht) = try fleet()
    #expect(throws: HeraldError.self) {
      try store.write { _ = store.create(Yacht.self, value: ["id": 2, "small": 300]) }
    }
    #expect(store.objects(Yacht.self).count == 1 && yacht.small == 100)
  }

  @Test func `a map of links holds nil, and its observer receives keys`() throws {
    let (store, yacht) = try fleet()
    try store.write {
      yacht.mates["a"] = yacht
      yacht.mates["b"] = .some(nil)
    }
    #expect(yacht.mates.count == 2 && yacht.mates["a"] == .some(yacht))
    #expect(yacht.mates["b"] == .some(nil) && yacht.mates["c"] == nil)
    var deleted: [String] = []
    let token = yacht.mates.observe { deleted += $0.deletedKeys }
    store.refresh()
    try store.write { yacht.mates["b"] = nil }
    store.refresh()
    #expect(deleted == ["b"] && yacht.mates.keys == ["a"])
    token.invalidate()
  }

  @Test func `elements of a list that match a condition are removed, and all are`() throws {
    let (store, yacht) = try fleet()
    try store.write {
      yacht.ports.append(objectsIn: ["x", "y", "xx"])
      yacht.ports.removeAll { $0.hasPrefix("x") }
    }
    #expect(Array(yacht.ports) == ["y"])
    try store.write { yacht.ports.removeAll() }
    #expect(yacht.ports.isEmpty)
  }

  @Test func `a store without autorefresh stays where it is until refresh`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/fleet.hdb"
    let store = try Store(path: path, objectTypes: [Vessel.self])
    store.autorefresh = false
    var received: [Store.Notification] = []
    let token = store.observe { notification, _ in received.append(notification) }
    let other = try Store(path: path)
    try other.write { other.create(Vessel.self) }
    while received.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    #expect(received == [.refreshRequired] && store.objects(Vessel.self).isEmpty)
    #expect(store.refresh() && store.objects(Vessel.self).count == 1)
    #expect(received.last == .didChange)
    token.invalidate()
  }
}
