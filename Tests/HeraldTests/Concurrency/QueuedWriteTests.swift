import Herald
import TestModel
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

  @Test func `the completion of a transaction whose store is closed before receives that`() throws {
    let store = try Store()
    var errors: [String] = []
    store.writeAsync {
      Issue.record("the block of a closed store is called")
    } onComplete: { error in
      errors.append("\(store.isInWriteTransaction) \(error.map { "\($0)" } ?? "nil")")
    }
    store.close()
    #expect(errors == ["false \(HeraldError.closed)"])
  }

  @Test func `a block that runs again keeps nothing of its first attempt`() throws {
    try withFolder { folder in
      let path = "\(folder)/notes.hdb"
      let store = try Store(path: path)
      let other = try RemoteSession(path) { _ in .goOn }
      var (notes, errors): ([Note], [Bool]) = ([], [])
      store.writeAsync {
        // Another program makes the file meanwhile.
        if notes.isEmpty { _ = try? other.perform(.writeAtOnce) }
        notes.append(store.create(Note.self, value: ["text": "\(notes.count)"]))
      } onComplete: { error in
        errors.append(error == nil)
      }
      try store.untyped.endTurn()
      #expect(errors == [true])
      #expect(notes.map(\.isInvalidated) == [true, false])
      #expect(store.objects(Note.self).map(\.text) == ["1"] && notes.last?.text == "1")
      other.leave()
      store.close()
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
