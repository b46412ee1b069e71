import TestSupport

/// Damages the bytes of a file.
struct Mutation {
  private var generator: SplitMix64
  private let samples: [Sample]

  /// A sample, and where its nodes are.
  struct Sample {
    let path: String
    let bytes: [UInt8]
    let key: [UInt8]?
    let nodes: [Int]

    /// Finds the nodes of a sample.
    init(path: String, bytes: [UInt8], key: [UInt8]?) {
      self.path = path
      self.bytes = bytes
      self.key = key
      nodes = stride(from: 24, to: max(24, bytes.count - 7), by: 8).filter {
        bytes[$0...].starts(with: [0x41, 0x41, 0x41, 0x41])
          || bytes[$0...].starts(with: [1, 1, 1, 1])
      }
    }
  }

  /// Prepares to damage samples as `seed` says.
  init(seed: UInt64, samples: [Sample]) {
    generator = SplitMix64(seed: seed)
    self.samples = samples
  }

  /// Returns a damaged copy of one of the samples, and its key.
  mutating func next() -> (bytes: [UInt8], key: [UInt8]?) {
    let sample = samples[Int.random(in: samples.indices, using: &generator)]
    var bytes = sample.bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) { damage(&bytes, sample) }
    return (bytes, sample.key)
  }

  private mutating func damage(_ bytes: inout [UInt8], _ sample: Sample) {
    guard bytes.count > 32 else { return }
    let node = sample.nodes.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...3: bytes[offset(bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 4...5: bytes[offset(bytes)] = UInt8.random(in: 0...255, using: &generator)
    case 6...8: store(word(sample), in: &bytes, at: offset(bytes) & ~7)
    case 9...11:
      // The header of a node: kind, width, count.
      let position = node + Int.random(in: 4..<8, using: &generator)
      guard position < bytes.count else { return }
      bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 12...14:
      store(word(sample), in: &bytes, at: node + 8 * Int.random(in: 1...4, using: &generator))
    case 15: overwriteElement(of: node, in: &bytes, sample)
    case 16: store(word(sample), in: &bytes, at: 8 * Int.random(in: 0..<3, using: &generator))
    case 17: bytes.removeLast(Int.random(in: 1..<bytes.count - 24, using: &generator))
    case 18:
      let other = samples[Int.random(in: samples.indices, using: &generator)]
      splice(other.bytes, to: &bytes)
    default: splice(sample.bytes, to: &bytes)
    }
  }

  private mutating func offset(_ bytes: [UInt8]) -> Int {
    Int.random(in: bytes.indices, using: &generator)
  }

  /// A ref, a huge number, or a small one.
  private mutating func word(_ sample: Sample) -> UInt64 {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0...3: UInt64(sample.nodes.randomElement(using: &generator) ?? 8)
    case 4: UInt64.random(in: 0...UInt64.max, using: &generator)
    case 5:
      [UInt64.max, 1 << 63, 1 << 63 - 1, 1 << 62, 1 << 32, 1 << 31][
        Int.random(in: 0..<6, using: &generator)]
    case 6: UInt64.random(in: 0...300, using: &generator)
    default: UInt64(offset(sample.bytes))
    }
  }

  private func store(_ word: UInt64, in bytes: inout [UInt8], at offset: Int) {
    guard offset >= 0, offset + 8 <= bytes.count else { return }
    withUnsafeBytes(of: word.littleEndian) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
  }

  /// Replaces a 16- or 32-bit element of a node by a ref: most files are smaller than 4 GB.
  private mutating func overwriteElement(of node: Int, in bytes: inout [UInt8], _ sample: Sample) {
    let size = Bool.random(using: &generator) ? 2 : 4
    let offset = node + 8 + size * Int.random(in: 0..<8, using: &generator)
    guard offset + size <= bytes.count else { return }
    let word = word(sample)
    for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * index)) }
  }

  private mutating func splice(_ source: [UInt8], to bytes: inout [UInt8]) {
    let length = Int.random(in: 1...min(512, source.count, bytes.count), using: &generator) & ~7
    let from = Int.random(in: 0...source.count - length, using: &generator) & ~7
    let to = Int.random(in: 0...bytes.count - length, using: &generator) & ~7
    bytes.replaceSubrange(to..<to + length, with: source[from..<from + length])
  }
}
