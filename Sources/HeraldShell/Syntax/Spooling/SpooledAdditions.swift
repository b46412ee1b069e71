import Herald

/// `add` statements, one a line, that a source keeps in a file instead of its text. Each is like one that was parsed, so
/// that none has a mistake.
struct SpooledAdditions: Sendable {
  /// The offset of the text in the source before which they stand: the start of a line.
  let offset: Int
  /// The shape of all of them; nil if they have several.
  private(set) var shape: AdditionShape?
  private(set) var lineCount: Int
  /// Where they are in the file: whole lines.
  private(set) var range: Range<Int>
  private let file: SpoolFile

  init(offset: Int, shape: AdditionShape, lineCount: Int, _ range: Range<Int>, of file: SpoolFile) {
    self.offset = offset
    self.shape = shape
    self.lineCount = lineCount
    self.range = range
    self.file = file
  }

  /// Appends what follows directly, in the source and in the file.
  mutating func append(_ next: SpooledAdditions) {
    if shape !== next.shape { shape = nil }
    lineCount += next.lineCount
    range = range.lowerBound..<next.range.upperBound
  }

  /// The number of bytes that are read at once; more for a longer statement.
  private static let step = 1 << 16

  /// Their whole text.
  var bytes: [UInt8] { get throws(File.Failure) { try file.read(range) } }

  /// Calls `body` with the text, in parts of whole lines.
  func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
    var start = range.lowerBound
    var size = Self.step
    while start < range.upperBound {
      let end = min(range.upperBound, start + size)
      var part = try file.read(start..<end)
      guard let newline = part.lastIndex(of: Byte.newline) else {
        size *= 2
        continue
      }
      part.removeSubrange((newline + 1)...)
      start += part.count
      size = Self.step
      try body(part)
    }
  }
}
