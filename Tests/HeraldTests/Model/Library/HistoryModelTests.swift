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

  /// After each commit, from the first on: the record of a commit makes its version from the one before.
  @Test(arguments: seeds(40))
  func `what a reader of the feed rebuilds is the store, at every version`(
    seed: UInt64
  ) async throws {
    let folder = try TemporaryFolder()
    let (run, store) = try makeRun(seed, folder)
    defer { withExtendedLifetime((run, folder)) { store.close() } }
    var rebuilt = RebuiltStore()
    let last = store.version
    var next = 1
    for try await commit in store.commits(since: 0) {
      #expect(commit.version == next)
      next += 1
      rebuilt.apply(commit)
      try rebuilt.expectEqual(store.frozen(at: commit.version), "HERALD_SEED=\(seed)")
      if commit.version == last { break }
    }
    // With a snapshot of any version, and the commits after it.
    let start = run.random.below(last + 1)
    var joined = try RebuiltStore(store.frozen(at: start))
    for version in start..<last { joined.apply(try store.commit(version + 1)) }
    try joined.expectEqual(store, "HERALD_SEED=\(seed), from \(start)")
  }

  /// Runs a model until it ends; then gives the store to `body`.
  private func withRun(_ seed: UInt64, _ body: (ModelRun, DynamicStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (run, reader) = try makeRun(seed, folder)
    defer { reader.close() }
    try body(run, reader)
  }

  /// Runs a model, of every kind in turn and every third on disk, with a session in another process, until it ends;
  /// returns it with a session of its store.
  private func makeRun(
    _ seed: UInt64, _ folder: TemporaryFolder
  ) throws -> (ModelRun, DynamicStore) {
    let kinds: [ModelFocus] = [.everything, .schemas, .nested, .collections]
    let focus = kinds[Int(seed % 4)]
    let store =
      seed % 3 == 0 && focus != .schemas
      ? try DynamicStore(path: "\(folder.path)/model.hdb") : try DynamicStore()
    let run = try ModelRun(seed: seed, level: LibraryLevel(store), focus: focus)
    if let failure = run.failure(ofTransactions: 30) { Issue.record(failure) }
    // A session without observers, whose blocks would write.
    let reader = try store.newSession()
    for session in run.sessions { session.leave() }
    store.close()
    return (run, reader)
  }
}

/// What a reader of the feed has of a store: the contents of its objects, by name.
private struct RebuiltStore {
  private var objects: [ObjectID: [String: PropertyContent]] = [:]

  init() {}

  /// A snapshot.
  init(_ store: DynamicStore) throws {
    for classSchema in store.schema.classes where classSchema.isDeclared {
      for object in try store.results(of: classSchema)?.objects ?? [] {
        objects[object.id] = try Self.contents(of: object, classSchema)
      }
    }
  }

  mutating func apply(_ commit: Commit) {
    for change in commit.changes + commit.alterations {
      switch change.change {
      case .inserted(let properties):
        #expect(objects[change.id] == nil, "\(change.id)")
        objects[change.id] = Self.contents(properties)
      case .modified(let properties):
        for property in properties {
          let old = objects[change.id]?[property.name] ?? .value(.null)
          #expect(old == property.old, "version \(commit.version), \(change.id) \(property.name)")
          objects[change.id]?[property.name] = property.new
        }
      case .deleted(let properties):
        let known = objects.removeValue(forKey: change.id)?.filter { $0.value != .value(.null) }
        #expect(known == Self.contents(properties), "version \(commit.version), \(change.id)")
      }
    }
    // Names that the classes have no longer are null in what the commit says.
    guard commit.classes != nil else { return }
    for (id, names) in objects { objects[id] = names.filter { $0.value != .value(.null) } }
  }

  func expectEqual(_ store: DynamicStore, _ place: String) throws {
    let other = try RebuiltStore(store)
    #expect(objects.count == other.objects.count, "\(place), version \(store.version)")
    for (id, contents) in other.objects {
      for (name, content) in contents {
        #expect(
          objects[id]?[name] ?? .value(.null) == content,
          "\(place), version \(store.version): \(id) \(name)")
      }
    }
  }

  private static func contents(_ properties: [Commit.Property]) -> [String: PropertyContent] {
    Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.content) })
      .filter { $0.value != .value(.null) }
  }

  private static func contents(
    of object: ObjectHandle, _ classSchema: ClassSchema
  ) throws -> [String: PropertyContent] {
    var contents: [String: PropertyContent] = [:]
    for property in classSchema.properties where !property.type.isBacklinks {
      if property.type.shape == .single {
        contents[property.name] = .value(try object.value(property.name))
      } else {
        let collection = try object.collection(property.name)
        contents[property.name] =
          collection.isMap
          ? .map(MapEntries(zip(collection.keys, collection.values))) : .list(collection.values)
      }
    }
    return contents.filter { $0.value != .value(.null) }
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
