import Herald

/// Reads the records of a log, line by line; empty lines are skipped.
struct LogReader {
  typealias Failure = JSONReader.Failure

  /// The bytes of a line beyond which a file is taken for none of lines.
  static let longestLine = 1 << 24

  private let buffer: ImportBuffer
  let form: LogForm
  private var nextLine: Int

  init(_ buffer: ImportBuffer, _ form: LogForm) {
    self.buffer = buffer
    self.form = form
    nextLine = buffer.firstLine
  }

  /// The next record; nil after the last.
  mutating func next() throws(Failure) -> ImportRecord? {
    while true {
      guard let length = try Self.lineLength(buffer, nextLine) else { return nil }
      let number = nextLine
      let line = CellText.trimmed(CellText.Bytes(start: buffer.bytes + buffer.start, count: length))
      defer { buffer.start = min(buffer.end, buffer.start + length + 1) }
      nextLine += 1
      let isBlank = line.allSatisfy { $0 <= 0x20 }
      if isBlank { continue }
      do throws(LogScanner.Failure) {
        return ImportRecord(line: number, entries: try form.entries(of: line))
      } catch {
        switch error {
        case .invalidUTF8: throw Failure(line: number, reason: buffer.invalidUTF8)
        case .unexpected(let reason): throw Failure(line: number, reason: reason)
        }
      }
    }
  }

  /// The form of the log that begins here; nil if it is none. Nothing is consumed.
  static func form(of buffer: ImportBuffer) throws(Failure) -> LogForm? {
    var start = 0
    // Lines before it are blank: a reader has looked for a byte that is not.
    while start < buffer.content.count, buffer.content[start] <= 0x20 { start += 1 }
    while true {
      let content = buffer.content[start...]
      let end = content.firstIndex(of: Byte.newline)
      if end == nil, !buffer.isComplete, content.count < mostOfFirstLine {
        try fill(buffer, line: buffer.firstLine)
        continue
      }
      guard let end = end ?? (buffer.isComplete ? content.endIndex : nil) else { return nil }
      return LogForm(firstLine: CellText.Bytes(rebasing: content[..<end]))
    }
  }

  /// The bytes of the first line that are looked at.
  private static let mostOfFirstLine = 1 << 16

  /// The number of bytes to the end of the line that begins here; nil at the end of the file.
  private static func lineLength(_ buffer: ImportBuffer, _ line: Int) throws(Failure) -> Int? {
    var seen = 0
    while true {
      if let end = buffer.content[seen...].firstIndex(of: Byte.newline) { return end }
      seen = buffer.content.count
      if buffer.isComplete { return seen == 0 ? nil : seen }
      guard seen < longestLine else {
        throw Failure(line: line, reason: "a line has more than 16 MB")
      }
      try fill(buffer, line: line)
    }
  }

  private static func fill(_ buffer: ImportBuffer, line: Int) throws(Failure) {
    do throws(File.Failure) {
      try buffer.fill()
    } catch { throw Failure(line: line, reason: error.reason) }
  }
}
