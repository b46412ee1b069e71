import Herald

class KindToy: EmbeddedObject {
  @Persisted var name = ""
}

class KindDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toy: KindToy?
  @Persisted var owner: KindDog?
  @Persisted var pals: List<KindDog>
  @Persisted var friends: MutableSet<KindDog>
  @Persisted var mates: Map<String, KindDog?>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<KindDog>
}

class KindCard: Projection<KindDog> {
  @Projected(\KindDog.name) var title
  @Projected(\KindDog.age) var years
}

/// One kind of thing that can be observed, with every face that it has: a block, an actor, a sequence, key paths,
/// `freeze`, and a reference to it.
@MainActor struct ObservableKind {
  let name: String
  /// What its observers receive when the names in the store change.
  let notified: String
  /// What they receive first; nil for nothing.
  let first: String?
  /// Key paths with which they do not receive it.
  let deafening: [String]

  /// What an observer has received, and the store that it belongs to.
  struct Received: Sendable {
    let text: String
    let store: ObjectIdentifier?

    init(_ text: String, _ store: Store?) {
      self.text = text
      self.store = store.map(ObjectIdentifier.init)
    }
  }

  typealias Notify = (Received) -> Void

  let observe: (Store, [String]?, @escaping Notify) throws -> NotificationToken
  let observeOn: (Store, ChangeRecorder, [String]?) async throws -> NotificationToken
  let steps: (Store, [String]?) throws -> () async -> String?
  /// The name that changes, of the thing frozen.
  let freeze: (Store) throws -> () -> String
  let observeFrozen: (Store, @escaping Notify) throws -> NotificationToken
  /// Whether a reference leads to it in another session.
  let refer: (Store) throws -> (Store) throws -> Bool

  /// How a kind is found, read and observed.
  struct Faces<Thing: Freezable, Change> {
    let find: (Store) throws -> Thing
    let read: (Thing) -> String
    let received: @Sendable (Change) -> Received
    let observe: (Thing, [String]?, @escaping (Change) -> Void) -> NotificationToken
    let observeOn:
      (
        Thing, ChangeRecorder, [String]?,
        @escaping @Sendable (isolated ChangeRecorder, Change) -> Void
      ) async -> NotificationToken
    let changes: (Thing, [String]?) -> ObservedSequence<Change>
  }

  init<Thing: Freezable, Change>(
    _ name: String, notifies notified: String, after first: String? = nil,
    deafening: [String] = [], _ faces: Faces<Thing, Change>
  ) {
    (self.name, self.notified, self.first, self.deafening) = (name, notified, first, deafening)
    let received = faces.received
    observe = { store, keyPaths, notify in
      faces.observe(try faces.find(store), keyPaths) { notify(received($0)) }
    }
    observeOn = { store, recorder, keyPaths in
      let ours = ObjectIdentifier(store)
      return await faces.observeOn(try faces.find(store), recorder, keyPaths) { recorder, change in
        let received = received(change)
        recorder.record(received.store == ours ? "of a wrong session" : received.text)
      }
    }
    steps = { store, keyPaths in
      var iterator = faces.changes(try faces.find(store), keyPaths).makeAsyncIterator()
      return { await iterator.next(isolation: #isolation).map { received($0).text } }
    }
    freeze = { store in
      let frozen = try faces.find(store).freeze()
      return { faces.read(frozen) }
    }
    observeFrozen = { store, notify in
      faces.observe(try faces.find(store).freeze(), nil) { notify(received($0)) }
    }
    refer = { store in
      let reference = ThreadSafeReference(to: try faces.find(store))
      return { try $0.resolve(reference) != nil }
    }
  }
}
