import Foundation
import Herald
import Testing

private final class Ferry: Object {
  @Persisted var name = ""
  @Persisted var tons = 0
  @Persisted var built: Date?
  @Persisted var next: Ferry?
  @Persisted var ports: List<String>
  @Persisted var crews: List<Ferry>
  @Persisted var code: ObjectId
  @Persisted var price: Decimal128
  var nextName: String? { next?.name }
}

private enum Elsewhere {
  final class Ferry: Object { @Persisted var name = "" }
}

private struct Load: Encodable {
  var tons: UInt64
}

private struct Voyage: Decodable, Sendable {
  var name: String
  var next: Next?

  final class Next: Decodable, Sendable {
    let next: Next?
  }
}

private struct Plate: Codable, Hashable {
  var code: ObjectId
  var price: Decimal128
}

/// Every mistake is an error that says so.
@Suite(.serialized) @MainActor struct TypedErrorTests {
  private func harbour() throws -> (Store, Ferry) {
    let store = try Store()
    let ferry = Ferry()
    ferry.name = "Ann"
    try store.write { store.add(ferry) }
    return (store, ferry)
  }

  private func text(_ body: () throws -> Void) -> String {
    do {
      try body()
    } catch {
      return "\(error)"
    }
    return "no error"
  }

  @Test func `a property that follows a link by itself is not the link's property`() throws {
    let (store, ferry) = try harbour()
    var error: (any Error)?
    let token = store.objects(Ferry.self).observe(keyPaths: [\.nextName]) {
      if case .error(let found) = $0 { error = found }
    }
    let followed = store.objects(Ferry.self).observe(keyPaths: [\.next?.name]) {
      if case .error(let found) = $0 { Issue.record(found) }
    }
    store.refresh()
    #expect("\(try #require(error))".contains("is no @Persisted property"))
    #expect(store.objects(Ferry.self).where { $0.next.name == "Bob" }.isEmpty)
    withExtendedLifetime((token, followed, ferry)) {}
  }

  @Test func `records with integers that are too large, and objects in a cycle, are errors`() throws
  {
    let (store, ferry) = try harbour()
    try store.write { store.create(Ferry.self, value: Load(tons: 7)) }
    #expect(store.objects(Ferry.self).values(\.tons) == [0, 7])
    #expect(
      text { try store.write { store.create(Ferry.self, value: Load(tons: .max)) } }
        .contains("is no Int"))
    try store.write { ferry.next = ferry }
    #expect(throws: DecodingError.self) { try ferry.decoded(as: Voyage.self) }
    let plate = Plate(code: ferry.code, price: Decimal128(3))
    #expect(try ferry.decoded(as: Plate.self).code == ferry.code)
    #expect(
      try JSONDecoder().decode(Plate.self, from: JSONEncoder().encode(plate)) == plate)
    #expect(throws: ValueError.self) { try ObjectId(string: "x") }
  }

  @Test
  func `a write fails with a date that no store can hold, and with an update of what has no key`()
    throws
  {
    let (store, ferry) = try harbour()
    #expect(
      text { try store.write { ferry.built = Date(timeIntervalSince1970: .infinity) } }
        .contains("is no date that a store can hold"))
    #expect(throws: HeraldError.noPrimaryKey(className: "Ferry")) {
      try store.write { store.create(Ferry.self, value: ["name": "x"], update: .modified) }
    }
    #expect(throws: HeraldError.noPrimaryKey(className: "Ferry")) {
      try store.write { store.add(Ferry(), update: .all) }
    }
    #expect(store.objects(Ferry.self).count == 1)
    #expect(
      text { try store.write { store.create(Ferry.self, value: ["tons": "many"]) } }
        == "property 'tons' of class 'Ferry' is Int and cannot hold many")
  }

  @Test func `two classes of one name cannot be opened together`() {
    #expect(throws: SchemaError.self) {
      try Store(objectTypes: [Ferry.self, Elsewhere.Ferry.self])
    }
  }

  @Test func `a token that has ended, or of another session, silences nothing`() async throws {
    let (store, ferry) = try harbour()
    let ended = ferry.observe { _ in }
    ended.invalidate()
    #expect(throws: HeraldError.self) { try store.write(withoutNotifying: [ended]) {} }
    let elsewhere = store.objects(Ferry.self).observe(on: .global()) { _ in }
    #expect(throws: HeraldError.self) { try store.write(withoutNotifying: [elsewhere]) {} }
    elsewhere.invalidate()
    let other = try Store()
    let foreign = other.observe { _, _ in }
    #expect(throws: HeraldError.self) { try store.write(withoutNotifying: [foreign]) {} }
    foreign.invalidate()
  }

  @Test func `closing a store is the last thing that its observers receive`() throws {
    let (store, ferry) = try harbour()
    var received: [String] = []
    let tokens = [
      store.objects(Ferry.self).observe { received.append("results \($0.isError)") },
      ferry.observe { if case .error = $0 { received.append("object") } },
      ferry.observe(\.tons) { received.append("property \($0.error != nil)") },
      ferry.observe(\.isInvalidated) { received.append("end \($0.isInvalidated)") },
    ]
    store.refresh()
    store.close()
    #expect(
      received.sorted() == [
        "end true", "object", "property true", "results false", "results true",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func `the deletion of an object, and the rows of a list, are observed as properties`()
    throws
  {
    let (store, ferry) = try harbour()
    var received: [String] = []
    let tokens = [
      ferry.observe(\.isInvalidated) { received.append("invalidated \($0.isInvalidated)") },
      ferry.observe(\.ports) { change in
        if let kind = change.kind { received.append("\(kind) \(change.rows)") }
      },
    ]
    try store.write { ferry.ports.append(contentsOf: ["a", "b", "c"]) }
    try store.write { ferry.ports.remove(at: 1) }
    try store.write { store.delete(ferry) }
    store.refresh()
    #expect(received == ["insertion [0, 1, 2]", "removal [1]", "invalidated true"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a released token releases what its block holds`() throws {
    weak var released: Store?
    do {
      let store = try Store()
      released = store
      let token = store.objects(Ferry.self).observe { [store] _ in _ = store.version }
      store.refresh()
      withExtendedLifetime(token) {}
    }
    #expect(released == nil)
  }

  @Test func `what is frozen or in no store has one change, the error`() async throws {
    let (store, ferry) = try harbour()
    try store.write { store.create(Ferry.self, value: ["name": ""]) }
    var errors = 0
    for await change in store.objects(Ferry.self).freeze().changes() where change.isError {
      errors += 1
    }
    for await change in Ferry().changes() { if case .error = change { errors += 1 } }
    for await change in Ferry().crews.changes(as: Plate.self) where change.error != nil {
      errors += 1
    }
    struct Wrong: Decodable, Sendable { var name: Int }
    for await change in store.objects(Ferry.self).changes(as: Wrong.self)
    where change.error != nil { errors += 1 }
    #expect(errors == 4)
    #expect(ferry.freeze().store?.isFrozen == true)
  }
}

extension CollectionChange {
  fileprivate var isError: Bool { if case .error = self { true } else { false } }
}
