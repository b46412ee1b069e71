package import HeraldModel

extension Value {
  /// The order of `sort`: negative, 0 or positive. nil first; numbers by value; strings by code
  /// point; links by creation.
  package static func order(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.int(let a), .int(let b)): sign(a, b)
    case (.bool(let a), .bool(let b)): sign(a ? 1 : 0, b ? 1 : 0)
    case (.double(let a), .double(let b)): sign(a, b)
    case (.float(let a), .float(let b)): sign(a, b)
    case (.string(let a), .string(let b)): sign(a, b)
    case (.date(let a), .date(let b)): sign(a, b)
    case (.link(let a), .link(let b)): sign(a, b)
    case (.data(let a), .data(let b)):
      a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
    case (.int(let a), .double(let b)): sign(Double(a), b)
    case (.double(let a), .int(let b)): sign(a, Double(b))
    default: 0
    }
  }

  private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
}
