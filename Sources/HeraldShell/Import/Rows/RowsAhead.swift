import Glibc
import Herald

/// Why rows that are read ahead end.
enum RowsEnding {
  case endOfFile
  /// A record has to be added alone.
  case other
  /// The next record cannot be read.
  case failure(JSONReader.Failure)
  /// Nobody wants more rows.
  case cancelled
}

/// The rows that are read ahead at most, in parts.
private let partCount = 6
/// A thread that waits for room goes on once so many parts have it, so that it seldom waits.
private let enoughRoom = 3

/// Reads rows of a file on a thread of its own, while the rows before them are added.
///
/// It ends with the first record that is not plain, so that whoever adds the rows goes on from there.
///
/// `@unchecked Sendable`: what both threads use is changed under `mutex`; `reader` and `ending` belong to the thread
/// until it has ended.
final class RowsAhead<Reader: RowSource>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var read: [PlainRows] = []
  private var room: [PlainRows]
  private var hasEnded = false
  private var isCancelled = false
  private var reader: Reader
  private var ending = RowsEnding.cancelled

  private init(_ reader: Reader) {
    self.reader = reader
    room = (0..<partCount).map { _ in PlainRows(columnCount: reader.columnCount) }
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  /// Calls `add` with the rows that `reader` reads from here on, in order. Returns the reader after the last of them, and
  /// why it is the last; nil, and reads nothing, if there can be no thread.
  static func run(
    _ reader: Reader, _ add: (PlainRows) throws -> Void
  ) throws -> (reader: Reader, ending: RowsEnding)? {
    let ahead = RowsAhead(reader)
    guard let thread = try? SystemThread(blocksSignals: true, { ahead.readAll() }) else {
      return nil
    }
    do {
      defer { thread.join() }
      do {
        while let rows = ahead.next() {
          try add(rows)
          ahead.reuse(rows)
        }
      } catch {
        ahead.cancel()
        throw error
      }
    }
    return (ahead.reader, ahead.ending)
  }

  // MARK: The thread that adds

  /// The next rows; nil after the last.
  private func next() -> PlainRows? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while read.isEmpty, !hasEnded { pthread_cond_wait(change, mutex) }
    return read.isEmpty ? nil : read.removeFirst()
  }

  private func reuse(_ rows: PlainRows) {
    rows.removeAll()
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    room.append(rows)
    if room.count == enoughRoom { pthread_cond_signal(change) }
  }

  private func cancel() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    isCancelled = true
    pthread_cond_signal(change)
  }

  // MARK: The thread that reads

  private func readAll() {
    do throws(JSONReader.Failure) {
      ending = try readRows()
    } catch { ending = .failure(error) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    hasEnded = true
    pthread_cond_signal(change)
  }

  private func readRows() throws(JSONReader.Failure) -> RowsEnding {
    while let rows = takeRoom() {
      let stop = reader.fill(rows)
      deliver(rows)
      switch stop {
      case .full: break
      case .window: if try !reader.next() { return .endOfFile }
      case .other: return .other
      case .failure(let failure): return .failure(failure)
      }
    }
    return .cancelled
  }

  /// Rows without content; nil if no more are wanted.
  private func takeRoom() -> PlainRows? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if room.isEmpty {
      while room.count < enoughRoom, !isCancelled { pthread_cond_wait(change, mutex) }
    }
    return isCancelled ? nil : room.removeLast()
  }

  private func deliver(_ rows: PlainRows) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    read.append(rows)
    if read.count == 1 { pthread_cond_signal(change) }
  }
}
