// Strings of up to fifteen bytes, which Swift keeps in the two words of the value itself: they are equal if their
// words are, and an ASCII one is made without a call.
//
// The standard library does not promise the form of these words, so it is compared once (`hasKnownSmallForm`):
// if it differs, nothing else here may be used.

extension String {
  /// Whether small strings have the form that is expected here.
  @_spi(Blocks) public static let hasKnownSmallForm: Bool = {
    guard MemoryLayout<String>.size == 16 else { return false }
    let samples: [(String, UInt64, UInt64)] = [
      ("", 0, 0xE0 << 56), ("abc", 0x63_6261, 0xE3 << 56),
      ("abcdefghi", 0x6867_6665_6463_6261, 0xE9 << 56 | 0x69),
    ]
    return samples.allSatisfy { text, first, second in
      // Made at run time, as others are.
      let made = String(decoding: Array(text.utf8), as: UTF8.self)
      return unsafeBitCast(made, to: (UInt64, UInt64).self) == (first, second)
    }
  }()

  /// The highest byte of the second word of a small ASCII string, but for its count.
  @usableFromInline static var smallMark: UInt64 {
    @inlinable @inline(__always) get { 0xE0 }
  }

  /// A small ASCII string of at most 15 bytes, from memory of which eight bytes after its end can be read, too;
  /// nil if not all are ASCII.
  @inlinable @inline(__always)
  @_spi(Blocks) public init?(smallASCII bytes: UnsafeRawPointer, count: Int) {
    var (first, second): (UInt64, UInt64) = (0, 0)
    if count > 8 {
      first = bytes.loadUnaligned(as: UInt64.self)
      second =
        bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        &>> UInt64(truncatingIfNeeded: 8 &* (16 &- count))
    } else if count > 0 {
      first =
        bytes.loadUnaligned(as: UInt64.self)
        & (.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }
    if (first | second) & 0x8080_8080_8080_8080 != 0 { return nil }
    second |= (Self.smallMark | UInt64(truncatingIfNeeded: count)) &<< 56
    // Moved out of memory: a bit cast would be a copy, for which the runtime is called.
    var words = (first, second)
    self = withUnsafeMutablePointer(to: &words) {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
    }
  }

  /// The words of a small ASCII string, which no other string has; nil for any other.
  @inlinable @inline(__always)
  @_spi(Blocks) public var smallWords: (UInt64, UInt64)? {
    let words = unsafeBitCast(self, to: (UInt64, UInt64).self)
    return (words.1 &>> 56) & Self.smallMark == Self.smallMark ? words : nil
  }
}
