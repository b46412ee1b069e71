// Strings are equal if their code points are, not if they are canonically equivalent: an assignment
// that only changes the composition of a letter is a change, and primary keys that differ only in it
// are distinct. NaN equals itself, so that values can be looked up and compared.

extension Value {
  /// Whether both have the same type and the same value.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a == b || (a.isNaN && b.isNaN)
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.objectID(let a), .objectID(let b)): a == b
    case (.link(let a), .link(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    default: false
    }
  }

  /// Whether both are equal and in the same form: 1.1 and 1.10 are equal, and so are 0.0 and -0.0, but are not written
  /// alike.
  package func hasSameForm(as other: Value) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    case (.decimal(let a), .decimal(let b)): a.bits == b.bits || a.isNaN && b.isNaN
    case (.list(let a), .list(let b)): a.hasSameForms(as: b)
    case (.map(let a), .map(let b)):
      a.count == b.count
        && a.allSatisfy { key, value in b[key].map { value.hasSameForm(as: $0) } ?? false }
    default: self == other
    }
  }

  /// Equal values have one hash value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.isNaN ? .nan : value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .string(let value):
      var value = value
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .objectID(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    case .map(let values): hasher.combine(values)
    }
  }
}

extension [Value] {
  /// Whether both have equal values in the same form.
  package func hasSameForms(as other: [Value]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameForm(as: $1) }
  }
}

extension String {
  /// Whether the two strings have the same code points: stricter than `==`.
  package func hasSameBytes(as other: String) -> Bool {
    // `==` rejects most unequal strings quickly; the bytes decide the rest.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }

  /// Compares by code point, which is the order of the UTF-8 bytes; returns a negative number, 0 or a
  /// positive number.
  package func byteOrder(_ other: String) -> Int {
    let order = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        byteOrder(of: mine, theirs)
      }
    }
    if let order, let order { return order }
    return byteOrder(of: Array(utf8), Array(other.utf8))
  }

  private func byteOrder(
    of a: some RandomAccessCollection<UInt8>, _ b: some RandomAccessCollection<UInt8>
  ) -> Int {
    for (left, right) in zip(a, b) where left != right { return left < right ? -1 : 1 }
    return a.count - b.count
  }
}

extension ValueType where Link == ClassID {
  /// Compares two types. Called for every value that is written: the synthesized `==` is generic and
  /// instantiates its metadata at run time when called from another module.
  public static func == (left: ElementType, right: ElementType) -> Bool {
    switch (left, right) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.decimal, .decimal), (.uuid, .uuid),
      (.objectID, .objectID), (.any, .any):
      true
    case (.link(let left), .link(let right)): left == right
    case (_, _): false
    }
  }
}
