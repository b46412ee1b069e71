import Dispatch
import Foundation
import HeraldCompatibility
import TestSupport
import Testing

private final class Note: Object {
  @Persisted var n = 0
  @Persisted var words: List<Int>
  @Persisted var byName: Map<String, Int>
  @Persisted var next: Note?
}

/// Objects that move between sessions, threads and transactions.
@Suite(.serialized) @MainActor struct SessionTests {
  private let folder: TemporaryFolder
  private let file: Realm.Configuration
  private let memory = Realm.Configuration(inMemoryIdentifier: "sessions")

  init() throws {
    folder = try TemporaryFolder()
    file = Realm.Configuration(fileURL: URL(fileURLWithPath: folder.path + "/notes.hdb"))
  }

  private var configurations: [Realm.Configuration] { [file, memory] }

  private func onQueue(_ body: @escaping @Sendable () throws -> Void) throws {
    try DispatchQueue(label: "notes").sync(execute: body)
  }

  private static func open(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration)
  }

  private func note(_ configuration: Realm.Configuration) throws -> (Realm, Note) {
    let realm = try Realm(configuration: configuration)
    let note = Note()
    try realm.write { realm.add(note) }
    return (realm, note)
  }

  @Test func `a thread-safe variable is of the session that has the transaction`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      @ThreadSafe var shared = note
      let wrapper = _shared
      try onQueue {
        let realm = try Realm(configuration: configuration)
        try realm.write { wrapper.wrappedValue?.n = 3 }
        #expect(wrapper.wrappedValue?.realm == realm)
      }
      try onQueue {
        // Read before the session is opened by name, which then is the same.
        let object = wrapper.wrappedValue
        let realm = try Realm(configuration: configuration)
        #expect(object?.realm == realm)
        try realm.write { object?.n += 1 }
      }
      realm.refresh()
      #expect(note.n == 4 && shared?.realm == realm)
    }
  }

  @Test func `a thread-safe variable is of a store that the thread holds`() throws {
    let path = folder.path + "/held.hdb"
    let store = try Store(path: path)
    let note = try store.write { store.create(Note.self) }
    @ThreadSafe var shared = note
    let wrapper = _shared
    try onQueue {
      let store = try Store(path: path)
      try store.write { wrapper.wrappedValue?.n = 5 }
      #expect(wrapper.wrappedValue?.store == store)
    }
    store.refresh()
    #expect(note.n == 5)
  }

  @Test func `a thread-safe variable has what another thread read of it`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      @ThreadSafe var shared = note
      let wrapper = _shared
      try onQueue {
        let realm = try Realm(configuration: configuration)
        try realm.write { wrapper.wrappedValue?.n = 3 }
      }
      try onQueue { #expect(wrapper.wrappedValue?.n == 3) }
      #expect(shared?.n == 3 && note.n == 3 && shared?.realm == realm)
    }
  }

  @Test func `a thread-safe variable has what another thread wrote through it`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      @ThreadSafe var shared = note
      @ThreadSafe var numbers = note.byName
      let (wrapper, map) = (_shared, _numbers)
      try onQueue {
        let realm = try Realm(configuration: configuration)
        try realm.write { map.wrappedValue?["a"] = 1 }
      }
      #expect(numbers?["a"] == 1 && numbers?.count == 1)
      try onQueue {
        let realm = try Realm(configuration: configuration)
        try realm.write { wrapper.wrappedValue?.n = 7 }
      }
      #expect(shared?.n == 7 && note.n == 7 && shared?.realm == realm)
    }
  }

  @Test func `what is frozen is thawed on every thread, also without its session`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      try realm.write { note.words.append(1) }
      let (frozen, words) = (note.frozen, note.words.frozen)
      #expect(frozen.base.thaw() == note)
      try onQueue {
        let live = try #require(frozen.base.thaw())
        #expect(!live.isFrozen && live.realm != nil && words.base.thaw()?.count == 1)
        let realm = try Realm(configuration: configuration)
        let thawed = frozen.base.realm?.thaw()
        #expect(live.realm == realm && thawed == realm)
        try realm.write { live.n = 6 }
      }
      realm.refresh()
      #expect(note.n == 6 && frozen.n == 0)
      try realm.write { realm.delete(note) }
      #expect(frozen.base.thaw() == nil)
      try onQueue { #expect(frozen.base.thaw() == nil) }
    }
    let alone = try { () throws -> Frozen<Note> in
      let store = try Store(path: folder.path + "/alone.hdb")
      return try store.write { store.create(Note.self, value: ["n": 7]) }.frozen
    }()
    #expect(alone.base.thaw()?.n == 7)
  }

  @Test func `an invalidated realm begins anew at its next use`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      let notes = realm.objects(Note.self)
      realm.beginWrite()
      note.n = 1
      realm.invalidate()
      #expect(note.isInvalidated && notes.isInvalidated && !realm.isInWriteTransaction)
      #expect(try Realm(configuration: configuration) == realm)
      let again = try #require(realm.objects(Note.self).last)
      #expect(again.n == 0 && again.realm == realm)
      try realm.write { again.n = 2 }
      realm.invalidate()
      realm.invalidate()
      #expect(realm.objects(Note.self).last?.n == 2)
      try onQueue {
        let notes = try Realm(configuration: configuration).objects(Note.self)
        #expect(notes.count > 0)
      }
    }
  }

  @Test func `what is frozen in a transaction is at its beginning`() throws {
    for configuration in configurations {
      let (realm, note) = try note(configuration)
      try realm.write {
        note.n = 1
        note.words.append(2)
        let added = realm.create(Note.self)
        let (frozen, all) = (note.freeze(), realm.freeze().objects(Note.self))
        #expect(frozen.n == 0 && frozen.words.isEmpty && note.words.freeze().isEmpty)
        #expect(all.count == realm.objects(Note.self).count - 1)
        #expect(realm.objects(Note.self).freeze().count == all.count && added.n == 0)
        note.n = 2
        #expect(note.freeze().n == 0 && frozen.isFrozen && frozen.thaw()?.n == 2)
      }
      #expect(note.freeze().n == 2 && note.freeze().words.count == 1)
    }
  }

  @Test func `what a transaction has added cannot be frozen in it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store()
      try store.write { _ = store.create(Note.self).freeze() }
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(printed.contains("the open transaction has added it"))
  }

  @Test func `a cancelled task does not begin its transaction`() async throws {
    let configuration = memory
    let task = Task { @MainActor in
      let realm = try Self.open(configuration)
      withUnsafeCurrentTask { $0?.cancel() }
      try await realm.asyncWrite { _ = realm.create(Note.self, value: ["n": 99]) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let count = try await MainActor.run {
      try Self.open(configuration).objects(Note.self).where { $0.n == 99 }.count
    }
    #expect(count == 0)
  }

  @Test func `an open transaction keeps its session`() throws {
    for configuration in configurations {
      // Keeps a store in memory, and is no session.
      let frozen = try Realm(configuration: configuration).freeze()
      defer { withExtendedLifetime(frozen) {} }
      let before = try Realm(configuration: configuration).objects(Note.self).count
      try Realm(configuration: configuration).beginWrite()
      _ = try Realm(configuration: configuration).create(Note.self)
      #expect(try Realm(configuration: configuration).isInWriteTransaction)
      try Realm(configuration: configuration).commitWrite()
      #expect(try Realm(configuration: configuration).objects(Note.self).count == before + 1)
      try Realm(configuration: configuration).beginWrite()
      _ = try Realm(configuration: configuration).create(Note.self)
      try Realm(configuration: configuration).cancelWrite()
      #expect(try Realm(configuration: configuration).objects(Note.self).count == before + 1)
      try onQueue {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(Note.self) }
      }
    }
  }

  @Test func `objects that were linked in a cycle are released`() throws {
    weak var first: Note?
    weak var second: Note?
    let store = try Store()
    try store.write {
      let (one, other, own) = (Note(), Note(), Note())
      (one.next, other.next, own.next) = (other, one, own)
      store.add([one, own])
      (first, second) = (one, own)
      #expect(one.next == other && one.next?.next == one && own.next == own)
    }
    #expect(first == nil && second == nil && store.objects(Note.self).count == 3)
    let (one, other) = (Note(), Note())
    (one.next, other.next) = (other, one)
    let foreign = try Store()
    other.words.append(1)
    try foreign.write { foreign.add(one) }
    #expect(one.next == other && other.next == one && other.words.count == 1)
  }
}
