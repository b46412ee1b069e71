import Herald

@testable import TestModel

extension ObservableKind {
  /// Two dogs: the first has a toy of its own and holds the second in every way there is.
  static func makeStore() throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Toy", isEmbedded: true, properties: [.init(name: "name", element: .string)]))
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "name", element: .string),
          .init(name: "age", element: .int, defaultValue: .value(.int(0))),
          .init(name: "toy", element: .link("Toy")),
          .init(name: "owner", element: .link("Dog")),
          .init(name: "pals", element: .link("Dog"), shape: .list),
          .init(name: "friends", element: .link("Dog"), shape: .set),
          .init(name: "mates", element: .link("Dog"), shape: .map),
          .init(name: "owned", element: .link("Dog"), shape: .backlinks("owner")),
          .init(name: "extra", element: .any),
        ]))
    try store.declare(
      ProjectionDefinition(
        name: "Card", className: "Dog",
        fields: [(name: "title", path: "name"), (name: "years", path: "age")]))
    try store.write {
      let toy = try store.addEmbeddedObject("Toy", [("name", .value(.string("Ball")))])
      let second = try store.add(
        "Dog", [("id", .value(.int(2))), ("name", .value(.string("Rex")))])
      let link = Value.link(second.id)
      let first = try store.add(
        "Dog",
        [
          ("id", .value(.int(1))), ("name", .value(.string("Max"))), ("toy", .value(.link(toy.id))),
          ("pals", .list([link])), ("friends", .list([link])), ("mates", .map(["a": link])),
          ("extra", .value(.list([.int(1), link]))),
        ])
      try second.set("owner", to: .value(.link(first.id)))
    }
    return store
  }

  static func dog(_ id: Int, _ store: DynamicStore) throws -> ObjectHandle {
    guard let dog = try store.object("Dog", key: .int(id)) else {
      throw HeraldError.objectDeleted("a dog")
    }
    return dog
  }

  static func toy(_ store: DynamicStore) throws -> ObjectHandle {
    guard case .link(let id) = try dog(1, store).value("toy"), let toy = store.object(id) else {
      throw HeraldError.objectDeleted("a toy")
    }
    return toy
  }

  /// What is delivered: both dogs and the toy have another name.
  static func rename(_ store: DynamicStore) throws {
    try store.write {
      for object in try [dog(1, store), dog(2, store), toy(store)] {
        try object.set("name", to: .value(.string("New")))
      }
    }
  }

  static let all: [ObservableKind] = [
    ObservableKind(
      "store", notifies: "changed",
      Faces(
        find: { $0 }, read: { try name(of: dog(1, $0)) },
        observe: { store, _, block in
          try store.observe { [weak store] change in if let store { try block(store, change) } }
        },
        observeOn: { store, recorder, _, block in try await store.observe(on: recorder, block) },
        changes: { store, _ in store.changes })),
    ObservableKind(
      "object", notifies: #"name "Max" -> "New""#, deafening: ["age"], object { try dog(1, $0) }),
    ObservableKind(
      "embedded object", notifies: #"name "Ball" -> "New""#, deafening: [], object(toy)),
    ObservableKind(
      "results", notifies: "modifications [0, 1]", after: "initial 2", deafening: ["age"],
      results { try $0.objects("Dog").where("id > 0 sort(id desc)") }),
    ObservableKind(
      "results of a list", notifies: "modifications [0]", after: "initial 1", deafening: ["age"],
      results { try dog(1, $0).collection("pals").where("id > 0") }),
    collection("pals", notifies: "modifications [0]", deafening: ["age"]),
    collection("friends", notifies: "modifications [0]", deafening: ["age"]),
    collection("mates", notifies: #"modifications ["a"]"#, deafening: ["age"]),
    collection("owned", notifies: "modifications [0]", deafening: ["age"]),
    ObservableKind(
      "list inside any", notifies: "modifications [1]", after: "initial 2", deafening: [],
      Faces(
        find: { try dog(1, $0).nested("extra") }, read: { try name(of: $0.values[1], $0.store) },
        observe: { try $0.observe(keyPaths: $1, $2) },
        observeOn: { try await $0.observe(on: $1, keyPaths: $2, $3) },
        changes: { try $0.changes(keyPaths: $1) })),
    ObservableKind(
      "projection", notifies: #"title "Max" -> "New""#, deafening: ["years"],
      Faces(
        find: { try $0.projection("Card", of: dog(1, $0)) },
        read: { try text($0.value("title")) },
        observe: { try $0.observe(keyPaths: $1, $2) },
        observeOn: { try await $0.observe(on: $1, keyPaths: $2, $3) },
        changes: { try $0.changes(keyPaths: $1) })),
    ObservableKind(
      "property", notifies: #"name "Max" -> "New""#,
      Faces(
        find: { try dog(1, $0) }, read: name,
        observe: { dog, _, block in
          try dog.observeProperty("name") { [weak store = dog.store, id = dog.id] event in
            if let dog = store?.object(id) { try block(dog, event) }
          }
        },
        observeOn: { dog, recorder, _, block in
          try await dog.observeProperty("name", on: recorder, block)
        },
        changes: { dog, _ in try dog.propertyChanges("name") })),
  ]

  private static func object(
    _ find: @escaping @Sendable (DynamicStore) throws -> ObjectHandle
  ) -> Faces<ObjectHandle, DynamicObjectChange> {
    Faces(
      find: find, read: name, observe: { try $0.observe(keyPaths: $1, $2) },
      observeOn: { try await $0.observe(on: $1, keyPaths: $2, $3) },
      changes: { try $0.changes(keyPaths: $1) })
  }

  private static func results(
    _ find: @escaping @Sendable (DynamicStore) throws -> DynamicResults
  ) -> Faces<DynamicResults, DynamicCollectionChange> {
    Faces(
      find: find, read: { try name(of: $0[$0.count - 1]) },
      observe: { try $0.observe(keyPaths: $1, $2) },
      observeOn: { try await $0.observe(on: $1, keyPaths: $2, $3) },
      changes: { try $0.changes(keyPaths: $1) })
  }

  private static func collection(
    _ property: String, notifies notified: String, deafening: [String]
  ) -> ObservableKind {
    let faces = Faces<LiveCollection, DynamicCollectionChange>(
      find: { try dog(1, $0).collection(property) }, read: { try name(of: $0.values[0], $0.store) },
      observe: { try $0.observe(keyPaths: $1, $2) },
      observeOn: { try await $0.observe(on: $1, keyPaths: $2, $3) },
      changes: { try $0.changes(keyPaths: $1) })
    return ObservableKind(
      property, notifies: notified, after: "initial 1", deafening: deafening, faces)
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { text } else { value.literal }
  }

  @Sendable private static func name(of object: ObjectHandle) throws -> String {
    try text(object.value("name"))
  }

  private static func name(of value: Value, _ store: DynamicStore) throws -> String {
    guard case .link(let id) = value, let object = store.object(id) else { return value.literal }
    return try name(of: object)
  }
}

extension DynamicResults {
  func `where`(_ predicate: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array("where \(predicate)".utf8), from: 0)
    return try store.results(of: self, tail, names: NoNames())
  }
}

extension LiveCollection {
  func `where`(_ predicate: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array("where \(predicate)".utf8), from: 0)
    return try store.results(of: self, tail, names: NoNames())
  }
}
