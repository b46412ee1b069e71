/// Turns the bytes that a terminal sends into characters and pasted texts.
///
/// A paste comes between `ESC [ 200 ~` and `ESC [ 201 ~`, so that its newlines can be told from the
/// Enter key. The bytes are kept here until they make a whole character or a whole paste.
struct KeyStream {
  enum Key: Hashable {
    case character(Unicode.Scalar)
    case paste(String)
  }

  /// Whether an escape that may yet become the beginning of a paste is waited for.
  enum Patience {
    case waiting, exhausted
  }

  private var bytes: ArraySlice<UInt8> = []
  private var isPasting = false
  /// The key that ends even a paste that does not; nil for none.
  private let interrupt: UInt8?

  private static let pasteBegin = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  init(interrupt: UInt8? = nil) { self.interrupt = interrupt }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func clear() {
    bytes = []
    isPasting = false
  }

  /// Drops all keys to the last `key`, and that; false when there is none.
  mutating func removeAll(upToLast key: UInt8) -> Bool {
    guard let place = bytes.lastIndex(of: key) else { return false }
    bytes = bytes[(place + 1)...]
    isPasting = false
    return true
  }

  /// True when an escape alone is at hand: it is the key, or the beginning of more.
  var isUndecided: Bool {
    !isPasting && !bytes.isEmpty && bytes.count < Self.pasteBegin.count
      && Self.pasteBegin.starts(with: bytes)
  }

  /// The next key; nil when more bytes are needed. Bytes that are not UTF-8 are dropped.
  mutating func next(_ patience: Patience) -> Key? {
    if isPasting { return endOfPaste() }
    if isUndecided, patience == .waiting { return nil }
    if bytes.starts(with: Self.pasteBegin) {
      bytes.removeFirst(Self.pasteBegin.count)
      isPasting = true
      return endOfPaste()
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

  /// True when the bytes at hand can not become a character any more.
  private var isTornCharacter: Bool {
    bytes.dropFirst().contains { $0 & 0xC0 != 0x80 }
  }

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

  /// Terminals send the newlines of a paste as carriage returns; other control characters would
  /// only spoil the line.
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
