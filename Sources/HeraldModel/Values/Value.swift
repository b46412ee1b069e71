/// The value of a property, a list element or an expression.
///
/// Values are equal if their types and contents are; predicates compare values of different types by
/// the rules of the query language.
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number of 64 bits.
  case int(Int)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A moment.
  case date(Timestamp)
  /// A decimal number of 34 digits.
  case decimal(Decimal128)
  /// An identifier of 16 bytes.
  case uuid(UniqueID)
  /// An identifier of 12 bytes.
  case objectID(DocumentID)
  /// A link to an object.
  case link(ObjectID)
  /// Collections nested in an `any`: a list, and a map by keys.
  case list([Value])
  /// Values by keys.
  case map(MapEntries)
}

extension Value {
  /// Whether it is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value {
  /// The type of the value; nil for nil, lists and maps.
  package var element: ElementType? {
    switch self {
    case .null, .list, .map: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .decimal: .decimal
    case .uuid: .uuid
    case .objectID: .objectID
    case .link(let object): .link(object.classID)
    }
  }
}

extension Value {
  /// Calls `body` with every object that the value links to, also from nested lists and maps, but not
  /// from those that it refers to.
  package func forEachLink(_ body: (ObjectID) throws -> Void) rethrows {
    switch self {
    case .link(let target): if !target.classID.isNested { try body(target) }
    case .list(let values): for value in values { try value.forEachLink(body) }
    case .map(let entries): for value in entries.values { try value.forEachLink(body) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      break
    }
  }

  /// Calls `body` with each object that one of two values links to more often than the other.
  package func forEachLinkDifference(from other: Value, _ body: (ObjectID) -> Void) {
    var counts: [ObjectID: Int] = [:]
    forEachLink { counts[$0, default: 0] += 1 }
    other.forEachLink { counts[$0, default: 0] -= 1 }
    for (target, count) in counts where count != 0 { body(target) }
  }

  /// Returns the value without its links to `object`: removes them from lists, and replaces them by
  /// nil in maps and as the value itself.
  package func unlinked(from object: ObjectID) -> Value {
    switch self {
    case .link(let target): target == object ? .null : self
    case .list(let values):
      .list(values.filter { $0 != .link(object) }.map { $0.unlinked(from: object) })
    case .map(let entries): .map(entries.mapValues { $0.unlinked(from: object) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      self
    }
  }
}

extension Value {
  /// Returns the value as a literal of the language; `link` formats links.
  package func literal(_ link: (ObjectID) -> String) -> String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .float(let value): return numberText(value)
    case .double(let value): return numberText(value)
    case .string(let value): return value.quoted
    case .data(let value): return "binary(\(value.base64.quoted))"
    case .date(let value): return value.literal
    case .decimal(let value): return value.literal
    case .uuid(let value): return "uuid(\(value.description.quoted))"
    case .objectID(let value): return "oid(\(value.description.quoted))"
    case .link(let object): return link(object)
    case .list(let values):
      return "[" + values.map { $0.literal(link) }.joined(separator: ", ") + "]"
    case .map(let entries):
      let texts = entries.inKeyOrder.map { "\($0.key.quoted): \($0.value.literal(link))" }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }

  private func numberText(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-inf" : "inf") : value.description
  }
}

extension Decimal128 {
  /// The number as a literal of the language.
  package var literal: String {
    isFinite ? description : isNaN ? "nan" : isNegative ? "-inf" : "inf"
  }
}

// A list or a map nested in a value of type `any` is stored apart, as an object of a hidden class with a
// number of its own. What contains it holds a reference, a link to that object. References are in columns,
// lists and commit records; whatever else reads a value gets it whole.

/// The maximum depth of nested lists and maps, checked before a value is stored and when it is read.
package let nestingLimit = 100

extension Value {
  /// The nested collection that the value refers to; nil for every other value.
  package var nestedCollection: ObjectID? {
    if case .link(let target) = self, target.classID.isNested { target } else { nil }
  }

  /// Returns the value with lists and maps in place of references. `contents` returns the elements of a
  /// nested collection, and the keys of a map; deeper than the limit, where only damage leads, are none.
  package func whole(
    depth: Int = 0, _ contents: (ObjectID) -> (elements: [Value], keys: [String])
  ) -> Value {
    guard let collection = nestedCollection else { return self }
    guard depth < nestingLimit else { return .null }
    let (elements, keys) = contents(collection)
    let values = elements.map { $0.whole(depth: depth + 1, contents) }
    return collection.classID == .nestedMaps ? .map(MapEntries(zip(keys, values))) : .list(values)
  }
}
