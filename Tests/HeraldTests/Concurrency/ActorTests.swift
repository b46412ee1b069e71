import Herald
import Testing

/// Rules 9.1 and 1.5 with actors of Swift: observers that live on them, and changes that are awaited.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ActorTests {
  private func makeStore() throws -> Store {
    let store = try Store(objectTypes: [KindDog.self])
    try store.write { store.create(KindDog.self, value: ["id": 1]) }
    return store
  }

  @Test func `4.10, 9.1: an observer on an actor follows what its condition reads`() async throws {
    let store = try makeStore()
    let oldest = store.objects(KindDog.self).filter("age == (KindDog).@max.age")
    let recorder = ChangeRecorder()
    let token = await oldest.observe(on: recorder) { recorder, change in
      recorder.assertIsolated()
      let count = change.collection?.count ?? -1
      recorder.record("\(change.deletions) \(change.insertions) of \(count)")
    }
    try store.write { store.create(KindDog.self, value: ["id": 2, "age": 7]) }
    #expect(await recorder.received(2) == ["[] [] of 1", "[0] [0] of 1"])
    token.invalidate()
    token.invalidate()
  }

  @Test func `9.1: objects handed to an actor belong to its session`() async throws {
    let store = try makeStore()
    let recorder = ChangeRecorder()
    let dog = try #require(store.objects(KindDog.self).first)
    let ours = ObjectIdentifier(store)
    let token = await dog.observe(on: recorder) { recorder, change in
      guard case .change(let dog, let properties) = change else {
        return recorder.record("deleted")
      }
      #expect(dog.store.map(ObjectIdentifier.init) != ours)
      recorder.record(
        properties.map { "\($0.name) \($0.oldValue ?? "") \($0.newValue ?? "")" }.joined())
      // It may write there, as in any delivery.
      if dog.age == 1 { dog.store?.writeAsync { dog.age = 2 } }
    }
    try store.write { dog.age = 1 }
    #expect(await recorder.received(2) == ["age 0 1", "age 1 2"])
    try store.write { store.delete(dog) }
    #expect(await recorder.received(3).last == "deleted")
    withExtendedLifetime(token) {}
  }

  @Test func `1.8, 9.1: observers on one actor share a session and keep their order`()
    async throws
  {
    let store = try makeStore()
    let recorder = ChangeRecorder()
    let dogs = store.objects(KindDog.self)
    let pals = try #require(dogs.first).pals
    let first = await dogs.observe(on: recorder) { recorder, _ in recorder.record("first") }
    let second = await pals.observe(on: recorder) { recorder, _ in recorder.record("second") }
    let third = await store.dynamic.objects("KindDog").observe(on: recorder) { recorder, _ in
      recorder.record("third")
    }
    let added = try store.write {
      let dog = store.create(KindDog.self, value: ["id": 2])
      pals.append(dog)
      return dog
    }
    #expect(await recorder.received(6) == ["first", "second", "third", "first", "second", "third"])
    second.invalidate()
    try store.write { added.age = 5 }
    #expect(await recorder.received(8).suffix(2) == ["first", "third"])
    withExtendedLifetime((first, third)) {}
  }

  @Test func `9.1, 10: observing on an actor what was deleted is an error`() async throws {
    let store = try makeStore()
    let dog = try #require(store.objects(KindDog.self).first)
    try store.write { store.delete(dog) }
    let recorder = ChangeRecorder()
    let token = await dog.observe(on: recorder) { recorder, change in
      if case .error(let error) = change { recorder.record("\(error)") }
    }
    let error = HeraldError.cannotObserve("what is in no store, or was deleted")
    #expect(await recorder.received(1) == ["\(error)"])
    withExtendedLifetime(token) {}
  }

  @Test func `1.5: a frozen or deleted thing has no changes to await`() async throws {
    let store = try makeStore()
    let dog = try #require(store.objects(KindDog.self).first)
    for thing in [dog.freeze(), dog] {
      if thing === dog { try store.write { store.delete(dog) } }
      var errors = 0
      for await change in thing.changes() {
        guard case .error = change else {
          Issue.record("something was delivered")
          continue
        }
        errors += 1
      }
      #expect(errors == 1)
    }
  }

  @Test func `changes end when their task is cancelled`() async throws {
    let store = try makeStore()
    let changes = store.objects(KindDog.self).changes()
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
