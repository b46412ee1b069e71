package import HeraldModel

// The encoding of values in the messages of a twin's two processes.

extension Value: Codable {
  private enum Tag: String, Codable {
    case null, bool, int, float, double, string, data, date, decimal, uuid, objectID, link, list,
      map
  }

  package init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    switch try parts.decode(Tag.self) {
    case .null: self = .null
    case .bool: self = .bool(try parts.decode(Bool.self))
    case .int: self = .int(try parts.decode(Int.self))
    case .float: self = .float(Float(bitPattern: try parts.decode(UInt32.self)))
    case .double: self = .double(Double(bitPattern: try parts.decode(UInt64.self)))
    case .string: self = .string(try parts.decode(String.self))
    case .data: self = .data(try parts.decode([UInt8].self))
    case .date:
      self = .date(
        Timestamp(
          seconds: try parts.decode(Int.self), nanoseconds: try parts.decode(Int32.self)))
    case .decimal: self = .decimal(try parts.decodeText { Decimal128($0) })
    case .uuid: self = .uuid(try parts.decodeText { UniqueID($0) })
    case .objectID: self = .objectID(try parts.decodeText { DocumentID($0) })
    case .link: self = .link(try parts.decode(ObjectID.self))
    case .list: self = .list(try parts.decode([Value].self))
    case .map: self = .map(try parts.decode(MapEntries.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    func tag(_ tag: Tag, _ body: () throws -> Void = {}) throws {
      try parts.encode(tag)
      try body()
    }
    switch self {
    case .null: try tag(.null)
    case .bool(let value): try tag(.bool) { try parts.encode(value) }
    case .int(let value): try tag(.int) { try parts.encode(value) }
    case .float(let value): try tag(.float) { try parts.encode(value.bitPattern) }
    case .double(let value): try tag(.double) { try parts.encode(value.bitPattern) }
    case .string(let value): try tag(.string) { try parts.encode(value) }
    case .data(let value): try tag(.data) { try parts.encode(value) }
    case .date(let value):
      try tag(.date) {
        try parts.encode(value.seconds)
        try parts.encode(value.nanoseconds)
      }
    case .link(let value): try tag(.link) { try parts.encode(value) }
    case .list(let value): try tag(.list) { try parts.encode(value) }
    case .map(let value): try tag(.map) { try parts.encode(value) }
    case .decimal(let value): try tag(.decimal) { try parts.encode(value.description) }
    case .uuid(let value): try tag(.uuid) { try parts.encode(value.description) }
    case .objectID(let value): try tag(.objectID) { try parts.encode(value.description) }
    }
  }
}

extension UnkeyedDecodingContainer {
  /// Decodes what is written as text.
  fileprivate mutating func decodeText<T>(_ read: (String) -> T?) throws -> T {
    let text = try decode(String.self)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(in: self, debugDescription: text)
    }
    return value
  }
}

extension ValueStep: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let row = try? container.decode(Int.self) {
      self = .row(row)
    } else {
      self = .key(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .row(let row): try container.encode(row)
    case .key(let key): try container.encode(key)
    }
  }
}

extension MapEntries: Codable {
  package init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    self.init(zip(try parts.decode([String].self), try parts.decode([Value].self)))
  }

  package func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(Array(keys))
    try parts.encode(Array(values))
  }
}

extension ObjectID: Codable {
  package init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    self.init(ClassID(try parts.decode(UInt32.self)), try parts.decode(Int.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(classID.rawValue)
    try parts.encode(number)
  }
}
