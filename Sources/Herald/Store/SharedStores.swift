package import Dispatch
import HeraldEngine
import HeraldModel
import Synchronization

/// The stores that a program opens by their names wherever it needs them: each thread, queue and actor has one session
/// of each, as long as something of it is in use. A store in memory lives as long as the process.
package enum SharedStores {
  package enum Executor {
    /// The main actor if the caller is on it, otherwise the calling thread.
    case current
    case queue(DispatchQueue)
    case actor(any Actor)

    fileprivate var identity: SessionOwner.Identity {
      switch self {
      case .current: .current
      case .queue(let queue): .of(queue)
      case .actor(let actor): .of(actor)
      }
    }

    fileprivate var owner: SessionOwner {
      switch self {
      case .current: .current()
      case .queue(let queue): .queue(queue)
      case .actor(let actor): .actor(actor)
      }
    }
  }

  private struct Key: Hashable {
    enum Location: Hashable {
      case memory(String)
      case file(path: String, readOnly: Bool)
    }

    let location: Location
    let owner: SessionOwner.Identity
  }

  /// `@unchecked Sendable`: each session is used by its owner alone, and stores in memory by nobody.
  private struct Sessions: @unchecked Sendable {
    var open: [Key: WeakCore] = [:]
    var memory: [String: DynamicStore] = [:]
  }

  private struct WeakCore { weak var core: StoreCore? }

  private static let sessions = Mutex(Sessions())

  /// Returns the session of a file for an executor, which `open` opens where there is none. Errors: those of `open`.
  package static func store(
    file path: String, readOnly: Bool, on executor: Executor, open: (Executor) throws -> Store
  ) throws -> Store {
    try store(Key(location: .file(path: path, readOnly: readOnly), owner: executor.identity)) {
      try open(executor)
    }
  }

  /// Returns the session of a store in memory for an executor. Errors: those of opening a session.
  package static func store(
    memory name: String, on executor: Executor, _ objectTypes: [ObjectBase.Type]
  ) throws -> Store {
    try store(Key(location: .memory(name), owner: executor.identity)) {
      let address = try sessions.withLock { sessions in
        if let store = sessions.memory[name] { return store.address }
        let store = try DynamicStore()
        sessions.memory[name] = store
        return store.address
      }
      return try Store(address.newSession(named: name), executor.owner, objectTypes)
    }
  }

  private static func store(_ key: Key, open: () throws -> Store) throws -> Store {
    if let core = known(key) { return core.facade }
    let store = try open()
    let core = UncheckedCore(core: store.core)
    sessions.withLock {
      $0.open = $0.open.filter { $0.value.core != nil }
      $0.open[key] = WeakCore(core: core.core)
    }
    return store
  }

  private static func known(_ key: Key) -> StoreCore? {
    let found = sessions.withLock { UncheckedCore(core: $0.open[key]?.core) }
    return found.core.flatMap { $0.session.isClosed || !$0.owner.exists ? nil : $0 }
  }

  /// `@unchecked Sendable`: passed from the table to the session's owner, and back.
  private struct UncheckedCore: @unchecked Sendable { let core: StoreCore? }
}
