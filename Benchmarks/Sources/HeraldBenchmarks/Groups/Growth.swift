import Herald

/// One kind of view, and a change of one object among its rows.
private struct ViewKind: Sendable {
  let name: String
  /// The objects beside the dogs.
  var layout = Layout.dogs
  var query = ""
  var keyPaths: [String]?
  var change = Change.weight
  /// Whether each change calls the block.
  var notifiesAlways = true

  enum Layout {
    case dogs
    /// A person for each dog, who links to it.
    case people
    /// One pack that holds every dog in a collection of this name.
    case pack(String)
    /// One pack that every dog links to.
    case members
  }

  enum Change {
    case weight
    /// A weight below all others.
    case smallest
    case breed
  }
}

/// The same change of one object for every kind of view, at every size: from the call of `write` to
/// the end of the turn, when the block has returned.
extension HeraldBenchmarks {
  private static let kinds = [
    ViewKind(name: "unsorted"),
    ViewKind(name: "filtered", query: "where age > 0"),
    ViewKind(name: "sorted", query: "sort(weight)"),
    ViewKind(name: "through a link", layout: .people, query: "where dog.weight >= 0"),
    ViewKind(
      name: "distinct", query: "distinct(breed)", change: .breed, notifiesAlways: false),
    ViewKind(name: "limited", query: "sort(weight) limit(100)", change: .smallest),
    ViewKind(name: "list", layout: .pack("list")),
    ViewKind(name: "set", layout: .pack("set")),
    ViewKind(name: "map", layout: .pack("map")),
    ViewKind(name: "list of any", layout: .pack("mixed")),
    ViewKind(name: "filtered list", layout: .pack("list"), query: "where age > 0"),
    ViewKind(name: "backlinks", layout: .members),
    ViewKind(name: "deep", layout: .people),
    ViewKind(name: "key paths", layout: .people, keyPaths: ["dog.weight"]),
  ]

  static func growth() -> [Benchmark] {
    kinds.map { kind in
      Benchmark(
        name: "growth: \(kind.name)", sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .none,
        target: .atMost(50e-6), growthLimit: 3, canGrow: true
      ) { size, effort in try latency(kind, size, effort) }
    } + [
      Benchmark(
        name: "growth: dogs.name of 10,000 persons with 10 dogs each", sizes: [10_000],
        unit: .none, target: .atMost(30e-6), measure: namesOfDogs)
    ]
  }

  private static func latency(
    _ kind: ViewKind, _ size: Int, _ effort: Effort
  ) throws -> Samples {
    let kennel = try Kennel(size)
    let recorder = ChangeRecorder<DynamicCollectionChange>()
    try observe(kind, kennel, recorder)
    defer { recorder.stop() }
    var litter = Litter(seed: 2)
    return try effort.samples(1_000) { iteration in
      let dog = try kennel.dog(at: Int.random(in: 0..<size, using: &litter.random))
      let (name, content) = litter.content(kind.change, iteration)
      let calls = recorder.calls
      let time = try seconds {
        try kennel.store.write { try dog.set(name, to: content) }
        try kennel.store.endTurn()
      }
      let called = recorder.calls - calls
      try require(
        kind.notifiesAlways ? called == 1 : called <= 1, "the block was called \(called) times")
      return time
    }
  }

  private static func observe(
    _ kind: ViewKind, _ kennel: Kennel, _ recorder: ChangeRecorder<DynamicCollectionChange>
  ) throws {
    let store = kennel.store
    switch kind.layout {
    case .dogs:
      let results = try store.results(Kennel.className, kind.query)
      recorder.hold(
        try results.observe(keyPaths: kind.keyPaths) { _, change in recorder.record(change) })
    case .people:
      try store.declare(
        ClassDefinition(
          name: "Person",
          properties: [.init(name: "dog", element: .link(Kennel.className), isOptional: true)]))
      try store.writeEach(kennel.count) { index in
        _ = try store.add("Person", [("dog", .value(kennel.link(at: index)))])
      }
      let results = try store.results("Person", kind.query)
      recorder.hold(
        try results.observe(keyPaths: kind.keyPaths) { _, change in recorder.record(change) })
    case .pack(let name):
      let collection = try pack(kennel).collection(name)
      if kind.query.isEmpty {
        recorder.hold(try collection.observe { _, change in recorder.record(change) })
      } else {
        let results = try store.results(of: collection, kind.query)
        recorder.hold(try results.observe { _, change in recorder.record(change) })
      }
    case .members:
      let members = try membership(kennel).collection("members")
      recorder.hold(try members.observe { _, change in recorder.record(change) })
    }
    try store.endTurn()
    try require(recorder.calls == 1, "no initial was delivered")
  }

