import Dispatch
import Herald
import Testing

/// Every kind of thing that can be observed, through each of its faces.
@Suite(.timeLimit(.minutes(5))) struct ObservableKindTests {
  @Test(arguments: ObservableKind.all)
  func `2.1-2.4, 7.2, 8.1: a block is notified of a change`(kind: ObservableKind) throws {
    let store = try ObservableKind.makeStore()
    var notified: [String] = []
    let token = try kind.observe(store, nil) { notified.append($0) }
    try store.endTurn()
    #expect(notified == (kind.first.map { [$0] } ?? []))
    notified = []
    try store.write(without: token.canBeSilenced ? [token] : []) {}
    #expect(notified == [])
    try ObservableKind.rename(store)
    try store.endTurn()
    #expect(notified == [kind.notified])
  }

  @Test(arguments: ObservableKind.all)
  func `3.2, 3.3, 7.2: key paths restrict what is delivered`(kind: ObservableKind) throws {
    guard let keyPaths = kind.deafening else { return }
    let store = try ObservableKind.makeStore()
    var notified: [String] = []
    let token = try kind.observe(store, keyPaths) { notified.append($0) }
    try store.endTurn()
    try ObservableKind.rename(store)
    try store.endTurn()
    #expect(notified == (kind.first.map { [$0] } ?? []))
    #expect(throws: (any Error).self) { _ = try kind.observe(store, ["nmae"]) { _ in } }
    #expect(throws: (any Error).self) { _ = try kind.steps(store, ["nmae"]) }
    #expect(token.isLive)
  }

  @Test(arguments: ObservableKind.all)
  func `9.1: an actor is notified, through a session of its own`(kind: ObservableKind) async throws
  {
    let store = try ObservableKind.makeStore()
    let recorder = ChangeRecorder()
    let deaf = try await kind.observeOn(store, ChangeRecorder(), kind.deafening)
    let token = try await kind.observeOn(store, recorder, nil)
    try ObservableKind.rename(store)
    let first = kind.first.map { [$0] } ?? []
    #expect(await recorder.received(first.count + 1) == first + [kind.notified])
    withExtendedLifetime((token, deaf)) {}
  }

  @Test(arguments: ObservableKind.all)
  func `1.5, 9.1: the changes can be awaited`(kind: ObservableKind) async throws {
    let store = try ObservableKind.makeStore()
    let next = try kind.steps(store, nil)
    let deaf = try kind.steps(store, kind.deafening)
    if let first = kind.first {
      #expect(try await next() == first)
      #expect(try await deaf() == first)
    }
    // The iteration of what has no first step begins when it is made, so nothing is missed.
    try ObservableKind.rename(store)
    #expect(try await next() == kind.notified)
    guard kind.description != "store", kind.description != "results" else { return }
    try store.write { try store.delete(ObservableKind.dog(1, store)) }
    let last = try await next()
    if kind.description == "property" { return #expect(last == nil) }
    #expect(last == "deleted" || last?.hasPrefix("owner deleted") == true)
    #expect(try await next() == nil)
  }

  @Test(arguments: ObservableKind.all)
  func `9.2: what is frozen stays as it was and cannot be observed`(kind: ObservableKind) throws {
    let store = try ObservableKind.makeStore()
    let read = try kind.freeze(store)
    let name = try read()
    #expect(["Max", "Rex", "Ball"].contains(name))
    try ObservableKind.rename(store)
    #expect(try read() == name)
    #expect(try kind.freeze(store)() == "New")
    #expect(throws: HeraldError.cannotObserve("what is frozen")) { try kind.observeFrozen(store) }
  }

  @Test(arguments: ObservableKind.all)
  func `9.2: a reference leads to it in another session, and to nil when it was deleted`(
    kind: ObservableKind
  ) throws {
    let store = try ObservableKind.makeStore()
    let resolves = try kind.refer(store)
    let other = try store.newSession(named: "other")
    #expect(try resolves(other))
    #expect(throws: HeraldError.wrongSession) { _ = try resolves(DynamicStore()) }
    try store.write { try store.delete(ObservableKind.dog(1, store)) }
    try other.refresh()
    #expect(try resolves(other) == ["store", "results"].contains(kind.description))
    other.close()
  }

  @Test func `2.5, 8.3: the end of an object is delivered on an actor`() async throws {
    let store = try ObservableKind.makeStore()
    let recorder = ChangeRecorder()
    let dog = try ObservableKind.dog(1, store)
    let object = try await dog.observeInvalidation(on: recorder) { recorder, dog, _ in
      recorder.record("object \(dog.isValid)")
    }
    let list = try await dog.collection("pals").observeInvalidation(on: recorder) {
      recorder, _, event in recorder.record("list \(event)")
    }
    try store.write { try store.delete(dog) }
    #expect(
      await recorder.received(2) == ["object false", "list invalidated(name: \"invalidated\")"])
    withExtendedLifetime((object, list)) {}
  }

  @Test func `9.1: a queue of the program's own is an actor too`() async throws {
    let store = try ObservableKind.makeStore()
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "screen")
    queue.setSpecific(key: key, value: "screen")
    let screen = DeliveryQueue { work in queue.async(execute: work) }
    let recorder = ChangeRecorder()
    let token = try await store.objects("Dog").observe(on: screen) { screen, dogs, change in
      screen.assertIsolated()
      let place = DispatchQueue.getSpecific(key: key) ?? "elsewhere"
      let count = (try? dogs.count) ?? -1
      Task { await recorder.record("\(place) \(count)") }
    }
    #expect(await recorder.received(1) == ["screen 2"])
    try store.write { try store.delete(ObservableKind.dog(2, store)) }
    #expect(await recorder.received(2) == ["screen 2", "screen 1"])
    withExtendedLifetime(token) {}
  }

  @Test func `1.5: a frozen or deleted thing has no changes to await`() async throws {
    let store = try ObservableKind.makeStore()
    let dog = try ObservableKind.dog(2, store)
    for await _ in try dog.frozen.base.changes { Issue.record("something was delivered") }
    try store.write { try store.delete(dog) }
    for await _ in dog.changes { Issue.record("something was delivered") }
  }
}
