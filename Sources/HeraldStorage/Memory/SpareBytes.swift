/// The unused bytes of a record of a column in memory, into which its content may grow in place.
///
///     record := content zero:u64                                     most records: no unused bytes
///             | content count:u64 unused bytes count:u64             `smallest` unused bytes or more
///
/// `count` is the number of bytes between the content and the last word, and can be read from both ends. A record of a
/// file has its trailer in place of the last word, and no unused bytes.
enum SpareBytes {
  /// Fewer would let both words overlap.
  static let smallest = 8

  /// Returns whether a record can have this number of unused bytes.
  static func isPossible(_ count: Int) -> Bool { count == 0 || count >= smallest }

  /// The number behind a content.
  static func count(behind end: UnsafeRawPointer) -> Int { end.loadUnaligned(as: Int.self) }

  /// Writes both words.
  static func note(_ count: Int, behind end: UnsafeMutableRawPointer) {
    end.storeBytes(of: count, as: Int.self)
    if count > 0 { (end + count).storeBytes(of: count, as: Int.self) }
  }

  /// The bytes that a block of strings or data should have when it is stored while its last rows are still nil: what
  /// they will probably need, and no more than the block has.
  ///
  /// - Parameters:
  ///   - last: The last row with a value.
  ///   - size: The size of the block, and `content` that of its values, in bytes.
  static func forGrowth(last: Int, size: Int, content: Int) -> Int {
    let expected = (content / (last + 1) + 1) * (255 - last)
    return max(smallest, min(expected + expected / 4, max(2048, size)) & ~7)
  }
}

extension UnsafeRawBufferPointer {
  /// The content of a record in memory; empty if the record is too short to have one.
  @inline(__always)
  package func content(inMemory space: RecordSpace) -> UnsafeRawBufferPointer {
    let size = count &- RecordTrailer.size
    guard space == .columns, size >= 0 else { return withoutTrailer }
    let spare = loadUnaligned(fromByteOffset: size, as: Int.self)
    return UnsafeRawBufferPointer(start: baseAddress, count: Swift.max(0, size &- spare))
  }
}

extension OpenFile {
  /// Whether commits may change records in place: in memory that is written through the map.
  var mayChangeInPlace: Bool { isInMemory && options.isWrittenThroughMap }
}

extension BlockDraft {
  /// The unused bytes for the stored form of a block of a column to which objects are still being added.
  func spare(_ layout: BlockLayout) -> Int {
    guard kind == .bytes, count == 256, isNull(255) else { return 0 }
    var last = 254
    while last > 0, isNull(last) { last -= 1 }
    return SpareBytes.forGrowth(last: last, size: layout.size, content: arena.liveCount)
  }
}
