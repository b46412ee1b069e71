/// Bytes to search for, in time linear in the lengths of needle and text.
///
/// Most positions mismatch within a byte or two, so the search begins naively. Once the wasted
/// comparisons exceed a few times the bytes searched, it continues with Knuth-Morris-Pratt.
struct Needle: Sendable {
  let bytes: [UInt8]

  /// The limit of wasted comparisons: per byte searched, and in addition at the start.
  private static let wasteLimit = 4
  private static let initialWasteLimit = 256

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the end of the first occurrence at or after `start`; nil if there is none.
  func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let first = bytes.first else { return start }
    guard text.count - start >= bytes.count else { return nil }
    let last = text.count - bytes.count
    var wasted = 0
    var position = start
    while position <= last {
      if text[position] == first {
        var length = 1
        while length < bytes.count, text[position + length] == bytes[length] { length += 1 }
        if length == bytes.count { return position + length }
        wasted += length
        if wasted > Self.initialWasteLimit + Self.wasteLimit * (position - start) {
          return linearEnd(in: text, from: position + 1)
        }
      }
      position += 1
    }
    return nil
  }

  private func linearEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let borders = Self.borders(of: bytes)
    var matched = 0
    for position in start..<text.count {
      while matched > 0, text[position] != bytes[matched] { matched = Int(borders[matched - 1]) }
      if text[position] == bytes[matched] { matched += 1 }
      if matched == bytes.count { return position + 1 }
    }
    return nil
  }

  /// Returns the failure function: for each prefix of the needle, the length of its longest proper
  /// prefix that is also its suffix.
  private static func borders(of bytes: [UInt8]) -> [Int32] {
    var borders = [Int32](repeating: 0, count: bytes.count)
    var length = 0
    for position in bytes.indices.dropFirst() {
      while length > 0, bytes[position] != bytes[length] { length = Int(borders[length - 1]) }
      if bytes[position] == bytes[length] { length += 1 }
      borders[position] = Int32(length)
    }
    return borders
  }
}
