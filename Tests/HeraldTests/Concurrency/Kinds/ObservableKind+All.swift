import Herald
import Testing

extension ObservableKind {
  /// Two dogs: the first has a toy of its own and holds the second in every way there is.
  static func makeStore(_ path: String? = nil) throws -> Store {
    let types = [KindDog.self]
    let store =
      try path.map { try Store(path: $0, objectTypes: types) } ?? Store(objectTypes: types)
    try store.write {
      let second = store.create(KindDog.self, value: ["id": 2, "name": "Rex"])
      let first = store.create(
        KindDog.self,
        value: [
          "id": 1, "name": "Max", "toy": ["name": "Ball"], "pals": [second], "friends": [second],
          "mates": ["a": second],
        ])
      second.owner = first
    }
    return store
  }

  static func dog(_ id: Int, _ store: Store) throws -> KindDog {
    try #require(store.object(ofType: KindDog.self, forPrimaryKey: id))
  }

  /// What is delivered: both dogs and the toy have another name.
  static func rename(_ store: Store) throws {
    try store.write {
      for dog in store.objects(KindDog.self) {
        dog.name = "New"
        dog.toy?.name = "New"
      }
    }
  }

  static var all: [ObservableKind] {
    [
      ObservableKind(
        "object", notifies: "name Max -> New", deafening: ["age"], object { try dog(1, $0) }),
      ObservableKind(
        "object by name", notifies: "name Max -> New", deafening: ["age"],
        object { try #require($0.dynamic.object("KindDog", forKey: 1)) }),
      ObservableKind(
        "embedded object", notifies: "name Ball -> New",
        object { try #require(dog(1, $0).toy) }),
      rows("results", notifies: "modifications [0, 1]", of: 2) {
        $0.objects(KindDog.self).filter("id > 0").sorted(byKeyPath: "id", ascending: false)
      },
      rows("results by name", notifies: "modifications [0, 1]", of: 2) {
        $0.dynamic.objects("KindDog").filter("id > 0").sorted(byKeyPath: "id", ascending: false)
      },
      rows("results of a list") { try dog(1, $0).pals.filter("id > 0") },
      rows("list") { try dog(1, $0).pals },
      rows("set") { try dog(1, $0).friends },
      rows("backlinks") { try dog(1, $0).owned },
      rows("list by name") {
        let dog = $0.dynamic.object("KindDog", forKey: 1)
        return try #require(dog?["pals"] as? List<DynamicObject>)
      },
      map,
      projection,
    ]
  }

  private static func name(_ object: some ObjectBase) -> String { object["name"] as? String ?? "" }

  private static func object<Thing: ObjectBase & ResultElement>(
    _ find: @escaping (Store) throws -> Thing
  ) -> Faces<Thing, ObjectChange<Thing>> {
    Faces(
      find: find, read: name, received: { received($0) { $0.store } },
      observe: { $0.observe(keyPaths: $1, $2) },
      observeOn: { await $0.observe(keyPaths: $2, on: $1, $3) },
      changes: { $0.changes(keyPaths: $1) })
  }

  private static var projection: ObservableKind {
    ObservableKind(
      "projection", notifies: "title Max -> New", deafening: ["years"],
      Faces<KindCard, ObjectChange<KindCard>>(
        find: {
          try #require($0.objects(KindCard.self).first { $0.title == "Max" || $0.title == "New" })
        },
        read: \.title, received: { received($0) { $0.store } },
        observe: { $0.observe(keyPaths: $1, $2) },
        observeOn: { await $0.observe(keyPaths: $2, on: $1, $3) },
        changes: { $0.changes(keyPaths: $1) }))
  }

  private nonisolated static func received<Thing>(
    _ change: ObjectChange<Thing>, in store: (Thing) -> Store?
  ) -> Received {
    switch change {
    case .change(let thing, let properties):
      let texts = properties.map { "\($0.name) \($0.oldValue ?? "") -> \($0.newValue ?? "")" }
      return Received(texts.joined(), store(thing))
    case .deleted: return Received("deleted", nil)
    case .error(let error): return Received("error \(error)", nil)
    }
  }

  private static func rows<Rows: StoredCollection>(
    _ name: String, notifies notified: String = "modifications [0]", of count: Int = 1,
    _ find: @escaping (Store) throws -> Rows
  ) -> ObservableKind where Rows.Element: ObjectBase {
    ObservableKind(
      name, notifies: notified, after: "initial \(count)", deafening: ["age"],
      Faces<Rows, CollectionChange<Rows>>(
        find: find, read: { $0.first.map { self.name($0) } ?? "" },
        received: { change in
          switch change {
          case .initial(let rows): Received("initial \(rows.count)", rows.store)
          case .update(let rows, let deletions, _, _) where !deletions.isEmpty:
            Received("deletions \(deletions)", rows.store)
          case .update(let rows, _, _, let modifications):
            Received("modifications \(modifications)", rows.store)
          case .error(let error): Received("error \(error)", nil)
          }
        },
        observe: { $0.observe(keyPaths: $1, $2) },
        observeOn: { await $0.observe(keyPaths: $2, on: $1, $3) },
        changes: { $0.changes(keyPaths: $1) }))
  }

  private static var map: ObservableKind {
    typealias Mates = Map<String, KindDog?>
    return ObservableKind(
      "map", notifies: #"modifications ["a"]"#, after: "initial 1", deafening: ["age"],
      Faces<Mates, MapChange<String, KindDog?>>(
        find: { try dog(1, $0).mates }, read: { ($0["a"] ?? nil).map { name($0) } ?? "" },
        received: { change in
          switch change {
          case .initial(let map): Received("initial \(map.count)", map.store)
          case .update(let map, let deletions, _, _) where !deletions.isEmpty:
            Received("deletions \(deletions)", map.store)
          case .update(let map, _, _, let modifications):
            Received("modifications \(modifications)", map.store)
          case .error(let error): Received("error \(error)", nil)
          }
        },
        observe: { $0.observe(keyPaths: $1, $2) },
        observeOn: { await $0.observe(keyPaths: $2, on: $1, $3) },
        changes: { $0.changes(keyPaths: $1) }))
  }
}
