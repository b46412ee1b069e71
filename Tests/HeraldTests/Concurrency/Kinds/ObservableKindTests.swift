import Herald
import TestSupport
import Testing

/// Every kind of thing that can be observed, through each of its faces.
@Suite(.serialized, .timeLimit(.minutes(5))) @MainActor struct ObservableKindTests {
  @Test func `2.1-2.4, 7.2, 8.1: a block is notified of a change`() throws {
    for kind in ObservableKind.all {
      let store = try ObservableKind.makeStore()
      var notified: [String] = []
      let token = try kind.observe(store, nil) {
        notified.append($0.store == ObjectIdentifier(store) ? $0.text : "of a wrong session")
      }
      store.refresh()
      #expect(notified == (kind.first.map { [$0] } ?? []), "\(kind.name)")
      notified = []
      try store.write(withoutNotifying: [token]) {}
      #expect(notified == [], "\(kind.name)")
      try ObservableKind.rename(store)
      store.refresh()
      #expect(notified == [kind.notified], "\(kind.name)")
    }
  }

  @Test func `3.2, 3.3, 7.2: key paths restrict what is delivered`() throws {
    for kind in ObservableKind.all {
      let store = try ObservableKind.makeStore()
      var notified: [String] = []
      let token = try kind.observe(store, kind.deafening) { notified.append($0.text) }
      store.refresh()
      try ObservableKind.rename(store)
      store.refresh()
      #expect(notified == (kind.first.map { [$0] } ?? []), "\(kind.name)")
      notified = []
      let wrong = try kind.observe(store, ["nmae"]) { notified.append($0.text) }
      store.refresh()
      #expect(notified.count == 1 && notified[0].hasPrefix("error"), "\(kind.name)")
      withExtendedLifetime((token, wrong)) {}
    }
  }

  @Test func `9.1: an actor is notified, through a session of its own`() async throws {
    for kind in ObservableKind.all {
      let store = try ObservableKind.makeStore()
      let recorder = ChangeRecorder()
      let deaf = try await kind.observeOn(store, ChangeRecorder(), kind.deafening)
      let token = try await kind.observeOn(store, recorder, nil)
      try ObservableKind.rename(store)
      let first = kind.first.map { [$0] } ?? []
      let expected = first + [kind.notified]
      #expect(await recorder.received(first.count + 1) == expected, "\(kind.name)")
      withExtendedLifetime((token, deaf)) {}
    }
  }

  @Test func `1.5, 9.1: the changes can be awaited`() async throws {
    for kind in ObservableKind.all {
      let store = try ObservableKind.makeStore()
      let next = try kind.steps(store, nil)
      let deaf = try kind.steps(store, kind.deafening)
      if let first = kind.first {
        #expect(await next() == first, "\(kind.name)")
        #expect(await deaf() == first, "\(kind.name)")
      }
      // The iteration of what has no first step begins when it is made, so nothing is missed.
      try ObservableKind.rename(store)
      #expect(await next() == kind.notified, "\(kind.name)")
      if kind.name.hasPrefix("results"), kind.name != "results of a list" { continue }
      try store.write { store.delete(try ObservableKind.dog(1, store)) }
      let last = await next()
      #expect(last == "deleted" || last?.hasPrefix("deletions") == true, "\(kind.name)")
      #expect(await next() == nil, "\(kind.name)")
    }
  }

  @Test func `9.2: what is frozen stays as it was and cannot be observed`() throws {
    for kind in ObservableKind.all {
      let store = try ObservableKind.makeStore()
      let read = try kind.freeze(store)
      let name = read()
      #expect(["Max", "Rex", "Ball"].contains(name), "\(kind.name)")
      try ObservableKind.rename(store)
      #expect(read() == name, "\(kind.name)")
      #expect(try kind.freeze(store)() == "New", "\(kind.name)")
      var notified: [String] = []
      let token = try kind.observeFrozen(store) { notified.append($0.text) }
      store.refresh()
      #expect(notified == ["error \(HeraldError.cannotObserve("what is frozen"))"], "\(kind.name)")
      withExtendedLifetime(token) {}
    }
  }

  @Test func `9.2: a reference leads to it in another session, and to nil when it was deleted`()
    throws
  {
    for kind in ObservableKind.all {
      try withFolder { folder in
        let store = try ObservableKind.makeStore("\(folder)/dogs.hdb")
        let resolves = try kind.refer(store)
        let other = try Store(path: "\(folder)/dogs.hdb")
        #expect(try resolves(other), "\(kind.name)")
        #expect(throws: HeraldError.wrongSession) { _ = try resolves(Store()) }
        try store.write { store.delete(try ObservableKind.dog(1, store)) }
        other.refresh()
        let remains = kind.name.hasPrefix("results") && kind.name != "results of a list"
        #expect(try resolves(other) == remains, "\(kind.name)")
        store.close()
        #expect(throws: HeraldError.closed) { _ = try resolves(store) }
      }
    }
  }

  @Test func `9.2: a reference brings a session that is behind it forward`() throws {
    try withFolder { folder in
      let store = try ObservableKind.makeStore("\(folder)/dogs.hdb")
      let other = try Store(path: "\(folder)/dogs.hdb")
      let added = try store.write { store.create(KindDog.self, value: ["id": 3]) }
      #expect(try other.resolve(ThreadSafeReference(to: added))?.id == 3)
    }
  }
}
