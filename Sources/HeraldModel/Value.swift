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
  case decimal(Decimal128)
  case uuid(UniqueID)
  case objectID(DocumentID)
  case link(ObjectID)
  /// Values inside an `any`: a list, and a map by keys.
  case list([Value])
  case map(MapEntries)
}

extension Value {
  public var isNull: Bool { self == .null }
}
