import Dispatch
import Glibc

/// The thread, queue or actor that a store belongs to.
final class SessionOwner {
  private enum Kind {
    case thread
    /// The main thread or queue: a program that gives its main thread to Dispatch has main-actor code on any thread.
    case main
    case queue(DispatchQueue)
    case actor(any Actor)
    /// Any thread, one at a time: a frozen store.
    case everyone
  }

  private let kind: Kind
  /// The thread on which no further check is needed; nil where there is none.
  private let thread: pthread_t?
  /// Ends the store's turns; nil where the program does with `refresh`.
  let turns: TurnScheduler?

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  private init(_ kind: Kind, thread: pthread_t? = nil, _ turns: TurnScheduler? = nil) {
    self.kind = kind
    self.turns = turns
    self.thread = thread
  }

  /// The main actor if the caller is on it; otherwise the calling thread.
  static func current() -> SessionOwner {
    isMain ? queue(.main) : SessionOwner(.thread, thread: pthread_self())
  }

  static func everyone() -> SessionOwner { SessionOwner(.everyone) }

  static func queue(_ queue: DispatchQueue) -> SessionOwner {
    let turns = TurnScheduler { queue.async(execute: $0) }
    if queue === DispatchQueue.main {
      return SessionOwner(.main, thread: isMainThread ? pthread_self() : nil, turns)
    }
    queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    return SessionOwner(.queue(queue), turns)
  }

  static func actor(_ actor: any Actor) -> SessionOwner {
    if actor === MainActor.shared { return queue(.main) }
    return SessionOwner(
      .actor(actor),
      TurnScheduler { [weak actor] work in
        if let actor { Task { await actor.perform(work) } }
      })
  }

  private static var isMainThread: Bool { getpid() == gettid() }

  private static let hasMarkedMainQueue: Bool = {
    DispatchQueue.main.setSpecific(key: key, value: ObjectIdentifier(DispatchQueue.main))
    return true
  }()

  /// Whether the caller is on the main thread or the main queue.
  static var isMain: Bool {
    isMainThread
      || hasMarkedMainQueue
        && DispatchQueue.getSpecific(key: key) == ObjectIdentifier(DispatchQueue.main)
  }

  @inline(__always) var isCurrent: Bool {
    if let thread, pthread_equal(pthread_self(), thread) != 0 { return true }
    return isCurrentElsewhere
  }

  @inline(never)
  private var isCurrentElsewhere: Bool {
    switch kind {
    case .thread: return false
    case .main: return Self.isMain
    case .everyone: return true
    case .queue(let queue):
      return DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue)
    case .actor(let actor):
      actor.preconditionIsolated("a store is used outside its actor")
      return true
    }
  }

  @inline(never)
  func stop() -> Never {
    let owner =
      switch kind {
      case .thread: "another thread"
      case .main: "the main actor"
      case .queue(let queue): "the queue '\(queue.label)'"
      case .actor(let actor): "the actor '\(actor)'"
      case .everyone: "nobody"
      }
    stopProgram(
      "an object, a collection or a store that belongs to \(owner) is used from here; pass it on with "
        + "ThreadSafeReference or as frozen")
  }
}

/// The number of the calling thread; that of the main thread is the process's. Not in the module of the C library.
@_silgen_name("gettid") private func gettid() -> pid_t

extension Actor {
  fileprivate func perform(_ work: @Sendable () -> Void) { work() }
}
