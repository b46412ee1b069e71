import Herald

@testable import TestModel

/// One kind of thing that can be observed, with every face that it has: a block, an actor, a sequence,
/// key paths, `frozen`, and a reference to it.
struct ObservableKind: Sendable, CustomStringConvertible {
  let description: String
  /// What its observers receive when the names in the kennel change.
  let notified: String
  /// What they receive first; nil for nothing.
  let first: String?
  /// Key paths with which they do not receive it; nil where there are no key paths.
  let deafening: [String]?

  typealias Tell = (String) -> Void
  typealias Steps = () async throws -> String?

  let observe: @Sendable (DynamicStore, [String]?, @escaping Tell) throws -> ObservationToken
  let observeOn: @Sendable (DynamicStore, ChangeRecorder, [String]?) async throws -> ActorToken
  let steps: @Sendable (DynamicStore, [String]?) throws -> Steps
  /// The name that changes, of the thing frozen and unfrozen.
  let freeze: @Sendable (DynamicStore) throws -> @Sendable () throws -> String
  let observeFrozen: @Sendable (DynamicStore) throws -> Void
  /// Whether a reference leads to it in another session.
  let refer: @Sendable (DynamicStore) throws -> @Sendable (DynamicStore) throws -> Bool

  /// How a kind is found, read and observed.
  struct Faces<Thing: DynamicThreadConfined, Change>: Sendable {
    let find: @Sendable (DynamicStore) throws -> Thing
    let read: @Sendable (Thing) throws -> String
    let observe:
      @Sendable (Thing, [String]?, @escaping (Thing, Change) throws -> Void) throws ->
        ObservationToken
    let observeOn:
      @Sendable (
        Thing, ChangeRecorder, [String]?,
        @escaping @Sendable (isolated ChangeRecorder, Thing, Change) -> Void
      ) async throws -> ActorToken
    let changes: @Sendable (Thing, [String]?) throws -> ObservedChanges<Thing, Change>
  }

  init<Thing: DynamicThreadConfined, Change: Sendable>(
    _ name: String, notifies notified: String, after first: String? = nil,
    deafening: [String]? = nil,
    _ faces: Faces<Thing, Change>
  ) {
    description = name
    (self.notified, self.first, self.deafening) = (notified, first, deafening)
    observe = { store, keyPaths, notify in
      try faces.observe(faces.find(store), keyPaths) { thing, change in
        notify(Self.text(change, thing.store === store))
      }
    }
    observeOn = { store, recorder, keyPaths in
      let ours = ObjectIdentifier(store)
      return try await faces.observeOn(faces.find(store), recorder, keyPaths) {
        recorder, thing, change in
        recorder.record(Self.text(change, ObjectIdentifier(thing.store) != ours))
      }
    }
    steps = { store, keyPaths in
      var iterator = try faces.changes(faces.find(store), keyPaths).makeAsyncIterator()
      return {
        guard let step = await iterator.next() else { return nil }
        return Self.text(step.change, step.observed.store !== store)
      }
    }
    freeze = { store in
      let frozen = try faces.find(store).frozen
      return { try faces.read(frozen.base) }
    }
    observeFrozen = { store in
      let frozen = try faces.find(store).frozen
      _ = try faces.observe(frozen.base, nil) { _, _ in }
    }
    refer = { store in
      let reference = DynamicThreadSafeReference(to: try faces.find(store))
      return { try reference.resolve(in: $0)?.store === $0 }
    }
  }

  /// An event as the shell prints it; `isOwn` is whether what came with it belongs to the session
  /// that received it.
  private static func text(_ change: some Sendable, _ isOwn: Bool) -> String {
    guard isOwn else { return "of a wrong session" }
    switch change {
    case let change as DynamicCollectionChange: return change.text
    case let change as DynamicObjectChange:
      guard case .change(let properties) = change else { return "deleted" }
      return properties.map { "\($0.name) \($0.old.literal) -> \($0.new.literal)" }.joined()
    case let event as PropertyEvent:
      guard case .changed(let name, let old, let new) = event else { return "\(event)" }
      return "\(name) \(old.literal) -> \(new.literal)"
    default: return "\(change)"
    }
  }
}

extension DynamicCollectionChange {
  fileprivate var text: String {
    switch self {
    case .initial(let count): "initial \(count)"
    case .update(let changes, ownerDeleted: true): "owner deleted \(changes.deletions)"
    case .mapUpdate(let changes, ownerDeleted: true): "owner deleted \(changes.deletions)"
    case .update(let changes, ownerDeleted: false): "modifications \(changes.modifications)"
    case .mapUpdate(let changes, ownerDeleted: false): "modifications \(changes.modifications)"
    case .error(let error): "error \(error)"
    }
  }
}
