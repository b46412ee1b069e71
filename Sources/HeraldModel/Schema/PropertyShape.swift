/// How many values a property holds, and in what order.
public enum PropertyShape: Hashable, Sendable {
  /// One value.
  case single
  /// Values in an order.
  case list
  /// Distinct values, in order of value; links in order of creation.
  case set
  /// Values by string keys, in order of key.
  case map
  /// The objects whose property of this name links here: read-only, maintained by the store.
  case backlinks(String)
}

extension PropertyShape {
  /// Whether the store keeps it, from links that lead here.
  public var isBacklinks: Bool { if case .backlinks = self { true } else { false } }
}
