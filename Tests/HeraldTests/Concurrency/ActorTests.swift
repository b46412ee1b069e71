import Herald
import HeraldQuery
import Testing

/// Rules 9.1 and 9.2 with actors of Swift: observers that live on them, and changes that are awaited.
@Suite(.timeLimit(.minutes(5))) struct ActorTests {
  private func makeStore() throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Dog",
        properties: [
          .init(name: "id", element: .int, isPrimaryKey: true),
          .init(name: "age", element: .int, defaultValue: .value(.int(0))),
          .init(name: "pals", element: .link("Dog"), shape: .list),
        ]))
    try store.write { _ = try store.add("Dog", [("id", .value(.int(1)))]) }
    return store
  }

  @Test func `9.1: an observer on an actor receives initial at once, then what others commit`()
    async throws
  {
    let store = try makeStore()
    let recorder = ChangeRecorder()
    let token = try await store.objects("Dog").observe(on: recorder) { recorder, dogs, change in
      recorder.assertIsolated()
      let count = (try? dogs.count) ?? -1
      switch change {
      case .initial(let rows): recorder.record("initial \(rows) of \(count)")
      case .update(let changes, _): recorder.record("\(changes.insertions) of \(count)")
      case .mapUpdate: recorder.record("map")
      case .error(let error): recorder.record("\(error)")
      }
    }
    #expect(await recorder.received(1) == ["initial 1 of 1"])
    try store.write { _ = try store.add("Dog", [("id", .value(.int(2)))]) }
    #expect(await recorder.received(2) == ["initial 1 of 1", "[1] of 2"])
    token.invalidate()
    token.invalidate()
  }

  @Test func `4.10, 9.1: an observer on an actor follows what its condition reads`() async throws {
    let store = try makeStore()
    let clauses = Array("where age == (Dog).@max.age".utf8)
    let oldest = try store.results(
      "Dog", QueryParser.parseTail(clauses, from: 0).tail, names: NoNames())
    let recorder = ChangeRecorder()
    let token = try await oldest.observe(on: recorder) { recorder, dogs, change in
      let count = (try? dogs.count) ?? -1
      guard case .update(let changes, _) = change else { return recorder.record("of \(count)") }
      recorder.record("\(changes.deletions) \(changes.insertions) of \(count)")
    }
    try store.write {
      _ = try store.add("Dog", [("id", .value(.int(2))), ("age", .value(.int(7)))])
    }
    #expect(await recorder.received(2) == ["of 1", "[0] [0] of 1"])
    token.invalidate()
  }

  @Test func `9.1: objects handed to an actor belong to its session`() async throws {
    let store = try makeStore()
    let recorder = ChangeRecorder()
    let dog = try #require(try store.object("Dog", key: .int(1)))
    let ours = ObjectIdentifier(store)
    let token = try await dog.observe(on: recorder) { recorder, dog, change in
      #expect(ObjectIdentifier(dog.store) != ours)
      if case .change(let properties) = change {
        recorder.record(properties.map { "\($0.name) \($0.old) \($0.new)" }.joined())
      } else {
        recorder.record("deleted")
      }
      // It may write there, as in any delivery.
      guard dog.isValid, case .int(1)? = try? dog.value("age") else { return }
      try? dog.store.writeAsync { try dog.set("age", to: .value(.int(2))) }
    }
    try store.write { try dog.set("age", to: .value(.int(1))) }
    #expect(await recorder.received(2) == ["age int(0) int(1)", "age int(1) int(2)"])
    try store.write { try store.delete(dog) }
    #expect(await recorder.received(3).last == "deleted")
    withExtendedLifetime(token) {}
  }

  @Test func `1.8, 9.1: observers on one actor share a session and keep their order`()
    async throws
  {
    let store = try makeStore()
    let recorder = ChangeRecorder()
    let dogs = try store.objects("Dog")
    let first = try await dogs.observe(on: recorder) { recorder, _, _ in recorder.record("first") }
    let pals = try #require(try store.object("Dog", key: .int(1))).collection("pals")
    let second = try await pals.observe(on: recorder) { recorder, _, _ in
      recorder.record("second")
    }
    let third = try await dogs.observe(on: recorder) { recorder, _, _ in recorder.record("third") }
    let added = try store.write {
      let dog = try store.add("Dog", [("id", .value(.int(2)))])
      try pals.append([.link(dog.id)])
      return dog
    }
    #expect(await recorder.received(6) == ["first", "second", "third", "first", "second", "third"])
    second.invalidate()
    try store.write { try added.set("age", to: .value(.int(5))) }
    #expect(await recorder.received(8).suffix(2) == ["first", "third"])
    withExtendedLifetime((first, third)) {}
  }

  @Test func `9.1, 10: observing on an actor what was deleted is an error`() async throws {
    let store = try makeStore()
    let dog = try #require(try store.object("Dog", key: .int(1)))
    try store.write { try store.delete(dog) }
    await #expect(throws: HeraldError.self) {
      _ = try await dog.observe(on: ChangeRecorder()) { _, _, _ in }
    }
  }

  @Test func `1.5: what happens while a step is worked on is one change`() async throws {
    let store = try makeStore()
    let dogs = try store.objects("Dog")
    var steps: [String] = []
    for await step in dogs.changes {
      switch step.change {
      case .initial(let count):
        steps.append("initial \(count)")
        for id in 2...4 {
          try store.write { _ = try store.add("Dog", [("id", .value(.int(id)))]) }
        }
      case .update(let changes, _):
        steps.append("\(changes.insertions) of \(try step.rows.count)")
      case .mapUpdate: steps.append("map")
      case .error(let error): steps.append("\(error)")
      }
      if steps.count == 2 { break }
    }
    #expect(steps == ["initial 1", "[1, 2, 3] of 4"])
  }

  @Test func `2.5: the changes of a collection end with its owner`() async throws {
    let store = try makeStore()
    let dog = try #require(try store.object("Dog", key: .int(1)))
    let pals = try dog.collection("pals")
    var steps = 0
    for await step in pals.changes {
      steps += 1
      if case .initial = step.change { try store.write { try store.delete(dog) } }
    }
    #expect(steps == 2)
  }

  @Test func `Changes end when their task is cancelled`() async throws {
    let store = try makeStore()
    let changes = try store.objects("Dog").changes
    let recorder = ChangeRecorder()
    let task = Task {
      for await _ in changes { await recorder.record("step") }
      await recorder.record("over")
    }
    _ = await recorder.received(1)
    task.cancel()
    #expect(await recorder.received(2) == ["step", "over"])
  }
}
