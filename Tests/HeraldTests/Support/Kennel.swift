import Herald
import Testing

@testable import TestModel

/// A store of dogs, people and triggers whose tokens write down what they receive, as the shell
/// prints it, one line an event.
///
///     class Dog { id: int primary; name: string; age: int = 0; toy: string?; owner: Person;
///                 siblings: list<Dog>; tags: list<string> }
///     class Person { id: int primary; name: string = ""; boss: Person; dogs: list<Dog> }
///     class Trigger { id: int primary; n: int = 0 }
final class Kennel {
  /// What tokens of every session of the store received.
  final class Journal {
    var lines: [String] = []
  }

  let store: DynamicStore
  let journal: Journal
  /// Keeps tokens alive by their names.
  var tokens: [String: ObservationToken] = [:]

  init(_ store: DynamicStore, _ journal: Journal = Journal()) {
    self.store = store
    self.journal = journal
  }

  static let definitions: [ClassDefinition] = [
    ClassDefinition(
      name: "Dog",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "name", element: .string, defaultValue: .value(.string(""))),
        .init(name: "age", element: .int, defaultValue: .value(.int(0))),
        .init(name: "toy", element: .string, isOptional: true),
        .init(name: "owner", element: .link("Person")),
        .init(name: "siblings", element: .link("Dog"), shape: .list),
        .init(name: "tags", element: .string, shape: .list),
      ]),
    ClassDefinition(
      name: "Person",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "name", element: .string, defaultValue: .value(.string(""))),
        .init(name: "boss", element: .link("Person")),
        .init(name: "dogs", element: .link("Dog"), shape: .list),
      ]),
    ClassDefinition(
      name: "Trigger",
      properties: [
        .init(name: "id", element: .int, isPrimaryKey: true),
        .init(name: "n", element: .int, defaultValue: .value(.int(0))),
      ]),
  ]

  /// Another session of the same store, that writes into the same journal.
  func another(named name: String = "bg") throws -> Kennel {
    Kennel(try store.newSession(named: name), journal)
  }

  /// What was delivered since the last call.
  func delivered() -> [String] {
    defer { journal.lines = [] }
    return journal.lines
  }

  /// Ends the turn and returns what was delivered.
  func turn() throws -> [String] {
    try store.endTurn()
    return delivered()
  }

  fileprivate func label(_ name: String) -> String {
    store.name == "main" ? name : "\(store.name)/\(name)"
  }
}

/// Runs a test on a kennel in memory with as many dogs, 1 upward, as are requested, and a trigger;
/// afterwards the whole store is checked.
func withKennel(dogs: Int = 0, _ body: (Kennel) throws -> Void) throws {
  let kennel = Kennel(try DynamicStore())
  for definition in Kennel.definitions { try kennel.store.declare(definition) }
  try kennel.write {
    for id in 0..<dogs { try kennel.addDog(id + 1) }
    _ = try kennel.store.add("Trigger", [("id", .value(.int(1)))])
  }
  try body(kennel)
  if !kennel.store.isClosed {
    #expect(kennel.store.check().isEmpty)
    kennel.store.close()
  }
}

// MARK: - Objects

extension Kennel {
  @discardableResult
  func write<R>(without names: [String] = [], _ body: () throws -> R) throws -> R {
    try store.write(without: names.compactMap { tokens[$0] }, body)
  }

  @discardableResult
  func addDog(_ id: Int, _ properties: [NamedContent] = []) throws -> ObjectHandle {
    try store.add("Dog", [("id", .value(.int(id)))] + properties)
  }

  @discardableResult
  func addPerson(_ id: Int, _ properties: [NamedContent] = []) throws -> ObjectHandle {
    try store.add("Person", [("id", .value(.int(id)))] + properties)
  }

  func dog(_ id: Int) throws -> ObjectHandle {
    try #require(try store.object("Dog", key: .int(id)))
  }

  func person(_ id: Int) throws -> ObjectHandle {
    try #require(try store.object("Person", key: .int(id)))
  }

