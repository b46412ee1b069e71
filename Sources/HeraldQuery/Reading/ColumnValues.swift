package import HeraldModel

/// A whole column block: 256 values, `nulls` where nil. Values of absent objects are undefined.
package enum ColumnValues {
  case integers([Int], nulls: BlockMask)
  case doubles([Double], nulls: BlockMask)
  case dates([Timestamp], nulls: BlockMask)
  case strings([String], nulls: BlockMask)
  case data([[UInt8]], nulls: BlockMask)
}
