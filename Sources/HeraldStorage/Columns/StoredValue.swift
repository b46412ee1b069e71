package import HeraldModel

/// One value as storage sees it: a number, a point in time or a byte string.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int)
  case double(Double)
  case float(Float)
  case date(Timestamp)
  case bytes([UInt8])

  /// The value in the one word that drafts store; nil if it takes more, and for null.
  var word: Int? {
    switch self {
    case .integer(let integer): integer
    case .double(let double): Int(bitPattern: UInt(double.bitPattern))
    case .float(let float): Int(float.bitPattern)
    case .null, .date, .bytes: nil
    }
  }

  /// Returns whether a column or list of that kind can hold the value; nil fits every kind.
  package func fits(_ kind: ColumnKind) -> Bool {
    switch self {
    case .null: true
    case .integer: kind == .integers
    case .double: kind == .doubles
    case .float: kind == .floats
    case .date: kind == .dates
    case .bytes: kind == .bytes
    }
  }
}
