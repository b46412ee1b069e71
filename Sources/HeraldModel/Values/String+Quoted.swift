extension String {
  /// The string as a JSON literal, in double quotes: quotes, backslashes, control characters and
  /// line separators are escaped, everything else is unchanged. So a literal is one line for every
  /// reader, even if it ends lines at U+0085, U+2028 or U+2029.
  public var quoted: String {
    var text: [UInt8] = [0x22]
    text.reserveCapacity(utf8.count + 2)
    for byte in utf8 {
      switch byte {
      case 0x22, 0x5C: text += [0x5C, byte]
      case 0x08: text += [0x5C, 0x62]
      case 0x0C: text += [0x5C, 0x66]
      case 0x0A: text += [0x5C, 0x6E]
      case 0x0D: text += [0x5C, 0x72]
      case 0x09: text += [0x5C, 0x74]
      case 0..<0x20, 0x7F:
        text += [0x5C, 0x75, 0x30, 0x30, hexDigit(byte >> 4), hexDigit(byte & 15)]
      case 0x80...0x9F where text.last == 0xC2:
        // U+0080 to U+009F: the control characters of Latin-1.
        text.removeLast()
        text += [0x5C, 0x75, 0x30, 0x30, hexDigit(byte >> 4), hexDigit(byte & 15)]
      case 0xA8...0xA9 where text.suffix(2).elementsEqual([0xE2, 0x80]):
        // U+2028 and U+2029.
        text.removeLast(2)
        text += [0x5C, 0x75, 0x32, 0x30, 0x32, hexDigit(byte & 15)]
      default: text.append(byte)
      }
    }
    text.append(0x22)
    return String(decoding: text, as: UTF8.self)
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
