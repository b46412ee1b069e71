/// What a property, a list element or an expression holds.
///
/// Equality is that of the same type and the same content; comparison between types, as predicates
/// need it, belongs to the query language.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case float(Float)
  case double(Double)
  case string(String)
  case data([UInt8])
  case date(Timestamp)
  case link(ObjectID)
}

extension Value {
  public var isNull: Bool { self == .null }
}
