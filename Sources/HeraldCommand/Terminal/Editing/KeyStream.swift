/// Turns the bytes that a terminal sends into characters and pasted texts.
///
/// A paste comes between `ESC [ 200 ~` and `ESC [ 201 ~`, which distinguishes its newlines from the Enter
/// key. Bytes are buffered until they form a whole character or a whole paste.
struct KeyStream {
  enum Key: Hashable {
    case character(Unicode.Scalar)
    /// A key that is several characters: an arrow, a function key, one with Alt.
    case sequence(String)
    case paste(String)
  }

  /// Whether to wait for an escape that may be the beginning of a paste.
  enum Patience {
    case waiting, exhausted
  }

  private var bytes: ArraySlice<UInt8> = []
  private var isPasting = false
  /// Whether an escape and the next character are one key, as with Alt; not in vi, where an escape is a
  /// command.
  var joinsMeta = true
  /// The key that ends even an unterminated paste; nil for none.
  private let interrupt: UInt8?

  private static let pasteBegin = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  init(interrupt: UInt8? = nil) { self.interrupt = interrupt }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func clear() {
    bytes = []
    isPasting = false
  }

  /// Drops all keys up to and including the last `key`; returns false if there is none.
  mutating func removeAll(upToLast key: UInt8) -> Bool {
    guard let index = bytes.lastIndex(of: key) else { return false }
    bytes = bytes[(index + 1)...]
    isPasting = false
    return true
  }

  /// Whether the buffer holds only an escape, which is the key or the beginning of a sequence, or a sequence
  /// without its end.
  var isUndecided: Bool {
    !isPasting && bytes.first == Self.escape && lengthOfSequence(bytes) == nil
  }

  /// Returns the next key; nil if more bytes are needed. Drops bytes that are not UTF-8.
  mutating func next(_ patience: Patience) -> Key? {
    if isPasting { return endOfPaste() }
    if isUndecided, patience == .waiting { return nil }
    if bytes.starts(with: Self.pasteBegin) {
      bytes.removeFirst(Self.pasteBegin.count)
      isPasting = true
      return endOfPaste()
    }
    if let length = lengthOfSequence(bytes), length > 0,
      let text = String(validating: bytes.prefix(length), as: UTF8.self)
    {
      bytes.removeFirst(length)
      return .sequence(text)
    }
    while let first = bytes.first {
      let length = Self.length(ofCharacterBeginningWith: first)
      if length == 0 {
        bytes.removeFirst()
        continue
      }
      if bytes.count < length, !isTornCharacter { return nil }
      if let text = String(validating: bytes.prefix(length), as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        bytes.removeFirst(length)
        return .character(scalar)
      }
      bytes.removeFirst()
    }
    return nil
  }

  /// Removes the terminal's report of the cursor's position, `ESC [ ROW ; COLUMN R`; returns the column,
  /// counted from 1, or nil if there is none yet.
  mutating func takeReportedColumn() -> Int? {
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    guard text.utf8.count == bytes.count,
      let report = text.firstMatch(of: #/\x1b\[[0-9]+;([0-9]+)R/#)
    else { return nil }
    let start = text.utf8.distance(from: text.startIndex, to: report.range.lowerBound)
    let end = text.utf8.distance(from: text.startIndex, to: report.range.upperBound)
    bytes = bytes.prefix(start) + bytes.dropFirst(end)
    return Int(report.output.1)
  }

  private static let escape: UInt8 = 0x1B

  /// The length of the sequence that begins with an escape: 0 if none does, nil if its end is missing.
  ///
  ///     sequence := ESC "[" {0x20-0x3F} 0x40-0x7E | ESC "[" "[" any | ESC "O" {digit} letter
  ///               | ESC sequence | ESC character, with `joinsMeta`
  private func lengthOfSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == Self.escape else { return 0 }
    let rest = bytes.dropFirst()
    guard let second = rest.first else { return nil }
    switch second {
    case UInt8(ascii: "["):
      var tail = rest.dropFirst()
      // The function keys of the Linux console.
      if tail.first == UInt8(ascii: "[") { tail = tail.dropFirst() }
      return length(of: bytes, to: tail.firstIndex { !(0x20...0x3F).contains($0) })
    case UInt8(ascii: "O"):
      return length(of: bytes, to: rest.dropFirst().firstIndex { !(0x30...0x39).contains($0) })
    case Self.escape:
      return lengthOfSequence(rest).map { $0 > 2 ? $0 + 1 : 0 }
    default:
      guard joinsMeta, second >= 0x20 else { return 0 }
      let length = Self.length(ofCharacterBeginningWith: second)
      if length == 0 { return 0 }
      return rest.count < length ? nil : length + 1
    }
  }

  /// The length up to the final byte of a sequence; 0 if that is none.
  private func length(of bytes: ArraySlice<UInt8>, to end: Int?) -> Int? {
    guard let end else { return nil }
    return (0x40...0x7E).contains(bytes[end]) ? end - bytes.startIndex + 1 : 0
  }

  /// Whether the buffered bytes cannot become a character any more.
  private var isTornCharacter: Bool { bytes.dropFirst().contains { $0 & 0xC0 != 0x80 } }

  private mutating func endOfPaste() -> Key? {
    guard let end = bytes.firstRange(of: Self.pasteEnd) else {
      guard let interrupt, removeAll(upToLast: interrupt) else { return nil }
      return .character(Unicode.Scalar(interrupt))
    }
    let pasted = bytes[..<end.lowerBound]
    bytes = bytes[end.upperBound...]
    isPasting = false
    return .paste(Self.plain(String(decoding: pasted, as: UTF8.self)))
  }

  /// Returns a paste as plain text: terminals send its newlines as carriage returns, and other control
  /// characters would corrupt the line.
  private static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": plain.append("\n")
      case "\n": if previous != "\r" { plain.append("\n") }
      case "\t": plain.append(scalar)
      default: if scalar.properties.generalCategory != .control { plain.append(scalar) }
      }
      previous = scalar
    }
    while plain.last == "\n" { plain.removeLast() }
    return String(plain)
  }

  private static func length(ofCharacterBeginningWith byte: UInt8) -> Int {
    switch byte {
    case 0x00...0x7F: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }
}
