import HeraldModel
import HeraldStorage

extension Layout.Column {
  /// What storage keeps for a value that was checked to fit the column.
  func stored(_ value: Value) -> StoredValue {
    switch value {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .int(let value): .integer(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .bytes(Array(value.utf8))
    case .data(let value): .bytes(value)
    case .date(let value): .date(seconds: value.seconds, nanoseconds: value.nanoseconds)
    case .link(let object): .integer(object.number)
    }
  }

  /// The value that storage kept.
  func value(_ stored: StoredValue) -> Value {
    switch stored {
    case .null: .null
    case .integer(let value): integerValue(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .date(let seconds, let nanoseconds):
      .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case .bytes(let bytes): bytes.withUnsafeBytes { bytesValue($0) }
    }
  }

  func integerValue(_ value: Int) -> Value {
    switch element {
    case .bool: .bool(value != 0)
    case .link(let target): .link(ObjectID(target, value))
    case .int, .float, .double, .string, .data, .date: .int(value)
    }
  }

  func bytesValue(_ bytes: UnsafeRawBufferPointer) -> Value {
    switch element {
    case .data: .data(Array(bytes))
    case .bool, .int, .float, .double, .string, .date, .link:
      .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}
