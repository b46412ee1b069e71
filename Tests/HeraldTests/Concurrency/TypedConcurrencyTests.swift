import Dispatch
import Foundation
import Herald
import Synchronization
import TestSupport
import Testing

private class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var owner: String?
  @Persisted var count = 0
  @Persisted var next: Todo?
  @Persisted var tags: List<String>
}

private struct TodoRecord: Decodable, Sendable, Equatable {
  struct Next: Decodable, Sendable, Equatable { let name: String }
  let name: String
  let owner: String?
  let count: Int8
  let next: Next?
  let tags: [String]
}

private actor Background {
  var log: [String] = []

  func note(_ text: String) { log.append(text) }

  func delete(_ reference: ThreadSafeReference<Todo>, at path: String) throws {
    let store = try Store(path: path)
    try store.write {
      guard let todo = try store.resolve(reference) else { return }
      store.delete(todo)
    }
  }
}

@Suite(.serialized) struct TypedConcurrencyTests {
  @Test
  @MainActor func `an object passes to a queue, and its deletion there is observed on an actor`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/todos.hdb"
    let store = try Store(path: path)
    try await store.asyncWrite {
      store.create(Todo.self, value: ["name": "Bree", "owner": "Merry", "tags": ["a", "b"]])
    }
    let todos = store.objects(Todo.self)
    let background = Background()
    let token = await todos.observe(on: background) { actor, change in
      switch change {
      case .initial(let todos): actor.note("initial \(todos.count)")
      case .update(_, let deletions, let insertions, let modifications):
        actor.note("\(deletions) \(insertions) \(modifications)")
      case .error(let error): actor.note("\(error)")
      }
    }
    #expect(await background.log == ["initial 1"])
    let todo = try #require(todos.first)
    #expect(todo.tags.map { $0 } == ["a", "b"])
    try await background.delete(ThreadSafeReference(to: todo), at: path)
    for _ in 0..<1000 where await background.log.count < 2 {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(await background.log == ["initial 1", "[0] [] []"])
    token.invalidate()
    store.refresh()
    #expect(todo.isInvalidated)
  }

  @Test func `on a thread of the program's own the turn, which runs queued writes, is refresh`()
    throws
  {
    let store = try Store()
    var log: [String] = []
    let token = store.objects(Todo.self).observe { change in
      if case .update(let todos, _, let insertions, _) = change {
        log.append("\(insertions)")
        if todos.count == 1 {
          store.writeAsync {
            store.create(Todo.self)
          } onComplete: {
            log.append("done \($0 == nil)")
          }
        }
      }
    }
    store.writeAsync { store.create(Todo.self, value: ["name": "A"]) }
    #expect(store.objects(Todo.self).isEmpty)
    store.refresh()
    store.refresh()
    #expect(log == ["[0]", "done true", "[1]"])
    token.invalidate()
  }

