import HeraldEngine
import TestSupport
import Testing

@testable import Herald

/// A write that needs more memory than it may is an error, and leaves nothing.
@Suite struct WriteLimitTests {
  private static let note = ClassDefinition(
    name: "Note",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "text", element: .string, defaultValue: .value(.string(""))),
    ])

  private func withNotes(_ count: Int, path: String? = nil, _ body: (DynamicStore) throws -> Void)
    throws
  {
    let store = try path.map { try DynamicStore(path: $0) } ?? DynamicStore()
    defer { store.close() }
    try store.declare(Self.note)
    try store.write {
      for id in 0..<count { _ = try store.add("Note", [("id", .value(.int(id)))]) }
    }
    try body(store)
    #expect(store.check().isEmpty)
  }

  private func texts(_ store: DynamicStore) throws -> Set<Value> {
    Set(try store.objects("Note").objects.map { try $0.value("text") })
  }

  @Test func `the default limit is a quarter of the machine's memory`() throws {
    try withNotes(0) { store in
      #expect(store.writeLimit >= 1 << 26)
      store.writeLimit = 5 << 20
      #expect(store.writeLimit == 5 << 20)
    }
  }

  @Test
  func `too many changes in one write are refused and rolled back, in two writes they are not`()
    throws
  {
    try withNotes(40_000) { store in
      store.writeLimit = 2 << 20
      let notes = try store.objects("Note").objects
      func change(_ notes: some Sequence<ObjectHandle>) throws {
        try store.write {
          for note in notes { try note.set("text", to: .value(.string("changed"))) }
        }
      }
      #expect(throws: HeraldError.writeTooLarge(limit: 2 << 20)) { try change(notes) }
      #expect(try texts(store) == [.string("")])
      try change(notes.prefix(20_000))
      try change(notes.suffix(20_000))
      #expect(try texts(store) == [.string("changed")])
    }
  }

  @Test func `so are too many deletions`() throws {
    try withNotes(10_000) { store in
      store.writeLimit = 2 << 20
      let notes = try store.objects("Note").objects
      func delete(_ notes: some Sequence<ObjectHandle>) throws {
        try store.write { for note in notes { try store.delete(note) } }
      }
      #expect(throws: HeraldError.writeTooLarge(limit: 2 << 20)) { try delete(notes) }
      #expect(try store.objects("Note").count == 10_000)
      try delete(notes.prefix(1_000))
      #expect(try store.objects("Note").count == 9_000)
    }
  }

  /// New objects need none of that memory, nor do long texts, which go to the file before the commit.
  @Test func `a text that would not fit is refused before it is in a file, many shorter ones fit`()
    throws
  {
    try withFolder { folder in
      try withNotes(10, path: "\(folder)/notes.hdb") { store in
        store.writeLimit = 4 << 20
        func add(_ ids: Range<Int>, length: Int) throws {
          let text = Value.string(String(repeating: "x", count: length))
          try store.write {
            for id in ids {
              _ = try store.add("Note", [("id", .value(.int(id))), ("text", .value(text))])
            }
          }
        }
        #expect(throws: HeraldError.writeTooLarge(limit: 4 << 20)) {
          try add(100..<101, length: 5 << 20)
        }
        #expect(try store.objects("Note").count == 10)
        try add(100..<200, length: 100_000)
        #expect(try store.objects("Note").count == 110)
      }
    }
  }

  /// 300,000 short texts are more than the drafts may hold: they go to their records early.
  @Test func `many texts of a bulk read back as they were written`() throws {
    try withNotes(0) { store in
      let length = 900
      let count = 80_000
      try store.write {
        for id in 0..<count {
          let text = String(repeating: String(id % 10), count: length)
          _ = try store.add("Note", [("id", .value(.int(id))), ("text", .value(.string(text)))])
        }
      }
      for id in stride(from: 0, to: count, by: 997) {
        let note = try #require(try store.object("Note", key: .int(id)))
        #expect(
          try note.value("text") == .string(String(repeating: String(id % 10), count: length)))
      }
    }
  }
}
