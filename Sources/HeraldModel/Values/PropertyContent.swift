/// The new content of a property: a value, the elements of a list or set, or the entries of a map.
public enum PropertyContent: Hashable, Sendable {
  /// A single value.
  case value(Value)
  /// The elements of a list, or of a set.
  case list([Value])
  /// The entries of a map.
  case map(MapEntries)
}

extension PropertyContent {
  /// The content of a collection, from a value that contains its elements; a single value from others.
  package init(elementsOf value: Value) {
    switch value {
    case .list(let values): self = .list(values)
    case .map(let entries): self = .map(entries)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      self = .value(value)
    }
  }

  /// The content as a single value, as in an `any`.
  package var asValue: Value {
    switch self {
    case .value(let value): value
    case .list(let values): .list(values)
    case .map(let entries): .map(entries)
    }
  }

  /// The kind of collection; `single` for a value.
  package var shape: PropertyShape {
    switch self {
    case .value: .single
    case .list: .list
    case .map: .map
    }
  }
}

/// A property's name and content.
public typealias NamedContent = (name: String, content: PropertyContent)
