package import HeraldModel

/// A whole column block: 256 values, `nulls` where nil. Values of absent objects are undefined.
package enum ColumnValues {
  case integers([Int], nulls: BlockMask)
  case doubles([Double], nulls: BlockMask)
  case dates([Timestamp], nulls: BlockMask)
  case strings([String], nulls: BlockMask)
  case data([[UInt8]], nulls: BlockMask)
}

extension ColumnValues {
  /// Calls `body` with the numbers as a block in memory, which is valid until it returns.
  package func withNumbers(_ body: (StoredBlock) -> Void) {
    switch self {
    case .integers(let values, let nulls):
      let known = BlockBits(~nulls).lazy.map { values[$0] }
      Self.withBlock(.int64, values, nulls, (known.min() ?? 1, known.max() ?? 0), body)
    case .doubles(let values, let nulls):
      let known = BlockBits(~nulls).lazy.map { values[$0] }
      let hasNaN = known.contains(where: \.isNaN)
      let ends = hasNaN ? (.nan, .nan) : (known.min() ?? 1, known.max() ?? 0)
      Self.withBlock(
        .doubles, values, nulls,
        (
          Int(bitPattern: UInt(ends.0.bitPattern)), Int(bitPattern: UInt(ends.1.bitPattern))
        ), body)
    case .dates, .strings, .data: preconditionFailure("a column without numbers")
    }
  }

  private static func withBlock<Number>(
    _ form: StoredBlock.Form, _ values: [Number], _ nulls: BlockMask,
    _ zone: (smallest: Int, largest: Int), _ body: (StoredBlock) -> Void
  ) {
    values.withUnsafeBytes { bytes in
      withUnsafeBytes(of: nulls) { nilBits in
        guard let base = bytes.baseAddress else { return }
        body(
          StoredBlock(
            form, values: base, nilBits: nilBits.baseAddress, smallest: zone.smallest,
            largest: zone.largest))
      }
    }
  }
}
