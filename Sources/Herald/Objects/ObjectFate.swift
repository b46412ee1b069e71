import HeraldEngine
public import HeraldModel
public import HeraldObservation

/// The change of one object between two deliveries.
public enum ObjectFate: Hashable, Sendable {
  /// The object was created.
  case created
  /// The object's own properties changed; in the order of the schema.
  case changed([PropertyChange])
  /// The object was deleted; its single-valued properties that were not nil, in the order of the schema.
  case deleted([NamedValue])

  /// A property's name and its previous value.
  public struct NamedValue: Hashable, Sendable {
    public var name: String
    public var value: Value
  }
}
