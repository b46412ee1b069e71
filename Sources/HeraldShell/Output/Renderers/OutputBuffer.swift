/// Collects output until a turn ends, or until the reader takes it.
///
/// A statement whose output is read slowly ends and releases its version all the same, with up to 16 MB of
/// output still to be written.
struct OutputBuffer {
  /// The bytes that are collected before the reader is offered them.
  private static let step = 1 << 16
  /// The bytes beyond which a statement waits for the reader.
  private static let limit = 1 << 24

  let sink: any OutputSink
  /// Whether the output goes to a terminal.
  let isTerminal: Bool
  /// Whether something was written since the owner cleared this.
  var hasWritten = false
  private var text = ""
  /// The end of what is written already.
  private var start = "".startIndex
  /// The bytes of `text` at which it is offered next.
  private var offered = step
  /// Whether what is written ends within a line.
  private var isWithinLine = false
  /// Whether that line ends where the rest of it was dropped.
  private var isLineDropped = false
  /// What the output has already of the text that comes next.
  private var repeated: ArraySlice<UInt8> = []

  init(sink: any OutputSink) {
    self.sink = sink
    isTerminal = sink.isTerminal
  }

  /// Writes a line that contains data: at a terminal it stays one line whatever the data.
  mutating func write(line: String) {
    write(piece: line)
    append("\n")
  }

  /// Writes a part of a line that contains data.
  mutating func write(piece: String) { append(isTerminal ? piece.visible : piece) }

  /// Writes a text of several lines.
  mutating func write(lines: String) {
    append(isTerminal ? lines.visibleLines : lines)
    append("\n")
  }

  /// Writes a line with colours, whose data is escaped already.
  mutating func write(drawn line: String) {
    append(line)
    append("\n")
  }

  /// Ends a line that was begun and whose rest is missing.
  mutating func endLine() {
    let isWithin = text.isEmpty ? isWithinLine : text.utf8.last != UInt8(ascii: "\n")
    if isWithin { append("\n") }
  }

  /// Notes what the output has already, after a run that was ended: the same bytes are not written again.
  mutating func skip(_ written: [UInt8]) { repeated = written[...] }

  /// Where the output ends, without what was skipped only in part.
  var place: OutputPlace? {
    sink.place.map {
      OutputPlace(device: $0.device, inode: $0.inode, length: $0.length - repeated.count)
    }
  }

  /// Returns the part of a piece that the output does not have yet.
  private mutating func unwritten(_ piece: String) -> String {
    let bytes = Array(piece.utf8)
    if repeated.starts(with: bytes) {
      repeated = repeated.dropFirst(bytes.count)
      return ""
    }
    defer { repeated = [] }
    if bytes.starts(with: repeated),
      let rest = String(validating: bytes[repeated.count...], as: UTF8.self)
    {
      return rest
    }
    // Somebody else's, or a part of a line that cannot be continued.
    return repeated.last == UInt8(ascii: "\n") ? piece : "\n" + piece
  }

  private mutating func append(_ piece: String) {
    hasWritten = true
    let piece = repeated.isEmpty ? piece : unwritten(piece)
    if isLineDropped {
      isLineDropped = false
      text += "\n"
    }
    text += piece
    if text.utf8.count > offered { offer() }
  }

  /// Offers the text to the reader, and waits for the reader if it is too long.
  private mutating func offer() {
    send()
    if text.utf8[start...].count > Self.limit { flush() }
    offered = text.utf8.count + Self.step
  }

  /// Writes what the reader takes without waiting.
  private mutating func send() {
    let end = sink.writeWithoutWaiting(text[start...])
    if end > start { isWithinLine = text.utf8[text.utf8.index(before: end)] != UInt8(ascii: "\n") }
    if end == text.endIndex {
      text = ""
      start = text.startIndex
    } else if text.utf8[..<end].count > text.utf8[end...].count {
      text = String(text[end...])
      start = text.startIndex
    } else {
      start = end
    }
  }

  /// Writes all that was collected; drops the rest and returns false if the wait for the reader is interrupted.
  @discardableResult
  mutating func flush() -> Bool {
    while !text.isEmpty {
      send()
      if !text.isEmpty, !sink.waitForReader() {
        discard()
        return false
      }
    }
    offered = Self.step
    return true
  }

  /// Drops what the reader does not take now; what is written later begins a line.
  mutating func discard() {
    if !text.isEmpty { send() }
    isLineDropped = isWithinLine
    text = ""
    start = text.startIndex
    offered = Self.step
  }
}
