// Searching in bytes: UTF-8 of strings, or data. Neither copies what it searches.

extension UnsafeRawBufferPointer {
  func equals(_ other: [UInt8]) -> Bool { count == other.count && begins(with: other) }

  func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    for index in prefix.indices where self[index] != prefix[index] { return false }
    return true
  }

  func ends(with suffix: [UInt8]) -> Bool {
    guard count >= suffix.count else { return false }
    return UnsafeRawBufferPointer(rebasing: self[(count - suffix.count)...]).begins(with: suffix)
  }

  func contains(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard count >= needle.count else { return false }
    for start in 0...(count - needle.count) where self[start] == first {
      let rest = UnsafeRawBufferPointer(rebasing: self[start..<start + needle.count])
      if rest.begins(with: needle) { return true }
    }
    return false
  }
}

/// One case for all of Unicode, so that letters that differ in case alone compare as equal. Bytes
/// that are not text (of data) fold their ASCII letters only.
func foldedCase(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> [UInt8] {
  if isText, bytes.contains(where: { $0 >= 0x80 }) {
    let text = String(decoding: bytes, as: UTF8.self)
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { folded.append(scalar.foldedCase) }
    return Array(String(folded).utf8)
  }
  return bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}

/// The pattern of `LIKE`: `*` stands for any text, `?` for one character; a backslash before either,
/// or before itself, makes it stand for itself.
struct LikePattern: Sendable {
  private enum Part: Equatable {
    case byte(UInt8)
    case one
    case many
  }

  private var parts: [Part] = []

  init(_ pattern: [UInt8]) {
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      let next = index + 1 < pattern.count ? pattern[index + 1] : 0
      let isEscape =
        byte == UInt8(ascii: "\\") && [UInt8(ascii: "*"), UInt8(ascii: "?"), byte].contains(next)
      if isEscape {
        parts.append(.byte(next))
        index += 1
      } else if byte == UInt8(ascii: "*") {
        if parts.last != .many { parts.append(.many) }
      } else {
        parts.append(byte == UInt8(ascii: "?") ? .one : .byte(byte))
      }
      index += 1
    }
  }

  /// O(length of the text × length of the pattern) at worst: only the last `*` is ever retried.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    var part = 0
    var retry: (place: Int, part: Int)?
    while place < text.count || part < parts.count {
      if part < parts.count, let length = length(of: parts[part], in: text, at: place) {
        if parts[part] == .many { retry = (place, part) }
        place += length
        part += 1
      } else if let (start, many) = retry, start < text.count {
        retry = (start + 1, many)
        place = start + 1
        part = many + 1
      } else {
        return false
      }
    }
    return true
  }

  /// How many bytes of the text a part takes at a place; nil where it does not fit.
  private func length(of part: Part, in text: UnsafeRawBufferPointer, at place: Int) -> Int? {
    switch part {
    case .many: return 0
    case .byte(let byte): return place < text.count && text[place] == byte ? 1 : nil
    case .one:
      guard place < text.count else { return nil }
      var end = place + 1
      while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
      return end - place
    }
  }
}

extension Unicode.Scalar {
  /// The lower case of the letter's upper case, so that a final sigma is a sigma; where the upper
  /// case is several letters, or that of another letter, the lower case.
  fileprivate var foldedCase: Unicode.Scalar {
    let dotless: Unicode.Scalar = "ı"
    let upper = properties.uppercaseMapping.unicodeScalars
    guard self != dotless, upper.count == 1, let first = upper.first else { return lowerCase }
    return first.lowerCase
  }

  /// The lower case; the letter itself where that is several characters, as that of "İ" is: one
  /// character stays one, so that it matches a `?`.
  private var lowerCase: Unicode.Scalar {
    let lower = properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let first = lower.first else { return self }
    return first
  }
}
