// Searching in bytes: UTF-8 of strings, or data. No function copies the searched bytes.

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
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes, case-folded, begin with a folded prefix; nil if a character beyond ASCII must be folded to
  /// know. ASCII characters fold to ASCII characters.
  func beginsFolded(with prefix: [UInt8]) -> Bool? {
    let shared = Swift.min(count, prefix.count)
    for index in 0..<shared {
      let byte = self[index]
      if byte >= 0x80 { return nil }
      if byte.foldedCase != prefix[index] { return false }
    }
    return count >= prefix.count
  }

  /// Calls `body` with the bytes case-folded, as `foldedCase` returns them, without an array for ASCII.
  func withFoldedCase<R>(isText: Bool, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    if isText, contains(where: { $0 >= 0x80 }) {
      return foldedCase(self, isText: true).withUnsafeBytes(body)
    }
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { folded in
      for index in 0..<count { folded[index] = self[index].foldedCase }
      return body(UnsafeRawBufferPointer(folded))
    }
  }
}

extension UInt8 {
  /// The lower case of an ASCII letter; every other byte itself.
  fileprivate var foldedCase: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Returns the bytes case-folded, so that letters that differ only in case are equal. Bytes that are
/// not text (of data) fold only ASCII letters.
func foldedCase(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> [UInt8] {
  if isText, bytes.contains(where: { $0 >= 0x80 }) {
    let text = String(decoding: bytes, as: UTF8.self)
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { folded.append(scalar.foldedCase) }
    return Array(String(folded).utf8)
  }
  return bytes.map(\.foldedCase)
}

extension Unicode.Scalar {
  /// The lower case of the letter's upper case, so that a final sigma is a sigma; the lower case itself
  /// if the upper case is several characters, or for the dotless i.
  fileprivate var foldedCase: Unicode.Scalar {
    let dotless: Unicode.Scalar = "ı"
    let upper = properties.uppercaseMapping.unicodeScalars
    guard self != dotless, upper.count == 1, let first = upper.first else { return lowerCase }
    return first.lowerCase
  }

  /// The lower case; the letter itself if that is several characters, as for "İ", so that one character
  /// stays one and matches a `?`.
  private var lowerCase: Unicode.Scalar {
    let lower = properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let first = lower.first else { return self }
    return first
  }
}
