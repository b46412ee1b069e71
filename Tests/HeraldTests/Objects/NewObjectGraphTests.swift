import Herald
import TestSupport
import Testing

/// Objects that are in no store yet and link to each other are added together, in circles too.
@Suite struct NewObjectGraphTests {
  private func store() throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Node",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "next", element: .link("Node")),
          .init(name: "all", element: .link("Node"), shape: .list),
          .init(name: "named", element: .link("Node"), shape: .map),
          .init(name: "extra", element: .any),
        ]))
    return store
  }

  private func nodes(_ count: Int, in store: DynamicStore) throws -> [NewObject] {
    try (0..<count).map { try NewObject("Node", [("id", .value(.int($0)))], in: store) }
  }

  /// What the nodes of a graph link to, by their ids.
  private struct Links: Equatable {
    var next: Int?
    var all: [Int] = []
    var named: [String: Int] = [:]
    var extra: [Int] = []

    var targets: [Int] { [next].compactMap(\.self) + all + named.values + extra }
  }

  private func random(_ count: Int, _ random: inout SplitMix64) -> Links {
    func some(_ random: inout SplitMix64) -> [Int] {
      (0..<random.below(3)).map { _ in random.below(count) }
    }
    let keys = some(&random).map { "k\($0)" }
    return Links(
      next: random.chance(60) ? random.below(count) : nil, all: some(&random),
      named: Dictionary(keys.map { ($0, random.below(count)) }) { _, last in last },
      extra: some(&random))
  }

  private func reached(_ links: [Links], from root: Int) -> Set<Int> {
    var (reached, waiting): (Set<Int>, [Int]) = ([root], [root])
    while let node = waiting.popLast() {
      for target in links[node].targets where reached.insert(target).inserted {
        waiting.append(target)
      }
    }
    return reached
  }

  private func links(of node: ObjectHandle) throws -> Links {
    let store = node.store
    func id(_ value: Value) throws -> Int? {
      guard case .link(let link) = value, case .int(let id)? = try store.object(link)?.value("id")
      else { return nil }
      return id
    }
    let named = try node.collection("named")
    var links = Links(next: try id(try node.value("next")))
    links.all = try node.collection("all").values.compactMap(id)
    for key in named.keys { links.named[key] = try named.value(forKey: key).flatMap(id) }
    if case .list(let values) = try node.value("extra") { links.extra = try values.compactMap(id) }
    return links
  }

  @Test(arguments: seeds(60))
  func `a graph becomes what it was made of, and nothing else is added`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store()
    let count = 1 + random.below(12)
    let nodes = try nodes(count, in: store)
    let links = (0..<count).map { _ in self.random(count, &random) }
    for (node, links) in zip(nodes, links) {
      if let next = links.next { try node.set("next", to: .value(nodes[next].link)) }
      try node.collection("all")?.append(links.all.map { nodes[$0].link })
      for (key, target) in links.named {
        try node.collection("named")?.set(key, to: nodes[target].link)
      }
      try node.set("extra", to: .value(.list(links.extra.map { nodes[$0].link })))
    }
    let root = random.below(count)
    try store.beginWrite()
    _ = try store.add(nodes[root])
    // What was rolled back can be added again.
    if random.chance(50) {
      try store.rollbackWrite()
      #expect(try store.objects("Node").count == 0)
      try store.beginWrite()
      _ = try store.add(nodes[root])
    }
    try store.commitWrite()
    let reached = reached(links, from: root)
    #expect(try store.objects("Node").count == reached.count)
    for id in reached {
      let node = try #require(try store.object("Node", key: .int(id)))
      #expect(try self.links(of: node) == links[id])
      #expect(nodes[id].link == .link(node.id))
    }
    #expect(store.check().isEmpty)
  }

  @Test func `an object that cannot be added makes the whole addition fail`() throws {
    let store = try store()
    let nodes = try nodes(3, in: store)
    let twin = try NewObject("Node", [("id", .value(.int(0)))], in: store)
    for (node, next) in zip(nodes, nodes.dropFirst() + [twin]) {
      try node.set("next", to: .value(next.link))
    }
    try twin.set("next", to: .value(nodes[0].link))
    try store.beginWrite()
    #expect(throws: HeraldError.duplicateKey("0", className: "Node", property: "id")) {
      try store.add(nodes[0])
    }
    #expect(try store.objects("Node").count == 0)
    try nodes[2].set("next", to: .value(.null))
    _ = try store.add(nodes[0])
    try store.commitWrite()
    #expect(try store.objects("Node").count == 3)
  }

  @Test func `a link to a new object can only be held by new objects`() throws {
    let store = try store()
    let nodes = try nodes(2, in: store)
    let other = try store.newSession()
    let stranger = try NewObject("Node", [("id", .value(.int(9)))], in: other)
    #expect(throws: HeraldError.wrongSession) {
      try nodes[0].set("next", to: .value(stranger.link))
    }
    try store.write {
      let stored = try store.add("Node", [("id", .value(.int(7)))])
      #expect(throws: HeraldError.objectNotAdded("of class Node")) {
        try stored.set([("next", .value(nodes[1].link))])
      }
    }
  }

  @Test(arguments: [true, false]) func `a long chain is added and released`(isAdded: Bool) throws {
    let store = try store()
    let count = 60_000
    var last = try NewObject("Node", [("id", .value(.int(0)))], in: store)
    for id in 1..<count {
      last = try NewObject(
        "Node", [("id", .value(.int(id))), ("next", .value(last.link))], in: store)
    }
    guard isAdded else { return }
    try store.write { _ = try store.add(last) }
    #expect(try store.objects("Node").count == count)
  }
}