  @Test
  @MainActor func `a queue observes with its own session, and a ThreadSafe property is read there`()
    async throws
  {
    let store = try Store()
    try store.write { store.create(Todo.self, value: ["name": "A"]) }
    let queue = DispatchQueue(label: "observers")
    let log = Mutex<[String]>([])
    let token = store.objects(Todo.self).observe(on: queue) { change in
      if case .update(let todos, _, _, let modifications) = change {
        log.withLock { $0.append("\(todos[0].name) \(modifications)") }
      }
    }
    @ThreadSafe var todo = store.objects(Todo.self).first
    let wrapper = _todo
    queue.sync {
      #expect(wrapper.wrappedValue?.name == "A")
    }
    let first = try #require(store.objects(Todo.self).first)
    try store.write { first.name = "B" }
    for _ in 0..<1000 where log.withLock({ $0.isEmpty }) {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(log.withLock { $0 } == ["B [0]"])
    token.invalidate()
  }

  @Test
  @MainActor func `a frozen value is read by any thread, at its version`() async throws {
    let store = try Store()
    let todo = Todo()
    todo.name = "A"
    todo.next = Todo()
    try store.write { store.add(todo) }
    let old = todo.frozen
    let frozenAll = store.objects(Todo.self).frozen
    try store.write { todo.name = "B" }
    let names = await Task.detached { (old.name, old.base.next?.name, frozenAll.base.map(\.name)) }
      .value
    #expect(names.0 == "A" && names.1 == "" && names.2.sorted() == ["", "A"])
    #expect(old.base.isFrozen && old.base.thaw()?.name == "B" && !todo.isFrozen)
    var error = ""
    let token = old.base.observe { error = "\($0)" }
    for _ in 0..<500 where error.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    #expect(error.contains("frozen"))
    token.invalidate()
  }

  @Test
  @MainActor func `records are decoded from objects, and objects created from records`() throws {
    struct New: Encodable {
      struct Next: Encodable { let name: String }
      let name: String
      let count: Int
      let next: Next
      let tags: [String]
    }
    let store = try Store()
    try store.write {
      store.create(Todo.self, value: New(name: "x", count: 5, next: .init(name: "y"), tags: ["t"]))
    }
    let todo = try #require(store.objects(Todo.self).first { $0.name == "x" })
    let record = try todo.decoded(as: TodoRecord.self)
    #expect(
      record == TodoRecord(name: "x", owner: nil, count: 5, next: .init(name: "y"), tags: ["t"]))
    try store.write { todo.count = 1000 }
    #expect(throws: DecodingError.self) { try todo.decoded(as: TodoRecord.self) }
    #expect(throws: HeraldError.self) {
      try store.write { store.create(Todo.self, value: ["nam": "z"]) }
    }
    try store.write {
      store.create(Todo.self, value: ["_id": todo._id, "name": "w"], update: .modified)
    }
    #expect(todo.name == "w" && todo.count == 1000 && todo.tags.count == 1)
  }

  @Test
  @MainActor func `changes are a sequence, and a slow consumer gets one change`() async throws {
    let store = try Store()
    try store.write { store.create(Todo.self, value: ["name": "A"]) }
    var iterator = store.objects(Todo.self).changes().makeAsyncIterator()
    if case .initial(let todos)? = await iterator.next() {
      #expect(todos.count == 1)
    } else {
      Issue.record()
    }
    try store.write { store.create(Todo.self, value: ["name": "B"]) }
    try store.write { store.create(Todo.self, value: ["name": "C"]) }
    let change = await iterator.next()
    #expect(change?.insertions == [1, 2])
    var records = store.objects(Todo.self).changes(as: TodoRecord.self).makeAsyncIterator()
    #expect(await records.next()?.rows.map(\.name) == ["A", "B", "C"])
    try store.write {
      store.create(Todo.self, value: ["name": "D"])
      store.delete(store.objects(Todo.self)[0])
    }
    let last = await records.next()
    #expect(last?.rows.map(\.name) == ["B", "C", "D"])
    #expect(last?.deletions == [0] && last?.insertions == [2])
  }

  @Test func `a store on a queue ends its turns by itself`() async throws {
    let queue = DispatchQueue(label: "store")
    let owner = QueueOwner()
    queue.async { owner.open(on: queue) }
    for _ in 0..<1000 where owner.log.withLock({ $0.count < 1 }) {
      try await Task.sleep(for: .milliseconds(2))
    }
    queue.async { owner.add() }
    for _ in 0..<1000 where owner.log.withLock({ $0.count < 2 }) {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(owner.log.withLock { $0 } == [0, 1])
    queue.sync { owner.close() }
  }

  @Test func `a store on an actor ends its turns by itself`() async throws {
    let owner = ActorOwner()
    try await owner.open()
    for _ in 0..<1000 where await owner.log.count < 1 {
      try await Task.sleep(for: .milliseconds(2))
    }
    try await owner.add()
    for _ in 0..<1000 where await owner.log.count < 2 {
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(await owner.log == [0, 1])
  }
}

private actor ActorOwner {
  var log: [Int] = []
  private var store: Store?
  private var token: NotificationToken?

  func open() throws {
    let store = try Store(on: self)
    self.store = store
    token = store.objects(Todo.self).observe { [unowned self] change in
      self.log.append(change.collection?.count ?? -1)
    }
  }

  func add() throws { try store?.write { store?.create(Todo.self, value: ["name": "A"]) } }
}

/// `@unchecked Sendable`: the store and the token are used on the queue alone.
private final class QueueOwner: @unchecked Sendable {
  let log = Mutex<[Int]>([])
  private var store: Store?
  private var token: NotificationToken?

  func open(on queue: DispatchQueue) {
    do {
      let store = try Store(on: queue)
      self.store = store
      token = store.objects(Todo.self).observe { [unowned self] change in
        log.withLock { $0.append(change.collection?.count ?? -1) }
      }
    } catch {
      Issue.record(error)
    }
  }

  func add() {
    do {
      try store?.write { store?.create(Todo.self, value: ["name": "A"]) }
    } catch {
      Issue.record(error)
    }
  }

  func close() {
    token = nil
    store = nil
  }
}
