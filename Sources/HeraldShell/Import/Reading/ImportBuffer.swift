import Glibc
import Herald

/// Memory with a part of an imported file.
///
/// `@unchecked Sendable`: its text is written by the thread that reads the file, before others use it.
final class TextWindow: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<UInt8>
  let capacity: Int

  /// Allocates memory with zeros behind it, so that text is searched in words of eight bytes: the search ends there.
  init(_ capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + 8)
    bytes.initialize(repeating: 0, count: capacity + 8)
  }

  deinit { bytes.deallocate() }
}

/// A window over the text of an imported file: the bytes that were read and not consumed yet.
///
/// It grows for long records alone, so that its memory does not depend on the file's size: without limit for a record that
/// is longer than it, and up to `mostForRecords` to hold several, which are then read and added together.
final class ImportBuffer {
  private let input: ImportInput
  @exclusivity(unchecked) private(set) var window: TextWindow
  private static let mostForRecords = 1 << 23
  /// Windows that others have retained. Once they do not any more, the memory is used again.
  private var others: [TextWindow] = []
  @exclusivity(unchecked) private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// The first byte that is not consumed.
  @exclusivity(unchecked) var start = 0
  @exclusivity(unchecked) private(set) var end = 0
  /// Whether the file has no more bytes.
  @exclusivity(unchecked) private(set) var isComplete = false

  /// The number of the first line that is not skipped.
  @exclusivity(unchecked) private(set) var firstLine = 1
  private let skippedLines: Int
  private let mayNameDelimiter: Bool
  /// The delimiter that a line `sep=;` before the header names, which is skipped; nil without one.
  private(set) var separator: UInt8?

  init(_ input: ImportInput) {
    self.input = input
    window = TextWindow(input.windowSize)
    skippedLines = 0
    mayNameDelimiter = false
    bytes = window.bytes
  }

  /// Skips the first lines of the file, which must be rewound.
  ///
  /// - Parameter mayNameDelimiter: Whether a line `sep=;` may follow.
  init(
    _ input: ImportInput, skipping lines: Int, mayNameDelimiter: Bool
  ) throws(File.Failure) {
    self.input = input
    self.mayNameDelimiter = mayNameDelimiter
    window = TextWindow(input.windowSize)
    skippedLines = lines
    bytes = window.bytes
    try skipLines()
  }

  private func skipLines() throws(File.Failure) {
    firstLine = 1
    while firstLine <= skippedLines {
      while start < end, !Byte.endsLine(bytes[start]) { start += 1 }
      // Behind a carriage return a newline may follow.
      if end - start < 2, !isComplete {
        try fill()
      } else if start == end {
        return
      } else {
        let isPair = bytes[start] == Byte.carriageReturn && end - start > 1
        start += isPair && bytes[start + 1] == Byte.newline ? 2 : 1
        firstLine += 1
      }
    }
    try skipSeparator()
  }

  /// Skips a line `sep=;`, by which spreadsheets know the delimiter of a file.
  private func skipSeparator() throws(File.Failure) {
    let word = [UInt8]("sep=".utf8)
    while end - start < word.count + 3, !isComplete { try fill() }
    guard mayNameDelimiter, content.count > word.count, Self.isDelimiter(content[word.count]),
      zip(content, word).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
    else { return }
    let rest = content.dropFirst(word.count + 1)
    guard rest.first.map(Byte.endsLine) ?? true else { return }
    separator = content[word.count]
    start += word.count + 1
    for end in [Byte.carriageReturn, Byte.newline] where content.first == end { start += 1 }
    firstLine += 1
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == Byte.tab || (0x21...0x7E).contains(byte) && !Byte.isNamePart(byte)
  }

  /// What is read and not consumed.
  var content: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: end - start)
  }

  var progress: Double { input.progress }

  /// Reads more bytes. Positions move, so that the first byte which is not consumed is at 0. Whoever retains the window
  /// keeps it as it was.
  func fill() throws(File.Failure) {
    var capacity = window.capacity
    if start == 0 && end == capacity { capacity *= 2 }
    // What is not consumed is the beginning of a record.
    while capacity < min(Self.mostForRecords, 32 * (end - start)) { capacity *= 2 }
    if capacity > window.capacity || !isKnownUniquelyReferenced(&window) {
      replaceWindow(capacity: capacity)
    } else if start > 0 {
      memmove(bytes, bytes + start, end - start)
    }
    end -= start
    start = 0
    let room = UnsafeMutableRawBufferPointer(start: bytes + end, count: window.capacity - end)
    let count = try input.read(into: room)
    end += count
    isComplete = count == 0
  }

  /// The second half of the text that was not read yet, as `ImportInput.secondHalf` describes it.
  func secondHalf() -> ImportBuffer? { input.secondHalf().map(ImportBuffer.init) }

  private func replaceWindow(capacity: Int) {
    let other = unusedWindow(capacity) ?? TextWindow(capacity)
    other.bytes.update(from: bytes + start, count: end - start)
    if window.capacity == capacity { others.append(window) } else { others = [] }
    window = other
    bytes = other.bytes
  }

  private func unusedWindow(_ capacity: Int) -> TextWindow? {
    for index in others.indices
    where others[index].capacity == capacity && isKnownUniquelyReferenced(&others[index]) {
      return others.remove(at: index)
    }
    return nil
  }

  /// What is wrong with a text that is not UTF-8, with the encoding that it may have. Nothing can be read after it.
  var invalidUTF8: String {
    let encoding: TextEncoding = input.hasByte(in: 0x80...0x9F) ? .windows1252 : .latin1
    return "invalid UTF-8; 'with encoding \(encoding.rawValue)' reads other text"
  }

  /// Starts again from the beginning of the file.
  func rewind() throws(File.Failure) {
    try input.rewind()
    (start, end, isComplete) = (0, 0, false)
    try skipLines()
  }
}
