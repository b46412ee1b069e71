import TestSupport

/// The ways in which the bytes of a file are corrupted.
enum BrokenBytes: Int, CaseIterable {
  case bit, bits, zeroed, swapped, copied, garbage, sixteen, cut, appended

  fileprivate static let page = 4096

  /// Applies a random one; returns its description.
  static func breakSome(_ bytes: inout [UInt8], _ random: inout SplitMix64) -> String {
    let kind = allCases[random.below(allCases.count)]
    return kind.apply(&bytes, &random)
  }

  /// Applies changes, each encoded in six bytes: three for the offset, one for the kind, two for the values.
  static func change(_ whole: [UInt8], as orders: [UInt8]) -> [UInt8] {
    var bytes = whole
    for start in stride(from: 0, to: orders.count - 5, by: 6) where !bytes.isEmpty {
      let order = orders[start..<start + 6].map(Int.init)
      let offset = (order[0] | order[1] << 8 | order[2] << 16) % bytes.count
      let value = UInt8(order[4])
      switch order[3] % 8 {
      case 0: bytes.flip(bit: Int(value % 8), at: offset)
      case 1: bytes[offset] = value
      case 2: bytes[offset] &+= value
      case 3:
        let end = min(bytes.count, offset + order[4] + 1)
        let filling = repeatElement(UInt8(order[5]), count: end - offset)
        bytes.replaceSubrange(offset..<end, with: filling)
      case 4:
        bytes.copyPage(from: order[5] * page % bytes.count, to: offset / page * page)
      case 5: bytes.removeLast(bytes.count - offset)
      case 6: bytes += repeatElement(value, count: order[5] * 64)
      default:
        guard offset + 8 <= bytes.count else { continue }
        for next in 0..<8 { bytes[offset + next] = next == 0 ? value : UInt8(order[5]) }
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
      let offset = random.below(bytes.count)
      let bit = random.below(8)
      bytes.flip(bit: bit, at: offset)
      return "bit \(bit) of byte \(offset) flipped"
    case .bits:
      let offsets = (0..<8).map { _ in random.below(bytes.count) }
      for offset in offsets { bytes.flip(bit: random.below(8), at: offset) }
      return "a bit flipped in each of the bytes \(offsets)"
    case .zeroed:
      for offset in one * page..<(one + 1) * page { bytes[offset] = 0 }
      return "page \(one) zeroed"
    case .swapped:
      for offset in 0..<page { bytes.swapAt(one * page + offset, other * page + offset) }
      return "pages \(one) and \(other) swapped"
    case .copied:
      bytes.copyPage(from: other * page, to: one * page)
      return "page \(other) copied over page \(one)"
    case .garbage:
      for offset in one * page..<(one + 1) * page { bytes[offset] = UInt8(random.below(256)) }
      return "page \(one) filled with garbage"
    case .sixteen:
      let offset = random.below(bytes.count - 16)
      for next in 0..<16 { bytes[offset + next] = UInt8(random.below(256)) }
      return "16 random bytes at \(offset)"
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
  fileprivate mutating func flip(bit: Int, at offset: Int) {
    self[offset] ^= 1 << UInt8(bit)
  }

  /// Copies a page, or as much of it as there is.
  fileprivate mutating func copyPage(from source: Int, to offset: Int) {
    let length = Swift.min(BrokenBytes.page, count - source, count - offset)
    replaceSubrange(offset..<offset + length, with: Array(self[source..<source + length]))
  }
}
