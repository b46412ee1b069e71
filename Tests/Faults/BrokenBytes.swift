import TestSupport

/// The ways in which the bytes of a file come to differ from what was written.
enum BrokenBytes: Int, CaseIterable {
  case bit, bits, zeroed, swapped, copied, garbage, sixteen, cut, appended

  fileprivate static let page = 4096

  /// Applies a random one; returns what was done, in words.
  static func breakSome(_ bytes: inout [UInt8], _ random: inout SplitMix64) -> String {
    let kind = allCases[random.below(allCases.count)]
    return kind.apply(&bytes, &random)
  }

  /// What six bytes each tell to change: three say where, one how, two what with.
  static func change(_ whole: [UInt8], as orders: [UInt8]) -> [UInt8] {
    var bytes = whole
    for start in stride(from: 0, to: orders.count - 5, by: 6) where !bytes.isEmpty {
      let order = orders[start..<start + 6].map(Int.init)
      let place = (order[0] | order[1] << 8 | order[2] << 16) % bytes.count
      let value = UInt8(order[4])
      switch order[3] % 8 {
      case 0: bytes.flip(bit: Int(value % 8), at: place)
      case 1: bytes[place] = value
      case 2: bytes[place] &+= value
      case 3:
        let end = min(bytes.count, place + order[4] + 1)
        bytes.replaceSubrange(place..<end, with: repeatElement(UInt8(order[5]), count: end - place))
      case 4:
        bytes.copyPage(from: order[5] * page % bytes.count, to: place / page * page)
      case 5: bytes.removeLast(bytes.count - place)
      case 6: bytes += repeatElement(value, count: order[5] * 64)
      default:
        guard place + 8 <= bytes.count else { continue }
        for offset in 0..<8 { bytes[place + offset] = offset == 0 ? value : UInt8(order[5]) }
      }
    }
    return bytes
  }

  private func apply(_ bytes: inout [UInt8], _ random: inout SplitMix64) -> String {
    let page = Self.page
    let pages = bytes.count / page
    let one = random.below(pages)
    let other = random.below(pages)
    switch self {
    case .bit:
      let place = random.below(bytes.count)
      let bit = random.below(8)
      bytes.flip(bit: bit, at: place)
      return "bit \(bit) of byte \(place) flipped"
    case .bits:
      let places = (0..<8).map { _ in random.below(bytes.count) }
      for place in places { bytes.flip(bit: random.below(8), at: place) }
      return "a bit flipped in each of the bytes \(places)"
    case .zeroed:
      for place in one * page..<(one + 1) * page { bytes[place] = 0 }
      return "page \(one) zeroed"
    case .swapped:
      for place in 0..<page { bytes.swapAt(one * page + place, other * page + place) }
      return "pages \(one) and \(other) swapped"
    case .copied:
      bytes.copyPage(from: other * page, to: one * page)
      return "page \(other) copied over page \(one)"
    case .garbage:
      for place in one * page..<(one + 1) * page { bytes[place] = UInt8(random.below(256)) }
      return "page \(one) filled with garbage"
    case .sixteen:
      let place = random.below(bytes.count - 16)
      for offset in 0..<16 { bytes[place + offset] = UInt8(random.below(256)) }
      return "16 random bytes at \(place)"
    case .cut:
      let size = random.below(bytes.count)
      bytes.removeLast(bytes.count - size)
      return "cut to \(size) bytes"
    case .appended:
      let count = 1 + random.below(3 * page)
      bytes += (0..<count).map { _ in UInt8(random.below(256)) }
      return "\(count) bytes appended"
    }
  }
}

extension [UInt8] {
  fileprivate mutating func flip(bit: Int, at place: Int) {
    self[place] ^= 1 << UInt8(bit)
  }

  /// Copies a page, or what the bytes have of it.
  fileprivate mutating func copyPage(from source: Int, to place: Int) {
    let length = Swift.min(BrokenBytes.page, count - source, count - place)
    replaceSubrange(place..<place + length, with: Array(self[source..<source + length]))
  }
}
