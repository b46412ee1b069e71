import Foundation
import HeraldEngine
import OtherProcess
import Synchronization
import TestSupport
import Testing

@testable import Herald
@testable import TestModel

/// Rules 9.3 and 1.1: what other processes commit wakes the sessions of a file, and is delivered as
/// if it had been committed here.
@Suite struct WakeTests {
  /// A kennel on disk, and another as a second process would have it.
  private func withTwoKennels(
    dogs: Int, _ body: (_ here: Kennel, _ there: Kennel) throws -> Void
  ) throws {
    try withFolder { folder in
      let store = try DynamicStore(path: "\(folder)/two.hdb")
      for definition in Kennel.definitions { try store.declare(definition) }
      let here = Kennel(store)
      try here.write {
        for id in 0..<dogs { try here.addDog(id + 1) }
        _ = try store.add("Trigger", [("id", .value(.int(1)))])
        try here.addPerson(1, [("dogs", .list(try here.links([1, 2, 3])))])
      }
      let there = DynamicStore(try store.session.apart(), named: "there")
      try body(here, Kennel(there))
      #expect(store.check().isEmpty)
      there.close()
      store.close()
    }
  }

  @Test func `9.3: a commit of another process is delivered from the log`() throws {
    try withTwoKennels(dogs: 3) { here, there in
      var notified: [DynamicCollectionChange] = []
      let token = try here.store.objects("Dog").observe { _, change in notified.append(change) }
      try here.store.endTurn()
      try there.write { _ = try there.store.add("Dog", [("id", .value(.int(9)))]) }
      try here.store.endTurn()
      let update = DynamicCollectionChange.update(ChangeSet(insertions: [3]), ownerDeleted: false)
      #expect(notified == [.initial(count: 3), update])
      token.invalidate()
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `1.1, 4.2: a session that fell behind the log is notified by comparison`(
    seed: UInt64
  ) throws {
    try withTwoKennels(dogs: 30) { here, there in
      here.store.session.keepLog(entries: 3)
      let observer = ThreadWorker(here, seed: seed)
      let writer = ThreadWorker(there, seed: seed &* 77)
      try observer.observe()
      try here.store.endTurn()
      var random = SplitMix64(seed: seed)
      for _ in 0..<25 where observer.faults.isEmpty {
        for _ in 0..<(1 + random.below(12)) { try writer.write() }
        // Its own commits are in between too.
        if random.chance(30) { try observer.write() }
        try here.store.endTurn()
      }
      #expect(observer.faults.isEmpty, "seed \(seed)")
      #expect(observer.notified > 60)
    }
  }

  @Test func `1.1: a comparison finds new classes, objects and every kind of collection`() throws {
    try withTwoKennels(dogs: 3) { here, there in
      here.store.session.keepLog(entries: 1)
      var notified: [String] = []
      let person = try here.person(1)
      let list = try person.collection("dogs").observe { _, change in
        notified.append("list \(change)")
      }
      let whole = try person.observe { _, change in notified.append("object \(change)") }
      let any = try here.store.observe { notified.append("store \($0)") }
      try here.store.endTurn()
      notified = []
      try there.store.declare(
        ClassDefinition(name: "New", properties: [.init(name: "n", element: .int)]))
      try there.write { try there.person(1).collection("dogs").move(from: 0, to: 2) }
      try there.write { try there.store.delete(there.dog(2)) }
      try there.write { _ = try there.store.add("New", [("n", .value(.int(1)))]) }
      try here.store.endTurn()
      #expect(try here.store.objects("New").count == 1)
      #expect(notified.first == "store changed")
      #expect(notified.contains { $0.hasPrefix("object change") && $0.contains("dogs") })
      let rows = ChangeSet(deletions: [0, 1], insertions: [1], moves: [.init(old: 0, new: 1)])
      #expect(
        notified.contains("list \(DynamicCollectionChange.update(rows, ownerDeleted: false))"))
      withExtendedLifetime((list, whole, any)) {}
    }
  }

  @Test func `1.2: a write that finds the writer lock taken delivers nothing`() throws {
    try withTwoKennels(dogs: 3) { here, _ in
      let path = try #require(here.store.path)
      var notified: [DynamicCollectionChange] = []
      let token = try here.store.objects("Dog").observe { _, change in notified.append(change) }
      let other = try RemoteSession(path) { _ in .goOn }
      _ = try other.perform(.begin)
      for _ in 0..<2 {
        #expect(throws: HeraldError.locked(path: path)) {
          try here.store.write(waiting: false) {}
        }
        #expect(throws: HeraldError.locked(path: path)) {
          try here.store.beginWrite(waiting: false)
        }
      }
      #expect(notified.isEmpty && !here.store.isInWrite)
      _ = try other.perform(.rollback)
      var found: [DynamicCollectionChange] = []
      try here.store.write(waiting: false) { found = notified }
      #expect(found == [.initial(count: 3)])
      // And the other way round.
      let refusal = try here.store.write { try other.perform(.writeAtOnce) }
      #expect(refusal.isRefusal)
      #expect(try !other.perform(.writeAtOnce).isRefusal)
      token.invalidate()
      other.leave()
    }
  }

  @Test func `9.3: a session is woken by others' commits and not by its own`() throws {
    try withKennel(dogs: 1) { kennel in
      let woken = Mutex(0)
      let registration = try kennel.store.onCommitElsewhere { woken.withLock { $0 += 1 } }
      try kennel.write { try kennel.addDog(2) }
      #expect(woken.withLock { $0 } == 0)
      let other = Kennel(try kennel.store.newSession(named: "other"))
      try other.write { try other.addDog(3) }
      #expect(woken.withLock { $0 } == 1)
      withExtendedLifetime(registration) {}
      other.store.close()
    }
  }

  @Test func `9.3: a released registration is not woken`() throws {
    try withKennel(dogs: 1) { kennel in
      let woken = Mutex(0)
      var registration: CommitListener? = try kennel.store.onCommitElsewhere {
        woken.withLock { $0 += 1 }
      }
      withExtendedLifetime(registration) {}
      registration = nil
      let other = Kennel(try kennel.store.newSession(named: "other"))
      try other.write { try other.addDog(3) }
      #expect(woken.withLock { $0 } == 0)
      other.store.close()
    }
  }

  @Test func `9.3: the commits of another process wake a session that sleeps`() throws {
    try withFolder { folder in
      let path = "\(folder)/two.hdb"
      let store = try DynamicStore(path: path)
      let news = DispatchSemaphore(value: 0)
      let registration = try store.onCommitElsewhere { news.signal() }
      let writer = try CommittingProcess(path)
      var numbers: [Int] = []
      var tokens: [ObservationToken] = []
      while numbers.count < 20 {
        // Without a commit nothing would ever come.
        try #require(news.wait(timeout: .now() + 60) == .success)
        try store.endTurn()
        guard tokens.isEmpty, store.schema.classSchema(named: "Counter") != nil,
          let counter = try store.object("Counter", key: .int(1))
        else { continue }
        tokens.append(
          try counter.observe(keyPaths: ["n"]) { counter, _ in
            if case .int(let number) = try counter.value("n") { numbers.append(number) }
          })
      }
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      _ = writer.kill()
      withExtendedLifetime(registration) {}
      store.close()
    }
  }

  @Test func `9.3: commits elsewhere can be awaited`() async throws {
    let store = try DynamicStore()
    let commits = try store.commitsElsewhere()
    let other = try store.newSession(named: "other")
    try other.declare(ClassDefinition(name: "New", properties: []))
    var awaited = commits.makeAsyncIterator()
    #expect(await awaited.next() != nil)
    try store.refresh()
    #expect(store.schema.classSchema(named: "New") != nil)
    other.close()
  }
}

extension ModelReply {
  fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
