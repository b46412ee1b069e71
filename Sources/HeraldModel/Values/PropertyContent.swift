/// What a property is given: a value, a list's or a set's elements, or a map's entries.
public enum PropertyContent: Hashable, Sendable {
  case value(Value)
  case list([Value])
  case map(MapEntries)
}

/// A property's content by the property's name.
public typealias NamedContent = (name: String, content: PropertyContent)
