import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery
internal import Observation

/// The closures that Swift's Observation tracks, and what they have read of one session.
///
/// A registrar of Observation distinguishes key paths, not rows. So each read has a key path of its own, which holds the
/// read, and which a closure holds until it was notified: with the last such closure the read ends, with the last read
/// its source, and with that its observer in the engine. The tables here keep nothing.
final class Tracker: Observable {
  private let registrar = ObservationRegistrar()
  /// What is read of objects and of their collections; each query has its own.
  var sources = WeakTable<TrackedSource.Key, TrackedSource>()

  /// Nothing: the key path of a read names it for the registrar.
  subscript(read: TrackedRead) -> Void { () }

  /// Makes the closure that is being tracked wait for a change of what it has read.
  fileprivate func access(_ read: TrackedRead) {
    let path = read.path ?? \Tracker[read]
    read.path = path
    registrar.access(self, keyPath: path)
  }

  /// Notifies the closures that wait for changes of reads.
  func fire(_ reads: [TrackedRead]) {
    for read in reads {
      if let path = read.path { registrar.withMutation(of: self, keyPath: path) {} }
    }
  }
}

/// A part of an object or a collection that closures have read.
final class TrackedRead: Hashable {
  private let source: TrackedSource
  /// The element that was read; nil where there was none, and for other parts.
  let element: Value?
  /// Held by the closures that wait.
  fileprivate(set) weak var path: KeyPath<Tracker, Void>?

  init(of source: TrackedSource, _ element: Value?) {
    self.source = source
    self.element = element
  }

  static func == (a: TrackedRead, b: TrackedRead) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension StoreCore {
  /// The closures that are tracked.
  var tracker: Tracker {
    if let knownTracker { return knownTracker }
    let tracker = Tracker()
    knownTracker = tracker
    return tracker
  }

  /// Whether what is read may change for a closure that waits: not what is frozen, nor what an open write reads.
  var canTrack: Bool { !session.isFrozen && !session.isClosed && !isInWrite }

  /// Makes the closure that is being tracked wait for a change of a part of what is read, which must have been read at
  /// the session's version. `observe` registers an observer for the source that it is passed.
  func track<Source: TrackedSource>(
    _ part: TrackedPart, of makeSource: @autoclosure () -> Source,
    in sources: inout WeakTable<TrackedSource.Key, TrackedSource>, as key: TrackedSource.Key,
    _ observe: (Source) throws -> ObservationToken
  ) {
    if let known = sources[key], known.isAtPresent(session) {
      return tracker.access(known.read(part, session))
    }
    let source = makeSource()
    if dynamic.core == nil { dynamic.core = self }
    // What cannot be observed, as a query that is in error, does not change.
    guard let token = try? observe(source).releaseID() else { return }
    source.begin(token, session)
    sources[key] = source
    tracker.access(source.read(part, session))
  }
}
