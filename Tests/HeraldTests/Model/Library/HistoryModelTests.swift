import Herald
import OtherProcess
import TestSupport
import Testing

@testable import TestModel

/// The log against the model, which keeps the state of every version: what is read of an earlier version is what
/// the model had then; undoing every commit leads back through these states, and redoing them forward again.
///
///     HERALD_SEED=18 scripts/test --filter HistoryModelTests
struct HistoryModelTests {
  @Test(arguments: seeds(40))
  func `every kept version reads as it was when it was committed`(seed: UInt64) throws {
    try withRun(seed) { run, store in
      for version in run.states.keys.sorted().shuffled(using: &run.random) {
        try run.compare(store, at: version)
      }
    }
  }

  @Test(arguments: seeds(20))
  func `undoing commits leads back through the versions, and redoing them forward`(
    seed: UInt64
  ) throws {
    try withRun(seed) { run, store in
      let end = store.version
      var undone = 0
      do {
        while undone < 30 {
          let version = try store.undo()
          #expect(version == end - undone, "HERALD_SEED=\(seed)")
          undone += 1
          try run.compare(store, as: version - 1)
        }
      } catch HeraldError.cannotUndo(let version, _, _) {
        // Of the runs, some change classes.
        #expect(version == end - undone, "HERALD_SEED=\(seed)")
      }
      for step in 0..<undone {
        try store.redo()
        try run.compare(store, as: end - undone + step + 1)
      }
      #expect(throws: HeraldError.nothingToUndo(isRedo: true)) { try store.redo() }
      #expect(store.version == end + 2 * undone)
    }
  }

  @Test(arguments: seeds(20))
  func `what a reader of the feed rebuilds is the store`(seed: UInt64) async throws {
    var rebuilt: [ObjectID: [String: PropertyContent]] = [:]
    let store = try withRun(seed, isClosed: false) { _, store in store }
    defer { store.close() }
    let last = store.version
    var next = 1
    for try await commit in store.commits(since: 0) {
      #expect(commit.version == next)
      next += 1
      for change in commit.changes {
        switch change.change {
        case .inserted(let properties):
          #expect(rebuilt[change.id] == nil)
          rebuilt[change.id] = Dictionary(
            uniqueKeysWithValues: properties.map { ($0.name, $0.content) })
        case .modified(let properties):
          for property in properties {
            #expect(rebuilt[change.id]?[property.name] == property.old)
            rebuilt[change.id]?[property.name] = property.new
          }
        case .deleted(let properties):
          #expect(
            rebuilt.removeValue(forKey: change.id)
              == Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.content) }))
        }
      }
      if commit.version == last { break }
    }
    try expect(rebuilt, in: store)
  }

  private func expect(
    _ rebuilt: [ObjectID: [String: PropertyContent]], in store: DynamicStore
  ) throws {
    var count = 0
    for classSchema in store.schema.classes where classSchema.isDeclared {
      for object in try store.objects(classSchema.name).objects {
        count += 1
        for property in classSchema.properties where !property.type.isBacklinks {
          let content: PropertyContent
          if property.type.shape == .single {
            content = .value(try object.value(property.name))
          } else {
            let collection = try object.collection(property.name)
            content =
              collection.isMap
              ? .map(MapEntries(zip(collection.keys, collection.values)))
              : .list(collection.values)
          }
          #expect(rebuilt[object.id]?[property.name] == content, "\(object.id) \(property.name)")
        }
      }
    }
    #expect(rebuilt.count == count)
  }

  /// Runs a model, of every kind in turn and every third on disk, until it ends; then gives the store to `body`.
  @discardableResult
  private func withRun<R>(
    _ seed: UInt64, isClosed: Bool = true, _ body: (ModelRun, DynamicStore) throws -> R
  ) throws -> R {
    // Where a reader is returned, the store is in memory, and its classes stay.
    let kinds: [ModelFocus] = [.everything, isClosed ? .schemas : .objects, .nested, .collections]
    let focus = kinds[Int(seed % 4)]
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store =
      seed % 3 == 0 && focus != .schemas && isClosed
      ? try DynamicStore(path: "\(folder.path)/model.hdb") : try DynamicStore()
    let run = try ModelRun(seed: seed, level: LibraryLevel(store), focus: focus)
    if let failure = run.failure(ofTransactions: 30) { Issue.record(failure) }
    // A session without observers, whose blocks would write.
    let reader = try store.newSession()
    for session in run.sessions { session.leave() }
    store.close()
    defer { if isClosed { reader.close() } }
    return try body(run, reader)
  }
}

extension ModelRun {
  /// Compares what the store was at a version with the state that the model had.
  fileprivate func compare(_ store: DynamicStore, at version: Int) throws {
    guard let state = states[version] else { return }
    note("read version \(version) of \(latest)")
    let session = ModelSession(name: "version \(version)", version: version, isRemote: false)
    session.link = LibrarySession(try store.frozen(at: version)) { _ in .fail }
    try compareAll(session, state)
  }

  /// Compares what the store is now with the state that the model had at a version.
  fileprivate func compare(_ store: DynamicStore, as version: Int) throws {
    guard let state = states[version] else { return }
    note("version \(store.version) is as \(version) was")
    let session = ModelSession(name: "now", version: store.version, isRemote: false)
    session.link = LibrarySession(store) { _ in .fail }
    try compareAll(session, state)
    try checkStore(session)
  }
}
