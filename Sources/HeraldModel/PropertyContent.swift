/// What a property is given: a value, or a list's elements.
public enum PropertyContent: Hashable, Sendable {
  case value(Value)
  case list([Value])
}

/// A property's content by the property's name.
public typealias NamedContent = (name: String, content: PropertyContent)
