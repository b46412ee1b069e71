import HeraldEngine
public import HeraldModel
public import HeraldObservation

/// What became of one object between two deliveries.
public enum ObjectFate: Hashable, Sendable {
  case created
  /// Its own properties that changed, in the order of the schema.
  case changed([PropertyChange])
  /// What it held: its single-valued properties that were not nil.
  case deleted([NamedValue])

  public struct NamedValue: Hashable, Sendable {
    public var name: String
    public var value: Value
  }
}

extension Store {
  /// What became of an object in what the delivery under way tells of; nil where nothing did, and
  /// outside of deliveries. O(properties).
  public func fate(of id: ObjectID) -> ObjectFate? {
    switch session.fate(of: id) {
    case nil: return nil
    case .created: return .created
    case .changed(let properties): return .changed(properties)
    case .deleted(let values):
      let properties = schema.classSchema(id.classID)?.properties ?? []
      return .deleted(
        properties.compactMap { property in
          values[property.id].map { ObjectFate.NamedValue(name: property.name, value: $0) }
        })
    }
  }
}
