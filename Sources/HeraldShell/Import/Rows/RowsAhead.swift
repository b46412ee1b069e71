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
/// `@unchecked Sendable`: `reader` and `ending` belong to the thread until it has ended.
final class RowsAhead<Reader: RowSource>: @unchecked Sendable {
  private struct Parts {
    var read: [PlainRows] = []
    var room: [PlainRows]
    var hasEnded = false
    var isCancelled = false
  }

  private let parts: Monitor<Parts>
  private var reader: Reader
  private var ending = RowsEnding.cancelled

  private init(_ reader: Reader) {
    self.reader = reader
    let room = (0..<partCount).map { _ in PlainRows(columnCount: reader.columnCount) }
    parts = Monitor(Parts(room: room))
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
    func hasMore(_ parts: Parts) -> Bool { !parts.read.isEmpty || parts.hasEnded }
    return parts.take(when: hasMore) { $0.read.isEmpty ? nil : $0.read.removeFirst() }
  }

  private func reuse(_ rows: PlainRows) {
    rows.removeAll()
    func hasEnough(_ parts: Parts) -> Bool { parts.room.count == enoughRoom }
    parts.change(waking: hasEnough) { $0.room.append(rows) }
  }

  private func cancel() { parts.change { $0.isCancelled = true } }

  // MARK: The thread that reads

  private func readAll() {
    do throws(JSONReader.Failure) {
      ending = try readRows()
    } catch { ending = .failure(error) }
    parts.change { $0.hasEnded = true }
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
    let isEmpty = parts.read(\.room.isEmpty)
    func hasEnough(_ parts: Parts) -> Bool {
      !isEmpty || parts.room.count >= enoughRoom || parts.isCancelled
    }
    return parts.take(when: hasEnough) { $0.isCancelled ? nil : $0.room.removeLast() }
  }

  private func deliver(_ rows: PlainRows) {
    func isAwaited(_ parts: Parts) -> Bool { parts.read.count == 1 }
    parts.change(waking: isAwaited) { $0.read.append(rows) }
  }
}
