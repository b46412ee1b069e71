/// The encodings of imported files.
enum TextEncoding: String, CaseIterable {
  case utf8
  /// Little-endian, unless a byte order mark says otherwise.
  case utf16
  case utf16le
  case utf16be
  case latin1
  /// What Western Windows writes: Latin-1 with quotes, dashes and the euro in place of control characters.
  case windows1252

  /// Makes the encoding of a name in any case and with hyphens: `UTF-16`, `ISO-8859-1`, `cp1252`.
  init?(name: String) {
    let letters = name.lowercased().filter { $0 != "-" && $0 != "_" }
    switch letters {
    case "iso88591": self = .latin1
    case "cp1252": self = .windows1252
    default: self.init(rawValue: letters)
    }
  }

  /// The encoding that a byte order mark at the start of a text names, and its length.
  static func marked(by head: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16le, 2) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16be, 2) }
    return nil
  }

  /// The encoding of UTF-16 without a mark: the first two characters are ASCII, and have every other byte zero.
  static func detected(in head: [UInt8]) -> TextEncoding? {
    guard head.count >= 4 else { return nil }
    switch (head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0) {
    case (false, true, false, true): return .utf16le
    case (true, false, true, false): return .utf16be
    default: return nil
    }
  }

  /// Whether a byte of a newline is nothing else, so that lines are found before they are decoded.
  var hasLinesOfBytes: Bool {
    switch self {
    case .utf8, .latin1, .windows1252: true
    case .utf16, .utf16le, .utf16be: false
    }
  }

  /// Whether the mark of `other` is expected in a text of this encoding.
  func allows(markOf other: TextEncoding) -> Bool {
    self == other || self == .utf16 && (other == .utf16le || other == .utf16be)
  }
}

/// A text in another encoding, as UTF-8.
final class DecodingSource: ByteSource {
  private static let chunkSize = 1 << 15

  private let base: any ByteSource
  private let encoding: TextEncoding
  /// What is decoded and not read yet.
  private var decoded: [UInt8] = []
  private var offset = 0
  /// A part of a character at the end of the last chunk.
  private var rest: [UInt8] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 1)

  init(_ base: any ByteSource, _ encoding: TextEncoding) {
    self.base = base
    self.encoding = encoding
  }

  deinit { buffer.deallocate() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    while offset == decoded.count {
      decoded.removeAll(keepingCapacity: true)
      offset = 0
      if try !decodeChunk() { return 0 }
    }
    let count = min(buffer.count, decoded.count - offset)
    buffer.copyBytes(from: decoded[offset..<offset + count])
    offset += count
    return count
  }

  /// Returns false at the end.
  private func decodeChunk() throws(File.Failure) -> Bool {
    let count = try base.read(into: buffer)
    let chunk = rest + buffer[..<count]
    rest = []
    if count == 0 {
      if !chunk.isEmpty { throw Self.invalid }
      return false
    }
    switch encoding {
    case .utf8: decoded = chunk
    case .latin1: decodeBytes(chunk) { UInt16($0) }
    case .windows1252: decodeBytes(chunk, Self.windows1252)
    case .utf16, .utf16le: try decodeUTF16(chunk, high: 1)
    case .utf16be: try decodeUTF16(chunk, high: 0)
    }
    return true
  }

  /// `code`: the character of a byte beyond ASCII.
  private func decodeBytes(_ chunk: [UInt8], _ code: (UInt8) -> UInt16) {
    for byte in chunk {
      guard byte >= 0x80 else {
        decoded.append(byte)
        continue
      }
      let code = code(byte)
      if code < 0x800 {
        decoded.append(0xC0 | UInt8(code >> 6))
      } else {
        decoded.append(0xE0 | UInt8(code >> 12))
        decoded.append(0x80 | UInt8(code >> 6 & 0x3F))
      }
      decoded.append(0x80 | UInt8(code & 0x3F))
    }
  }

  private static func windows1252(_ byte: UInt8) -> UInt16 {
    byte < 0xA0 ? windowsCodes[Int(byte - 0x80)] : UInt16(byte)
  }

  /// The characters of 0x80 to 0x9F. Five of these bytes mean none; they stay the control characters of Latin-1.
  private static let windowsCodes: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// - Parameter high: The position of the high byte in a unit.
  private func decodeUTF16(_ chunk: [UInt8], high: Int) throws(File.Failure) {
    func unit(_ index: Int) -> UInt32 {
      UInt32(chunk[index + high]) << 8 | UInt32(chunk[index + 1 - high])
    }
    var index = 0
    while index + 1 < chunk.count {
      var code = unit(index)
      if code & 0xFC00 == 0xD800 {
        guard index + 3 < chunk.count else { break }
        let low = unit(index + 2)
        guard low & 0xFC00 == 0xDC00 else { throw Self.invalid }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        index += 2
      }
      guard let scalar = Unicode.Scalar(code) else { throw Self.invalid }
      decoded += Unicode.UTF8.encode(scalar).map(Array.init) ?? []
      index += 2
    }
    rest = Array(chunk[index...])
  }

  private static let invalid = File.Failure(reason: "invalid UTF-16")
}
