package import HeraldModel
package import HeraldStorage

// The encoding of values in columns of bytes: a string as its UTF-8, data as itself, a decimal as its high
// and low eight bytes, a uuid and an object id as their bytes, `any` as
// `ByteWriter.swift` encodes the value. Fixed-width numbers are little-endian.

extension Layout.Column {
  /// Returns the stored form of a value that was validated for the column.
  package func stored(_ value: Value) -> StoredValue {
    if value.isNull { return .null }
    if isAny { return .bytes(ByteWriter.encoded(value)) }
    return switch value {
    case .null, .list, .map: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .int(let value): .integer(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .bytes(Array(value.utf8))
    case .data(let value): .bytes(value)
    case .date(let value): .date(value)
    case .decimal(let value): .bytes(value.storedBytes)
    case .uuid(let value): .bytes(value.bytes)
    case .objectID(let value): .bytes(value.bytes)
    case .link(let object): .integer(object.number)
    }
  }

  /// Returns the value of a stored form.
  package func value(_ stored: StoredValue) -> Value {
    switch stored {
    case .null: .null
    case .integer(let value): integerValue(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .date(let value): .date(value)
    case .bytes(let bytes): bytes.withUnsafeBytes { bytesValue($0) }
    }
  }

  func integerValue(_ value: Int) -> Value {
    switch element {
    case .bool: .bool(value != 0)
    case .link(let target): .link(ObjectID(target, value))
    case .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID, .any:
      .int(value)
    }
  }

  /// Returns the value of stored bytes; nil for invalid ones, which the store's check reports.
  func bytesValue(_ bytes: UnsafeRawBufferPointer) -> Value {
    switch element {
    case .data: return .data(Array(bytes))
    case .decimal: return Decimal128(storedBytes: bytes).map(Value.decimal) ?? .null
    case .uuid: return UniqueID(bytes: Array(bytes)).map(Value.uuid) ?? .null
    case .objectID: return DocumentID(bytes: Array(bytes)).map(Value.objectID) ?? .null
    case .any:
      var reader = ByteReader(Array(bytes))
      return (try? reader.value()) ?? .null
    case .bool, .int, .float, .double, .string, .date, .link:
      return .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension Decimal128 {
  var storedBytes: [UInt8] {
    var writer = ByteWriter()
    writer.fixed(bits.0)
    writer.fixed(bits.1)
    return writer.bytes
  }

  init?(storedBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      bits: (
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      ))
  }
}
