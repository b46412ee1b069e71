import HeraldEngine
import Synchronization
import TestSupport
import Testing

@testable import Herald
@testable import HeraldReplication

/// The sizes of the messages that commits are sent as, beside those of their entries in the local log.
@Suite struct MessageSizeTests {
  /// A message is at most so much longer than the local record, with the new values, which a record does not have.
  private static let limit = 1.3
  @Test
  func `a message is at most 1.3 times the local record and the new values`() throws {
    try withFolder { folder in
      let store = try DynamicStore(path: folder + "/people.hdb")
      let recorder = CommitRecorder()
      try store.session.hub.begin(stream: "people@1", named: "people")
      #expect(store.session.hub.follow(with: recorder))
      try store.declare(Self.person)
      let people = try store.write { try (0..<20).map { try Self.add("Person \($0)", to: store) } }
      let (ann, bob) = (people[0], people[1])
      let map: Value = .map([
        "alpha": .int(1), "beta": .list([.int(1), .int(2), .int(3)]), "gamma": .string("text"),
      ])
      let cases: [(name: String, values: [Value], change: () throws -> Void)] = [
        ("an int of one object", [.int(31)], { try ann.set("age", to: .value(.int(31))) }),
        (
          "an int of two objects", [.int(32), .int(33)],
          {
            try ann.set("age", to: .value(.int(32)))
            try bob.set("age", to: .value(.int(33)))
          }
        ),
        (
          "a string", [.string("Annabel Lee")],
          { try ann.set("name", to: .value(.string("Annabel Lee"))) }
        ),
        ("a link", [.link(bob.id)], { try ann.set("friend", to: .value(.link(bob.id))) }),
        (
          "an indexed string", [.string("Gondor")],
          { try ann.set("city", to: .value(.string("Gondor"))) }
        ),
        (
          "an element appended to a list", [.string("brave")],
          { try ann.collection("tags").append([.string("brave")]) }
        ),
        ("a map assigned to an any", [map], { try ann.set("notes", to: .value(map)) }),
        ("an object deleted", [], { try store.delete(people[7]) }),
        (
          "an object inserted", Self.values("Someone New"),
          { _ = try Self.add("Someone New", to: store) }
        ),
        (
          "ten objects inserted", (0..<10).flatMap { Self.values("Another \($0)") },
          { for number in 0..<10 { _ = try Self.add("Another \(number)", to: store) } }
        ),
      ]
      for (name, values, change) in cases {
        try store.write { try change() }
        let message = try #require(recorder.messages.withLock { $0.last?.last }).count
        // Each record of the log has a key and a trailer.
        let logged = store.session.loggedSize(store.version) + 16
        let size = values.reduce(0) { $0 + Self.size(of: $1) }
        let ratio = Double(message) / Double(logged + size)
        #expect(
          ratio <= Self.limit,
          "\(name): \(message) bytes, log \(logged), values \(size)")
      }
      store.close()
    }
  }

  private static let person = ClassDefinition(
    name: "Person",
    properties: [
      .init(name: "name", element: .string), .init(name: "age", element: .int),
      .init(name: "city", element: .string, isIndexed: true),
      .init(name: "friend", element: .link("Person")),
      .init(name: "tags", element: .string, shape: .list), .init(name: "notes", element: .any),
    ])

  private static func add(_ name: String, to store: DynamicStore) throws -> ObjectHandle {
    try store.add(
      "Person",
      [
        ("name", .value(.string(name))), ("age", .value(.int(30))),
        ("city", .value(.string("Bree"))),
      ])
  }

  private static func values(_ name: String) -> [Value] {
    [.string(name), .int(30), .string("Bree")]
  }

  /// The size of a value, with a byte for its kind.
  private static func size(of value: Value) -> Int {
    switch value {
    case .string(let text): 2 + text.utf8.count
    case .list(let values): values.reduce(2) { $0 + size(of: $1) }
    case .map(let entries): entries.reduce(2) { $0 + 1 + $1.key.utf8.count + size(of: $1.value) }
    case _: 2
    }
  }
}
