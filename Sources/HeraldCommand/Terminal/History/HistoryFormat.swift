/// libedit's history file, version 2:
///
///     file  = "_HiStOrY_V2_" LF *(entry LF)
///     entry = *(byte | "\" 3octal)
///
/// Space, tab, newline, backslash and other control bytes are written in octal; everything else, UTF-8
/// included, is written unchanged.
enum HistoryFormat {
  private static let cookie = Array("_HiStOrY_V2_".utf8)
  private static let backslash = UInt8(ascii: "\\")

  static func encode(_ entries: [String]) -> [UInt8] {
    var bytes = cookie
    bytes.append(UInt8(ascii: "\n"))
    for entry in entries {
      for byte in entry.utf8 { append(byte, to: &bytes) }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Decodes a file; empty if the cookie is missing.
  static func decode(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst(), first.elementsEqual(cookie) else { return [] }
    return lines.map { String(decoding: plain($0), as: UTF8.self) }
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    guard byte <= 0x20 || byte == 0x7F || byte == backslash else {
      bytes.append(byte)
      return
    }
    bytes.append(backslash)
    for shift in [6, 3, 0] { bytes.append(UInt8(ascii: "0") + (byte >> shift) & 7) }
  }

  private static func plain(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(line.count)
    var rest = line
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        plain.append(byte)
        continue
      }
      if let value = octal(rest.prefix(3)) {
        plain.append(value)
        rest.removeFirst(3)
      } else if let next = rest.popFirst() {
        plain.append(next)
      }
    }
    return plain
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    let value = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
    return UInt8(exactly: value)
  }
}
