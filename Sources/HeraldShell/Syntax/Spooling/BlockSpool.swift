import Herald

/// Moves the `add` statements of a long `write` block to a temporary file while its text arrives, so that the memory of a
/// script does not grow with the objects that it adds.
///
/// Only whole lines directly in the block are moved, each one `add` statement of a shape that was parsed: a mistake stays
/// in the text, and is found where it would be otherwise.
package struct BlockSpool {
  /// The length of the text of an unfinished statement, in bytes, from which on it is spooled.
  package static let threshold = 1 << 20
  /// The number of shapes that are compared with each line, and of lines that are parsed to find them.
  private static let mostShapes = 4
  private static let mostAttempts = 64

  private enum State {
    case unbegun
    case spooling(SpoolFile)
    /// The statement is no `write` block, or the file cannot be written.
    case refused
  }

  private var state = State.unbegun
  /// The brackets of the text up to `examined`.
  private var scanner = BracketScanner()
  private var examined = 0
  private var size = 0
  private var shapes: [AdditionShape] = []
  private var attempts = 0
  private(set) var additions: [SpooledAdditions] = []

  package init() {}

  /// Whether statements are moved.
  package var isActive: Bool { if case .spooling = state { true } else { false } }

  /// The number of lines that were moved.
  package var lineCount: Int { additions.reduce(0) { $0 + $1.lineCount } }

  /// Removes additions from the text of an unfinished statement, of whose lines up to `end` they are, and returns the
  /// number of bytes that it removed. To be called with the text that is left of the one before, and more lines.
  package mutating func move(from bytes: inout [UInt8], to end: Int) -> Int {
    if case .unbegun = state { begin(bytes, end) }
    guard case .spooling(let file) = state else { return 0 }
    var (position, kept) = (examined, examined)
    while position < end {
      if scanner.open == [Byte.openBrace], let (shape, next) = run(bytes, from: position, to: end) {
        guard move(bytes, position..<next, shape, to: file, offset: kept) else { break }
        position = next
      } else {
        let next = Self.endOfLine(bytes, from: position, to: end)
        scanner.feed(bytes, from: position, to: next)
        for index in position..<next { bytes[kept + index - position] = bytes[index] }
        kept += next - position
        position = next
      }
    }
    bytes.removeSubrange(kept..<position)
    examined = kept
    return position - kept
  }

  /// Begins if the first line begins a `write` block, and nothing else.
  private mutating func begin(_ bytes: [UInt8], _ end: Int) {
    state = .refused
    let header = Array(bytes[..<Self.endOfLine(bytes, from: 0, to: end)])
    let whole = Source(name: "", bytes: header + [Byte.closeBrace])
    var parser = StatementParser(whole)
    guard header.last == Byte.newline, whole.bytes.count == header.count + 1,
      let statement = try? parser.next(), let write = statement.form as? WriteStatement,
      write.statements.isEmpty,
      statement.span.end == whole.bytes.count,
      let file = try? SpoolFile()
    else { return }
    scanner.feed(header)
    examined = header.count
    state = .spooling(file)
  }

  /// The end of the additions that begin at a line, all of one shape; nil if there is none.
  private mutating func run(
    _ bytes: [UInt8], from start: Int, to limit: Int
  ) -> (AdditionShape, Int)? {
    let first = bytes.withUnsafeBufferPointer {
      AdditionShape.startOfStatement($0, after: start, limit)
    }
    for shape in shapes {
      guard let end = shape.endOfStatements(in: bytes, from: first, to: limit, atMost: .max)
      else { continue }
      return (shape, Self.endOfLine(bytes, from: end, to: limit))
    }
    guard shapes.count < Self.mostShapes, attempts < Self.mostAttempts,
      bytes[first..<limit].starts(with: "add ".utf8)
    else { return nil }
    attempts += 1
    let line = Source(
      name: "", bytes: Array(bytes[first..<Self.endOfLine(bytes, from: first, to: limit)]))
    var parser = StatementParser(line)
    guard let statement = try? parser.next(),
      let shape = AdditionShape(statement, line.bytes, depth: 1)
    else { return nil }
    shapes.append(shape)
    return run(bytes, from: start, to: limit)
  }

  /// Writes lines to the file, and notes that they stand before an offset in the text; returns false if that fails.
  private mutating func move(
    _ bytes: [UInt8], _ range: Range<Int>, _ shape: AdditionShape, to file: SpoolFile, offset: Int
  ) -> Bool {
    let isWritten = bytes.withUnsafeBytes {
      file.write(UnsafeRawBufferPointer(rebasing: $0[range]), at: size)
    }
    guard isWritten else {
      state = .refused
      return false
    }
    let lineCount = bytes[range].count(where: { $0 == Byte.newline })
    let next = SpooledAdditions(
      offset: offset, shape: shape, lineCount: lineCount, size..<size + range.count, of: file)
    size += range.count
    if let last = additions.indices.last, additions[last].offset == offset {
      additions[last].append(next)
    } else {
      additions.append(next)
    }
    return true
  }

  /// The offset after the next newline.
  private static func endOfLine(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int {
    bytes[start..<limit].firstIndex(of: Byte.newline).map { $0 + 1 } ?? limit
  }
}