  /// Creates an object with every dog in its collections.
  private static func pack(_ kennel: Kennel) throws -> ObjectHandle {
    try kennel.store.declare(
      ClassDefinition(
        name: "Pack",
        properties: [
          .init(name: "list", element: .link(Kennel.className), shape: .list),
          .init(name: "set", element: .link(Kennel.className), shape: .set),
          .init(name: "map", element: .link(Kennel.className), shape: .map, isOptional: true),
          .init(name: "mixed", element: .any, shape: .list),
        ]))
    let pack = try kennel.store.write { try kennel.store.add("Pack", []) }
    let (set, map) = (try pack.collection("set"), try pack.collection("map"))
    for name in ["list", "mixed"] {
      let list = try pack.collection(name)
      var links: [Value] = []
      try kennel.store.writeEach(kennel.count) { index in
        links.append(kennel.link(at: index))
        guard links.count == 1_000_000 || index == kennel.count - 1 else { return }
        try list.append(links)
        links.removeAll()
      }
    }
    try kennel.store.writeEach(kennel.count) { try set.insert(kennel.link(at: $0)) }
    try kennel.store.writeEach(kennel.count) { index in
      try map.set("dog \(index)", to: kennel.link(at: index))
    }
    return pack
  }

  /// Creates an object with backlinks from one member object per dog.
  private static func membership(_ kennel: Kennel) throws -> ObjectHandle {
    let store = kennel.store
    try store.declare(
      ClassDefinition(
        name: "Pack",
        properties: [
          .init(name: "members", element: .link("Member"), shape: .backlinks("pack"))
        ]))
    try store.declare(
      ClassDefinition(
        name: "Member",
        properties: [
          .init(name: "pack", element: .link("Pack"), isOptional: true),
          .init(name: "dog", element: .link(Kennel.className), isOptional: true),
        ]))
    let pack = try store.write { try store.add("Pack", []) }
    try store.writeEach(kennel.count) { index in
      _ = try store.add(
        "Member", [("pack", .value(.link(pack.id))), ("dog", .value(kennel.link(at: index)))])
    }
    return pack
  }

  /// Changes dogs' names, observed through the lists of their owners.
  private static func namesOfDogs(_ size: Int, _ effort: Effort) throws -> Samples {
    let kennel = try Kennel(size * 10)
    let store = kennel.store
    try store.declare(
      ClassDefinition(
        name: "Person",
        properties: [.init(name: "dogs", element: .link(Kennel.className), shape: .list)]))
    try store.write {
      for index in 0..<size {
        let dogs = kennel.dogs[index * 10..<index * 10 + 10].map { Value.link($0.id) }
        _ = try store.add("Person", [("dogs", .list(dogs))])
      }
    }
    let recorder = ChangeRecorder<DynamicCollectionChange>()
    let token = try store.objects("Person").observe(keyPaths: ["dogs.name"]) { _, change in
      recorder.record(change)
    }
    recorder.hold(token)
    defer { recorder.stop() }
    try store.endTurn()
    var random = SplitMix64(seed: 2)
    return try effort.samples(1_000) { iteration in
      let dog = kennel.dogs[Int.random(in: 0..<kennel.dogs.count, using: &random)]
      let calls = recorder.calls
      let time = try seconds {
        try store.write { try dog.set("name", to: .value(.string("Renamed \(iteration)"))) }
        try store.endTurn()
      }
      try require(recorder.calls == calls + 1, "the block was not called once")
      return time
    }
  }
}

extension Litter {
  fileprivate mutating func content(
    _ change: ViewKind.Change, _ iteration: Int
  ) -> NamedContent {
    switch change {
    case .weight: return ("weight", weight())
    case .smallest: return ("weight", .value(.double(-Double(iteration + 1))))
    case .breed:
      let breed = Kennel.breeds[Int(random.next() % UInt64(Kennel.breeds.count))]
      return ("breed", .value(.string(breed)))
    }
  }
}
