package import Dispatch
import HeraldEngine
import HeraldModel
import Synchronization

/// The stores that a program opens by their names wherever it needs them: each thread, queue and actor has one session
/// of each, as long as something of it is in use. A store in memory lives as long as its sessions, and the one that has
/// no name as long as the process.
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
    var open: [Key: OpenSession] = [:]
    var memory: [String: MemoryStore] = [:]
    /// Every store that programs hold, by its owner.
    var held: [SessionOwner.Identity: [WeakStore]] = [:]
  }

  private struct MemoryStore {
    weak var hub: StoreHub?
    /// Its first session, where that keeps it.
    let kept: DynamicStore?
  }

  private struct OpenSession {
    weak var core: StoreCore?
    weak var hub: StoreHub?
  }

  private struct WeakStore {
    weak var store: Store?
    weak var hub: StoreHub?
  }

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
        if let hub = sessions.memory[name]?.hub { return StoreAddress(hub: hub, isReadOnly: false) }
        let store = try DynamicStore()
        sessions.memory = sessions.memory.filter { $0.value.hub != nil }
        sessions.memory[name] = MemoryStore(
          hub: store.session.hub, kept: name.isEmpty ? store : nil)
        return store.address
      }
      return try Store(address.newSession(named: name), executor.owner, objectTypes)
    }
  }

  private static func store(_ key: Key, open: () throws -> Store) throws -> Store {
    if let core = known(key) { return core.facade }
    let store = try open()
    store.core.isShared = true
    let core = UncheckedCore(core: store.core)
    sessions.withLock {
      $0.open = $0.open.filter { $0.value.core != nil }
      $0.open[key] = OpenSession(core: core.core, hub: core.core?.session.hub)
    }
    return store
  }

  /// Returns the caller's session of a store: one with an open transaction, that which its name stands for, or any
  /// other that the caller holds; a new one where there is none. Errors: those of opening a session.
  static func core(at address: StoreAddress) throws -> StoreCore {
    let own = ownSessions(of: address.hub).filter {
      $0.owner.isCurrent && !$0.session.isClosed && $0.dynamic.isReadOnly == address.isReadOnly
    }
    if let core = own.first(where: \.isInWrite) ?? own.first { return core }
    func open() throws -> Store { Store(core: StoreCore(try address.newSession(), .current())) }
    guard let location = location(of: address.hub) else { return try open().core }
    return try store(Key(location: location, owner: .current), open: open).core
  }

  /// The sessions of the caller's thread, queue or actor, those that names stand for first.
  private static func ownSessions(of hub: StoreHub) -> [StoreCore] {
    let found = sessions.withLock { sessions in
      let open = sessions.open.filter { $0.value.hub === hub && $0.key.owner.mayBeCurrent }
      let held = sessions.held.filter(\.key.mayBeCurrent).values.joined()
      return UncheckedCores(
        cores: open.compactMap { $0.value.core }
          + held.compactMap { $0.hub === hub ? $0.store?.core : nil })
    }
    return found.cores
  }

  /// Whether a session of the file is open in the process.
  package static func isOpen(file path: String) -> Bool {
    sessions.withLock { sessions in
      sessions.open.contains { key, session in
        guard case .file(path, _) = key.location, let core = session.core else { return false }
        return !core.session.isClosed
      }
    }
  }

  private static func location(of hub: StoreHub) -> Key.Location? {
    sessions.withLock { sessions in
      if let memory = sessions.memory.first(where: { $0.value.hub === hub }) {
        return .memory(memory.key)
      }
      return sessions.open.first { $0.value.hub === hub }?.key.location
    }
  }

  /// Notes a store that the program holds.
  static func note(_ store: Store) {
    guard let owner = store.core.owner.identity else { return }
    let noted = UncheckedStore(store: store)
    sessions.withLock { sessions in
      if sessions.held[owner] == nil {
        // Owners come and go: whenever one comes, those that have gone are removed.
        sessions.held = sessions.held.filter { $0.value.contains { $0.store != nil } }
      }
      sessions.held[owner, default: []].removeAll { $0.store == nil }
      sessions.held[owner, default: []].append(
        WeakStore(store: noted.store, hub: noted.store.core.session.hub))
    }
  }

  /// Has the name of a session stand for another one, which takes its place.
  static func replace(_ core: StoreCore, by next: StoreCore) {
    let (core, next) = (UncheckedCore(core: core), UncheckedCore(core: next))
    sessions.withLock { sessions in
      for (key, session) in sessions.open where session.core === core.core {
        sessions.open[key]?.core = next.core
      }
    }
  }

  private static func known(_ key: Key) -> StoreCore? {
    let found = sessions.withLock { UncheckedCore(core: $0.open[key]?.core) }
    return found.core.flatMap { $0.session.isClosed || !$0.owner.exists ? nil : $0 }
  }

  /// `@unchecked Sendable`: passed from the table to the session's owner, and back.
  private struct UncheckedCore: @unchecked Sendable { let core: StoreCore? }
  /// `@unchecked Sendable`: as `UncheckedCore`.
  private struct UncheckedCores: @unchecked Sendable { let cores: [StoreCore] }
  /// `@unchecked Sendable`: as `UncheckedCore`.
  private struct UncheckedStore: @unchecked Sendable { let store: Store }
}
