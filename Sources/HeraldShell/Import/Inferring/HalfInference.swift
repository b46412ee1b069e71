import Herald
import Synchronization

/// What the second half of a file of CSV or JSON Lines contains, which is read on a thread of its own.
///
/// `@unchecked Sendable`: what is not atomic belongs to the thread until it has ended.
final class HalfInference: @unchecked Sendable {
  private var inference: ColumnInference
  private var reader: ImportReader
  private let count = Atomic(0)
  private let isCancelled = Atomic(false)
  private var isComplete = false

  private struct Cancelled: Error {}

  private init(_ inference: ColumnInference, _ reader: ImportReader) {
    self.inference = inference
    self.reader = reader
  }

  /// Infers what the columns of a long file contain by reading both of its halves at once. Returns nil, and has read some of
  /// the file, unless both are whole records: the file has to be read again, in order.
  static func run(
    _ reader: ImportReader, _ first: ColumnInference,
    _ progress: (Int, Double) throws -> Void
  ) throws -> ColumnInference? {
    guard SystemThread.isUseful, let rest = reader.secondHalf() else { return nil }
    let second = HalfInference(
      ColumnInference(className: first.className, first.choice), rest)
    guard let thread = try? SystemThread(blocksSignals: true, { second.run() }) else { return nil }
    var (all, reader) = (first, reader)
    do {
      defer { thread.join() }
      do {
        try all.run(&reader) { count, part in
          try progress(count + second.count.load(ordering: .relaxed), min(1, 2 * part))
        }
      } catch {
        second.isCancelled.store(true, ordering: .relaxed)
        if error is JSONReader.Failure { return nil }
        throw error
      }
    }
    guard second.isComplete else { return nil }
    all.merge(second.inference)
    return all
  }

  private func run() {
    do {
      try inference.run(&reader) { count, _ in
        self.count.store(count, ordering: .relaxed)
        if isCancelled.load(ordering: .relaxed) { throw Cancelled() }
      }
      isComplete = true
    } catch {
      // What is wrong is found again in order, by its line.
    }
  }
}
