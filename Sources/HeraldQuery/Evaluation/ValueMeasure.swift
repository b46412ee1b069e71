import HeraldModel

/// A property derived from one value.
enum ValueMeasure: Sendable {
  /// The length of a string in bytes of UTF-8 or of data, or the number of elements of a list or a map
  /// in an `any`; nil for other values.
  case length
  /// The length of a list's element that is a string or data; 0 for nil.
  case elementLength
  /// The name of its type; see `TypeName`.
  case type

  func apply(to value: Value) -> Value {
    switch self {
    case .type: return .string(TypeName(of: value).rawValue)
    case .length: return length(of: value)
    case .elementLength:
      switch value {
      case .null: return .int(0)
      case .string, .data: return length(of: value)
      case .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list, .map:
        return .null
      }
    }
  }

  private func length(of value: Value) -> Value {
    switch value {
    case .string(let text): .int(text.utf8.count)
    case .data(let bytes): .int(bytes.count)
    case .list(let values): .int(values.count)
    case .map(let entries): .int(entries.count)
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: .null
    }
  }
}
