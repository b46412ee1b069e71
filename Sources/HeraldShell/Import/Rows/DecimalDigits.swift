/// Decimal digits, eight at a time.
enum DecimalDigits {
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let highHalves: UInt64 = 0xF0F0_F0F0_F0F0_F0F0

  /// Eight bytes of text, of which the first is the lowest.
  @inline(__always)
  static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// Returns the number whose digits are the first `count` bytes of a word, from one to eight of them; nil if one of these
  /// is no digit.
  @inline(__always)
  static func value(_ word: UInt64, count: Int) -> UInt64? {
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    // The digits become the last ones, after zeros.
    let text = word &<< unused | (zeros &>> 8) &>> (56 &- unused)
    guard text & highHalves == zeros, (text &+ 0x0606_0606_0606_0606) & highHalves == zeros
    else { return nil }
    let digits = text &- zeros
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }

  /// Returns how many of the first eight bytes of a word are digits before the first that is none.
  @inline(__always)
  static func count(_ word: UInt64) -> Int {
    // In a byte that is no digit, and below which all are, a high bit is set.
    let others = (word ^ zeros) &+ 0x7676_7676_7676_7676 | word
    return (others & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
  }
}
