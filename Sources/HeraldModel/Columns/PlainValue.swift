/// A value of a property that is neither an object nor a collection, with its text in place: a trivial type, so that
/// passing one along retains nothing.
package enum PlainValue {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case date(Timestamp)
  case uuid(UniqueID)
  /// Valid UTF-8, which must stay where it is while the value is used.
  case text(UnsafeRawBufferPointer)

  /// The value with a copy of its text.
  package var value: Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .date(let value): .date(value)
    case .uuid(let value): .uuid(value)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}
