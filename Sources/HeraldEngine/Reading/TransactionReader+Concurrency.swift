import Dispatch
import Glibc
package import HeraldQuery
import HeraldStorage
import Synchronization

/// The number of processors.
private let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// Parts that several threads take, one after the other.
private final class Parts: Sendable {
  private let count: Int
  private let interruption: Interruption?
  private let taken = Atomic(0)

  init(_ count: Int, _ interruption: Interruption?) {
    self.count = count
    self.interruption = interruption
  }

  /// Returns the next part; nil if there are no more, or the read was interrupted.
  func next() -> Int? {
    if interruption?.isRequested ?? false { return nil }
    let part = taken.add(1, ordering: .relaxed).oldValue
    return part < count ? part : nil
  }
}

/// What several threads read one version with, one each.
///
/// `@unchecked Sendable`: the thread with a number uses the element with that number, and the caller waits.
private struct OfThreads<Reading>: @unchecked Sendable {
  let elements: [Reading]

  /// Calls `body` for each part that is left, on a thread for each element.
  func take(_ parts: Parts, _ body: @Sendable (Int, Reading) -> Void) {
    guard elements.count > 1 else {
      while let part = parts.next() { body(part, elements[0]) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: elements.count) { thread in
      let element = elements[thread]
      while let part = parts.next() { body(part, element) }
    }
  }
}

// Several threads read through transactions of their own: a snapshot, with its cache of blocks and its cursors,
// is used by one of them. So is a `TransactionReader`. Only what never changes is shared: the map, the layout, and the
// query with its tests.
extension TransactionReader {
  package func concurrently(_ parts: Int, _ body: @Sendable (Int) -> Void) {
    let next = Parts(parts, interruption)
    guard processorCount > 1, parts > 1 else {
      while let part = next.next() { body(part) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: min(processorCount, parts)) { _ in
      while let part = next.next() { body(part) }
    }
  }

  package func readConcurrently(
    _ parts: Int, _ body: @Sendable (Int, any ObjectReader) -> Void
  ) {
    let others = otherReaders(parts)
    OfThreads(elements: [self] + others).take(Parts(parts, interruption), body)
    noteFailures(of: others)
  }

  /// Keeps the failures of other readers, as if they were this one's.
  fileprivate func noteFailures(of others: [TransactionReader]) {
    for other in others {
      if let failure = other.storage.takeFailure() { storage.note(failure) }
    }
  }

  /// Returns readers of the same version, for the other threads that may take `parts`. None in a write transaction, whose
  /// changes only its own thread sees, and none if the store has a newer version by now, which is the only one that can be
  /// read anew.
  fileprivate func otherReaders(_ parts: Int) -> [TransactionReader] {
    var readers: [TransactionReader] = []
    for _ in 1..<max(1, min(processorCount, parts)) {
      guard let other = storage.another() else { return [] }
      let reader = TransactionReader(other, layout: layout, readsNested: readsNested)
      reader.interruption = interruption
      readers.append(reader)
    }
    return readers
  }
}

extension Session {
  /// Calls `body` for each of several parts, in order, on as many threads as there are processors, each with a session that
  /// reads what this one does: this session itself, and others that are frozen at its version. With this session alone in a
  /// transaction, at an earlier version, and if the store has a newer version by now. An interruption ends it before the
  /// next part.
  package func readConcurrently(_ parts: Int, _ body: @Sendable (Int, Session) -> Void) {
    resumeOnUse()
    let isAlone = isInWrite || position.previous != nil
    let others = isAlone ? [] : position.reader.otherReaders(parts)
    let sessions = others.map { reader in
      let shared = SharedReader(reader)
      return Session(frozen: .frozen(shared), at: version, shared, hub)
    }
    OfThreads(elements: [self] + sessions).take(Parts(parts, interruption), body)
    position.reader.noteFailures(of: others)
  }
}
