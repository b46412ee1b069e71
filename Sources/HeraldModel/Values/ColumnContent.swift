/// The values of one property of new objects, one for each.
public enum ColumnContent: Hashable, Sendable {
  /// Values of a property of type `int`.
  case ints([Int])
  /// Values of a property of type `double`.
  case doubles([Double])
  /// Values of a property of type `bool`.
  case bools([Bool])
  /// Values of a property of type `string`.
  case strings([String])
  /// Values of a property of type `date`.
  case dates([Timestamp])
  /// Values of any type that the property accepts; nil where it is optional.
  case values([Value])

  /// The number of values.
  public var count: Int {
    switch self {
    case .ints(let values): values.count
    case .doubles(let values): values.count
    case .bools(let values): values.count
    case .strings(let values): values.count
    case .dates(let values): values.count
    case .values(let values): values.count
    }
  }

  /// The value at an index.
  public subscript(index: Int) -> Value {
    switch self {
    case .ints(let values): .int(values[index])
    case .doubles(let values): .double(values[index])
    case .bools(let values): .bool(values[index])
    case .strings(let values): .string(values[index])
    case .dates(let values): .date(values[index])
    case .values(let values): values[index]
    }
  }
}

/// The values of a property of new objects, with its name.
public typealias NamedColumn = (name: String, content: ColumnContent)
