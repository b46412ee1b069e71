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

/// The readers of one version that several threads use, one each.
///
/// `@unchecked Sendable`: the thread with a number uses the reader with that number, and the caller waits.
private struct ThreadReaders: @unchecked Sendable {
  let readers: [TransactionReader]
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
    let next = Parts(parts, interruption)
    let others = otherReaders(min(processorCount, parts) - 1)
    guard !others.isEmpty else {
      while let part = next.next() { body(part, self) }
      return
    }
    let all = ThreadReaders(readers: [self] + others)
    DispatchQueue.concurrentPerform(iterations: all.readers.count) { thread in
      let reader = all.readers[thread]
      while let part = next.next() { body(part, reader) }
    }
    for other in others {
      if let failure = other.storage.takeFailure() { storage.note(failure) }
    }
  }

  /// Returns up to `count` readers of the same version. None in a write transaction, whose changes only its own thread
  /// sees, and none if the store has a newer version by now, which is the only one that can be read anew.
  private func otherReaders(_ count: Int) -> [TransactionReader] {
    guard count > 0 else { return [] }
    var readers: [TransactionReader] = []
    for _ in 0..<count {
      guard let other = storage.another() else { return [] }
      let reader = TransactionReader(other, layout: layout, readsNested: readsNested)
      reader.interruption = interruption
      readers.append(reader)
    }
    return readers
  }
}
