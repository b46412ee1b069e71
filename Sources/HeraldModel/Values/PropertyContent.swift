/// The new content of a property: a value, the elements of a list or set, or the entries of a map.
public enum PropertyContent: Hashable, Sendable {
  case value(Value)
  case list([Value])
  case map(MapEntries)
}

/// A property's name and content.
public typealias NamedContent = (name: String, content: PropertyContent)
