import Dispatch
import Glibc
import HeraldEngine
import Synchronization

/// The thread, queue or actor that a store belongs to.
final class SessionOwner {
  private enum Kind {
    case thread
    /// The main thread or queue: a program that gives its main thread to Dispatch has main-actor code on any thread.
    case main
    case queue(DispatchQueue, number: Int)
    /// Not held: it may hold its store.
    case actor(WeakActor)
    /// Any thread, one at a time: a frozen store.
    case everyone
  }

  private struct WeakActor { weak var actor: (any Actor)? }

  /// A thread, queue or actor by a value that no other has while it exists.
  enum Identity: Hashable {
    case main
    case thread(UInt)
    case queue(Int)
    case actor(ObjectIdentifier)

    /// The main actor if the caller is on it; otherwise the calling thread.
    static var current: Identity { SessionOwner.isMain ? .main : .thread(UInt(pthread_self())) }

    /// Whether the caller is that thread, or on that queue; on an actor it may be.
    var mayBeCurrent: Bool {
      switch self {
      case .main: SessionOwner.isMain
      case .thread(let thread): thread == UInt(pthread_self())
      case .queue(let number): DispatchQueue.getSpecific(key: SessionOwner.key) == number
      case .actor: true
      }
    }

    static func of(_ queue: DispatchQueue) -> Identity {
      let number = SessionOwner.number(of: queue)
      return number == mainNumber ? .main : .queue(number)
    }

    static func of(_ actor: any Actor) -> Identity {
      actor === MainActor.shared ? .main : .actor(ObjectIdentifier(actor))
    }
  }

  private let kind: Kind
  /// The thread on which no further check is needed; 0 where there is none.
  let thread: UInt
  /// Not nil while a closure is being tracked on that thread; of another owner never nil.
  let tracked: TrackedThread.Word
  /// Ends the store's turns; nil where the program does with `refresh`.
  let turns: TurnScheduler?

  /// The numbers of queues, by which a caller's is known: objects of the class are no more than names for a queue, of
  /// which the main queue has many.
  private static let key = DispatchSpecificKey<Int>()
  private static let lastNumber = Atomic(0)

  /// The number of a queue, which it gets at the first call.
  private static func number(of queue: DispatchQueue) -> Int {
    if let number = queue.getSpecific(key: key) { return number }
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    queue.setSpecific(key: key, value: number)
    return number
  }

  private static let mainNumber = number(of: .main)

  private init(_ kind: Kind, thread: pthread_t? = nil, _ turns: TurnScheduler? = nil) {
    self.kind = kind
    self.turns = turns
    // It is the caller's thread, if there is one.
    self.thread = thread.map { UInt($0) } ?? 0
    tracked = thread == nil ? TrackedThread.occupied : TrackedThread.word
  }

  /// The main actor if the caller is on it; otherwise the calling thread.
  static func current() -> SessionOwner {
    isMain ? queue(.main) : SessionOwner(.thread, thread: pthread_self())
  }

  static func everyone() -> SessionOwner { SessionOwner(.everyone) }

  static func queue(_ queue: DispatchQueue) -> SessionOwner {
    let turns = TurnScheduler { queue.async(execute: $0) }
    guard case .queue(let number) = Identity.of(queue) else {
      return SessionOwner(.main, thread: isMainThread ? pthread_self() : nil, turns)
    }
    return SessionOwner(.queue(queue, number: number), turns)
  }

  static func actor(_ actor: any Actor) -> SessionOwner {
    if Identity.of(actor) == .main { return queue(.main) }
    return SessionOwner(
      .actor(WeakActor(actor: actor)),
      TurnScheduler { [weak actor] work in
        if let actor { Task { await actor.perform(work) } }
      })
  }

  /// The owner by value; nil for everyone, and for an actor that has been released.
  var identity: Identity? {
    switch kind {
    case .thread: .thread(thread)
    case .main: .main
    case .queue(_, let number): .queue(number)
    case .actor(let owner): owner.actor.map { .actor(ObjectIdentifier($0)) }
    case .everyone: nil
    }
  }

  /// Whether it can still use its session: false of an actor that has been released.
  var exists: Bool { if case .actor(let owner) = kind { owner.actor != nil } else { true } }