  func trigger() throws -> ObjectHandle { try #require(try store.object("Trigger", key: .int(1))) }

  /// Sets the trigger, whose observers are to do something.
  func pull(_ n: Int) throws { try trigger().set("n", to: .value(.int(n))) }

  func link(_ id: Int) throws -> Value { .link(try dog(id).id) }

  func links(_ ids: [Int]) throws -> [Value] { try ids.map(link) }

  func dogs(_ query: String = "") throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array(query.utf8), from: 0)
    return try store.results("Dog", tail, names: NoNames())
  }
}

extension ObjectHandle {
  func set(_ property: String, _ value: Value) throws { try set(property, to: .value(value)) }
}

// MARK: - Tokens

extension Kennel {
  func observeStore(as name: String, _ then: @escaping () throws -> Void = {}) throws {
    tokens[name] = try store.observe { [journal, label = label(name)] change in
      switch change {
      case .changed: journal.lines.append("\(label): changed")
      case .refreshRequired: journal.lines.append("\(label): refresh required")
      case .error(let error): journal.lines.append("\(label): error \(error)")
      }
      try then()
    }
  }

  func observe(
    _ object: ObjectHandle, as name: String, keyPaths: [String]? = nil, isExclusive: Bool = false,
    _ then: @escaping () throws -> Void = {}
  ) throws {
    tokens[name] = try object.observe(keyPaths: keyPaths, isExclusive: isExclusive) {
      [journal, label = label(name)] _, change in
      journal.lines.append("\(label): \(change.line)")
      try then()
    }
  }

  func observe(
    _ results: DynamicResults, as name: String, keyPaths: [String]? = nil, depth: Int? = nil,
    _ then: @escaping () throws -> Void = {}
  ) throws {
    tokens[name] = try results.observe(keyPaths: keyPaths, depth: depth) {
      [journal, label = label(name)] _, change in
      journal.lines.append("\(label): \(change.line)")
      try then()
    }
  }

  func observe(
    _ list: LiveCollection, as name: String, keyPaths: [String]? = nil, depth: Int? = nil,
    _ then: @escaping () throws -> Void = {}
  ) throws {
    tokens[name] = try list.observe(keyPaths: keyPaths, depth: depth) {
      [journal, label = label(name)] _, change in
      journal.lines.append("\(label): \(change.line)")
      try then()
    }
  }
}

extension DynamicObjectChange {
  var line: String {
    switch self {
    case .deleted: "deleted"
    case .error(let error): "error \(error)"
    case .change(let properties):
      "change "
        + properties.map {
          $0.hasValues ? "\($0.name) \($0.old.literal) -> \($0.new.literal)" : $0.name
        }.joined(separator: ", ")
    }
  }
}

extension DynamicCollectionChange {
  var line: String {
    switch self {
    case .initial(let count): return "initial \(count)"
    case .update(let changes, let ownerDeleted):
      var words: [String] = []
      if !changes.deletions.isEmpty { words.append("deletions \(changes.deletions)") }
      if !changes.insertions.isEmpty { words.append("insertions \(changes.insertions)") }
      if !changes.modifications.isEmpty {
        let rows = zip(changes.modifications, changes.modificationsNew).map { old, new in
          old == new ? "\(old)" : "\(old)->\(new)"
        }
        words.append("modifications [\(rows.joined(separator: ", "))]")
      }
      if !changes.moves.isEmpty {
        let moves = changes.moves.map { "\($0.old)->\($0.new)" }
        words.append("moves [\(moves.joined(separator: ", "))]")
      }
      if ownerDeleted { words.append("owner deleted") }
      return words.joined(separator: " ")
    case .mapUpdate(let changes, let ownerDeleted):
      let words = [
        ("deletions", changes.deletions), ("insertions", changes.insertions),
        ("modifications", changes.modifications),
      ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }
      return (words + (ownerDeleted ? ["owner deleted"] : [])).joined(separator: " ")
    case .error(let error): return "error \(error)"
    }
  }
}
