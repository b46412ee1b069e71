import Herald
import TestSupport
import Testing

private final class Note: Object { @Persisted var text = "" }

/// `writeAsync` and its completion.
@Suite struct QueuedWriteTests {
  @Test func `the completion is called after the commit`() throws {
    try withFolder { folder in
      let store = try Store(path: "\(folder)/notes.hdb")
      defer { store.close() }
      let other = try DynamicStore(path: "\(folder)/notes.hdb")
      defer { other.close() }
      var seen: [String] = []
      store.writeAsync {
        store.create(Note.self, value: ["text": "a"])
      } onComplete: { error in
        _ = try? other.refresh()
        seen.append("\(store.isInWriteTransaction) \(error == nil)")
        seen.append("\((try? other.objects("Note").count) ?? -1)")
        // One that follows may begin at once.
        _ = try? store.write { store.create(Note.self, value: ["text": "b"]) }
      }
      try store.untyped.endTurn()
      #expect(seen == ["false true", "1"])
      #expect(store.objects(Note.self).count == 2)
    }
  }

  @Test func `the completion receives the error of a transaction that is not committed`() throws {
    let store = try Store()
    var errors: [String] = []
    store.writeAsync {
      store.create(Note.self, value: ["text": 5])
    } onComplete: { error in
      errors.append("\(store.isInWriteTransaction) \(error.map { "\($0)" } ?? "nil")")
    }
    #expect(throws: (any Error).self) { try store.untyped.endTurn() }
    #expect(errors.count == 1 && errors.first?.contains("'text'") == true)
    #expect(errors.first?.hasPrefix("false") == true)
    #expect(store.objects(Note.self).isEmpty)
  }
}