  private static var isMainThread: Bool { getpid() == gettid() }

  /// Whether the caller is on the main thread or the main queue.
  static var isMain: Bool {
    // Read before the comparison: the first read gives the main queue its number.
    let mainNumber = mainNumber
    return isMainThread || DispatchQueue.getSpecific(key: key) == mainNumber
  }

  /// Stops the program if the caller is elsewhere, with a sentence about `subject`, which begins it.
  @inline(__always) func check(_ subject: @autoclosure () -> String) {
    if UInt(pthread_self()) == thread { return }
    checkElsewhere(subject)
  }

  @inline(never)
  private func checkElsewhere(_ subject: () -> String) {
    if !isCurrentElsewhere { stopProgram(sentence(subject())) }
  }

  /// Whether a closure is being tracked on the calling thread.
  @inline(__always) var isTracking: Bool {
    if UInt(pthread_self()) == thread, tracked.pointee == nil { return false }
    return TrackedThread.isTracking
  }

  /// Whether the caller may use the store.
  var isCurrent: Bool {
    if UInt(pthread_self()) == thread { return true }
    return isCurrentElsewhere
  }

  private var isCurrentElsewhere: Bool {
    switch kind {
    case .thread: false
    case .main: Self.isMain
    case .everyone: true
    case .queue(_, let number): DispatchQueue.getSpecific(key: Self.key) == number
    case .actor(let owner): owner.actor?.isCurrentExecutor ?? true
    }
  }

  private func sentence(_ subject: String) -> String {
    let owner =
      switch kind {
      case .thread: "another thread"
      case .main: "the main actor"
      case .queue(let queue, _): "the queue '\(queue.label)'"
      case .actor(let owner): owner.actor.map { "the actor '\($0)'" } ?? "an actor"
      case .everyone: "nobody"
      }
    return "\(subject) belongs to \(owner) and cannot be used from here; pass it on with "
      + "ThreadSafeReference or as frozen"
  }
}

/// The number of the calling thread; that of the main thread is the process's. Not in the module of the C library.
@_silgen_name("gettid") private func gettid() -> pid_t

/// The test of the concurrency library that does not stop the program. It has no public name, and programs with a static
/// library do not export it.
private let currentExecutorTest:
  (@convention(c) (_ identity: UInt, _ implementation: UInt, _ flags: UInt) -> Bool)? = {
    guard let symbol = dlsym(nil, "swift_task_isCurrentExecutorWithFlags") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (UInt, UInt, UInt) -> Bool).self)
  }()

extension Actor {
  /// Whether the caller is on the actor; without a test, the runtime stops the program itself.
  nonisolated fileprivate var isCurrentExecutor: Bool {
    guard let currentExecutorTest else {
      preconditionIsolated("a store is used outside its actor")
      return true
    }
    let executor = unsafeBitCast(unownedExecutor, to: (UInt, UInt).self)
    return currentExecutorTest(executor.0, executor.1, 0)
  }

  fileprivate func perform(_ work: @Sendable () -> Void) { work() }
}

/// Ends the turns of a store on its executor: after an `observe`, a commit of its own or one elsewhere.
///
/// `@unchecked Sendable`: `core` is set once, before the scheduler is shared, and used on the executor alone.
final class TurnScheduler: @unchecked Sendable {
  private let enqueue: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
  private let isScheduled = Atomic(false)
  private weak var core: StoreCore?
  private var listener: CommitListener?

  init(_ enqueue: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) {
    self.enqueue = enqueue
  }

  /// Begins to end the turns of a store after commits elsewhere.
  func attach(_ core: StoreCore) {
    self.core = core
    guard !core.dynamic.isFrozen else { return }
    // Without threads or file watches, the store still ends turns after its own commits.
    listener = try? core.dynamic.onCommitElsewhere { [weak self] in self?.schedule() }
  }

  /// Requests a turn, from any thread, unless one is requested already.
  func schedule() {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    enqueue { [weak self] in self?.takeTurn() }
  }

  private func takeTurn() {
    isScheduled.store(false, ordering: .releasing)
    guard let core, !core.session.isClosed else { return }
    // Observers of a lost store receive its error.
    _ = try? core.dynamic.endTurn()
    core.deliverFailedObservers()
  }
}
