import Dispatch
import Herald
import Synchronization
import Testing

private final class Kite: Object {
  @Persisted var name = ""
  @Persisted var length: Int?
  @Persisted var tails: List<String>
  @Persisted var colors: MutableSet<String>
  @Persisted var cords: Map<String, Int>
}

private final class KiteCard: Projection<Kite> { @Projected(\Kite.name) var name }

private actor Sky {}

private final class Texts: Sendable {
  private let texts = Mutex<[String]>([])
  func note(_ name: String, _ error: (any Error)?) {
    texts.withLock { $0.append("\(name): \(error.map { "\($0)" } ?? "no error")") }
  }
  var sorted: [String] { texts.withLock { $0.sorted() } }
}

@Suite(.serialized) @MainActor struct FrozenObservingTests {
  private let texts = Texts()

  private func collection<C>(_ name: String) -> @Sendable (CollectionChange<C>) -> Void {
    { [texts] change in if case .error(let error) = change { texts.note(name, error) } }
  }

  private func object<O>(_ name: String) -> @Sendable (ObjectChange<O>) -> Void {
    { [texts] change in if case .error(let error) = change { texts.note(name, error) } }
  }

  private func map(_ name: String) -> @Sendable (MapChange<String, Int>) -> Void {
    { [texts] change in if case .error(let error) = change { texts.note(name, error) } }
  }

  @Test func `each observer of what is frozen receives an error, once, at the live store's turn`()
    async throws
  {
    let store = try Store()
    let live = try store.write { store.create(Kite.self) }
    let (kite, frozen) = (live.freeze(), store.freeze())
    let kites = frozen.objects(Kite.self)
    let cards = frozen.objects(KiteCard.self)
    let queue = DispatchQueue(label: "sky")
    let sky = Sky()
    var tokens = [
      kite.observe(object("object")), kite.observe(keyPaths: [\.name], object("key path")),
      kite.observe(\.name) { [texts] in texts.note("property", $0.error) },
      kite.observe(\.length) { [texts] in texts.note("optional", $0.error) },
      kite.tails.observe(collection("list")), kite.colors.observe(collection("set")),
      kite.cords.observe(map("map")), kites.observe(collection("results")),
      cards.observe(collection("projections")),
      try #require(cards.first).observe(object("projection")),
      frozen.observe { [texts] notification, _ in
        if case .error(let error) = notification { texts.note("store", error) }
      },
    ]
    #expect(texts.sorted.isEmpty)
    store.refresh()
    store.refresh()
    let names = [
      "key path", "list", "map", "object", "optional", "projection", "projections", "property",
      "results", "set", "store",
    ]
    #expect(texts.sorted == names.map { "\($0): what is frozen cannot be observed" })
    tokens += [
      kite.observe(on: queue, object("queue object")),
      kites.observe(on: queue, collection("queue results")),
      kite.cords.observe(on: queue, map("queue map")),
      try #require(cards.first).observe(on: queue, object("queue projection")),
      await kites.observe(on: sky) { [texts] _, change in
        if case .error(let error) = change { texts.note("actor", error) }
      },
    ]
    queue.sync {}
    let all = names + ["actor", "queue map", "queue object", "queue projection", "queue results"]
    #expect(texts.sorted == all.sorted().map { "\($0): what is frozen cannot be observed" })
    #expect(Set(tokens).count == all.count)
    for token in tokens { token.invalidate() }
  }

  @Test func `an observer of a store receives an error when the store is closed`() throws {
    let store = try Store()
    let token = store.observe { [texts] notification, _ in
      if case .error(let error) = notification { texts.note("store", error) }
    }
    store.close()
    #expect(texts.sorted == ["store: the store is closed"])
    token.invalidate()
  }
}
