/// A leaf of decimals of 0, 4, 8 or 16 bytes each, in the binary integer encoding of IEEE 754-2008.
/// Formats up to 23 have 16 bytes always.
struct DecimalLeaf {
  /// The node.
  let node: Node

  /// Reads the leaf at `ref`.
  init(_ ref: Int, _ reader: inout NodeReader) throws(Fault) {
    node = try reader.node(at: ref)
    guard !node.hasRefs, !node.isInner, node.form == .multiply, [0, 4, 8, 16].contains(node.width)
    else { throw Fault(.wrongNode, at: ref) }
  }

  /// Returns the value at `index`, or null.
  func value(at index: Int) throws(Fault) -> RealmValue {
    switch node.width {
    case 0:
      guard index >= 0, index < node.count else {
        throw Fault(.missing(element: index), at: node.ref)
      }
      return node.hasContext ? .decimal(high: Self.zero, low: 0) : .null
    case 4:
      let bits = try node.fixed(index, as: UInt32.self)
      return bits == 0x7C00_00AA ? .null : Self.value(UInt64(bits), .narrow)
    case 8:
      let bits = try node.fixed(index, as: UInt64.self)
      return bits == 0x7C00_0000_0000_00AA ? .null : Self.value(bits, .middle)
    default:
      let bits = try node.fixed(index, as: UInt128.self)
      return Self.value(high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }
  }

  /// Returns the decimal of 16 bytes with these halves, or null.
  static func value(high: UInt64, low: UInt64) -> RealmValue {
    high == 0x7C << 56 && low == 0xAA ? .null : .decimal(high: high, low: low)
  }

  /// 0 with exponent 0, the high half.
  private static let zero: UInt64 = 6176 << 49

  /// The layout of a decimal of 4 or 8 bytes.
  private struct Layout {
    let bits: UInt64
    let coefficientBits: UInt64
    let bias: UInt64

    static let narrow = Layout(bits: 32, coefficientBits: 23, bias: 101)
    static let middle = Layout(bits: 64, coefficientBits: 53, bias: 398)
  }

  /// Returns the same number in 16 bytes.
  private static func value(_ number: UInt64, _ layout: Layout) -> RealmValue {
    let sign = (number >> (layout.bits - 1)) << 63
    let special = number >> (layout.bits - 6) & 31
    if special >= 30 { return .decimal(high: sign | special << 58, low: 0) }
    // The long form, of coefficients that begin with binary 100, has its exponent 2 bits further right.
    let isLong = special >= 24
    let shift = isLong ? layout.coefficientBits - 2 : layout.coefficientBits
    let exponent = number >> shift & (1 << (layout.bits - 1 - layout.coefficientBits) - 1)
    let field = number & (1 << shift - 1)
    let coefficient = isLong ? field | 1 << layout.coefficientBits : field
    return .decimal(high: sign | (exponent + 6176 - layout.bias) << 49, low: coefficient)
  }
}
