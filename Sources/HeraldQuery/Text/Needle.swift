/// Bytes to be found in others, in time proportional to the length of both.
///
/// Most places differ within a byte or two, so that each is tried in turn; once that has cost more than
/// a few times the bytes passed, the search goes on by the failure function of Knuth, Morris and Pratt.
struct Needle: Sendable {
  let bytes: [UInt8]

  /// How many bytes may be compared in vain for each that is passed, and at the beginning.
  private static let patience = 4
  private static let startingPatience = 256

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where the first occurrence from `start` on ends; nil for none.
  func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let first = bytes.first else { return start }
    guard text.count - start >= bytes.count else { return nil }
    let last = text.count - bytes.count
    var wasted = 0
    var place = start
    while place <= last {
      if text[place] == first {
        var length = 1
        while length < bytes.count, text[place + length] == bytes[length] { length += 1 }
        if length == bytes.count { return place + length }
        wasted += length
        if wasted > Self.startingPatience + Self.patience * (place - start) {
          return linearEnd(in: text, from: place + 1)
        }
      }
      place += 1
    }
    return nil
  }

  private func linearEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let borders = Self.borders(of: bytes)
    var matched = 0
    for place in start..<text.count {
      while matched > 0, text[place] != bytes[matched] { matched = Int(borders[matched - 1]) }
      if text[place] == bytes[matched] { matched += 1 }
      if matched == bytes.count { return place + 1 }
    }
    return nil
  }

  /// For each length of a beginning of the needle: the length of its longest proper beginning that is
  /// also its end.
  private static func borders(of bytes: [UInt8]) -> [Int32] {
    var borders = [Int32](repeating: 0, count: bytes.count)
    var length = 0
    for place in bytes.indices.dropFirst() {
      while length > 0, bytes[place] != bytes[length] { length = Int(borders[length - 1]) }
      if bytes[place] == bytes[length] { length += 1 }
      borders[place] = Int32(length)
    }
    return borders
  }
}
