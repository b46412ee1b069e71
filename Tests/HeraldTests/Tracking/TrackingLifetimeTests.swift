import Dispatch
import Foundation
import HeraldEngine
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Herald
@testable import HeraldObservation

@Observable private final class Settings: @unchecked Sendable { var size = 1 }

/// How long what was read is waited for, and where closures are notified.
struct TrackingLifetimeTests {
  private func store(dogs: Int) throws -> Store {
    let store = try Store()
    try store.write {
      for id in 0..<dogs { store.create(TrackedDog.self, value: ["id": id, "name": "dog"]) }
    }
    return store
  }

  @Test func `a closure that is tracked for ever leaves nothing behind`() throws {
    let store = try store(dogs: 500)
    let dogs = store.objects(TrackedDog.self).sorted(by: \.age)
    nonisolated(unsafe) let (rows, shared) = (dogs, store)
    nonisolated(unsafe) var count = 0
    @Sendable func track() {
      _ = TrackedClosure {
        _ = (rows.first?.name, shared.objects(TrackedDog.self).where { $0.age > 3 }.count as Int)
      } then: {
        count += 1
        track()
      }
    }
    track()
    for step in 1...1_000 {
      try store.write { dogs[499].age = -step }
      store.refresh()
    }
    #expect(count == 1_000)
    #expect(store.core.tracker.sources.count <= 32)
    #expect(store.core.session.observatory.registry.count <= 4)
  }

  @Test func `what no closure waits for any more is not observed`() throws {
    let store = try store(dogs: 100)
    let dogs = store.objects(TrackedDog.self)
    let trigger = dogs[0]
    for _ in 0..<10 {
      let closure = TrackedClosure { for dog in dogs { _ = (dog.name, dog.toys.count) } }
      try store.write { trigger.name += "x" }
      store.refresh()
      #expect(closure.isNotified)
    }
    #expect(store.core.session.observatory.isEmpty)
  }

  @Test func `a closure that waits does not keep its store`() throws {
    weak var session: Session?
    let closure: TrackedClosure
    do {
      let store = try store(dogs: 2)
      session = store.core.session
      closure = TrackedClosure { _ = (store.objects(TrackedDog.self).first?.name) }
    }
    #expect(session == nil && !closure.isNotified)
  }

  @Test func `a closure may be notified of something else on another thread`() throws {
    let (store, settings) = (try store(dogs: 2), Settings())
    let dogs = store.objects(TrackedDog.self)
    let closure = TrackedClosure { _ = (dogs.first?.name, dogs.count, settings.size) }
    JoinableThread { settings.size = 2 }.join()
    #expect(closure.count == 1)
    try store.write { dogs[0].name = "Max" }
    store.refresh()
    #expect(closure.count == 1)
    #expect(store.core.session.observatory.isEmpty)
  }

  @Test func `a commit of another process notifies`() throws {
    let folder = try TemporaryFolder()
    let writer = try CommittingProcess(folder.path + "/counter.hdb")
    // It declares the class, with more properties than are read here.
    try #require(writer.waitForCommits(2))
    let store = try Store(path: folder.path + "/counter.hdb")
    let news = DispatchSemaphore(value: 0)
    let registration = try store.core.dynamic.onCommitElsewhere { news.signal() }
    var last = 0
    var closure: TrackedClosure?
    var notified = 0
    while notified < 10 {
      writer.readNumbers()
      try #require(news.wait(timeout: .now() + 60) == .success)
      store.refresh()
      guard let counter = store.object(ofType: TrackedCounter.self, forPrimaryKey: 1) else {
        continue
      }
      if let known = closure {
        #expect(known.isNotified == (counter.n != last))
        if known.isNotified { notified += 1 }
      }
      closure = TrackedClosure { last = counter.n }
    }
    _ = writer.kill()
    withExtendedLifetime(registration) {}
  }

  @Test @MainActor func `closures are notified on the store's executor, without a refresh`()
    async throws
  {
    let store = try store(dogs: 2)
    let dogs = store.objects(TrackedDog.self)
    let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
    let closure = TrackedClosure {
      _ = dogs[0].name
    } then: {
      dispatchPrecondition(condition: .onQueue(.main))
      continuation.yield()
    }
    try store.write { dogs[0].name = "Max" }
    #expect(!closure.isNotified)
    for await _ in turns { break }
    #expect(closure.count == 1)
  }

  @Test @MainActor func `Observations has a value for each commit that changes what is read`()
    async throws
  {
    let store = try store(dogs: 3)
    let dogs = store.objects(TrackedDog.self).sorted(by: \.age)
    let names = Observations {
      "\(dogs.first?.name ?? "none") of \(dogs.count as Int)"
    }
    var seen: [String] = []
    for await name in names {
      seen.append(name)
      switch seen.count {
      case 1:
        try store.write { dogs[2].name = "unread" }
        try store.write { dogs[0].name = "Max" }
      case 2: try store.write { dogs[2].age = -1 }
      case 3: try store.write { store.delete(dogs[0]) }
      default: break
      }
      if seen.count == 4 { break }
    }
    #expect(seen == ["dog of 3", "Max of 3", "unread of 3", "Max of 2"])
  }
}
