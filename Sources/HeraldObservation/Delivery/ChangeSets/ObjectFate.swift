public import HeraldModel
package import HeraldQuery

/// The change of one object between two deliveries.
public enum ObjectFate: Hashable, Sendable {
  /// The object was created.
  case created
  /// The object's own properties changed; in the order of the schema.
  case changed([DynamicPropertyChange])
  /// The object was deleted; its single-valued properties that were not nil, in the order of the schema.
  case deleted([NamedValue])

  /// A property's name and its previous value.
  public struct NamedValue: Hashable, Sendable {
    /// The name of the property.
    public var name: String
    /// The last value.
    public var value: Value
  }
}

extension Observatory {
  /// Returns the change of an object within the changes of the last report; nil where it is unchanged.
  /// O(properties).
  package func fate(of object: ObjectID, _ reader: any ObjectReader) -> ObjectFate? {
    guard let reported, let change = reported.change(of: object.classID) else { return nil }
    if change.created.contains(object.number) { return .created }
    if let deleted = change.deleted[object.number] {
      let properties = reader.schema.classSchema(object.classID)?.properties ?? []
      return .deleted(
        properties.compactMap { property in
          deleted.values[property.id].map {
            ObjectFate.NamedValue(name: property.name, value: reported.record.whole($0, reader))
          }
        })
    }
    let subject = ObjectSubject(object, .everything)
    guard case .change(let properties)? = subject.report(reported, reader) else { return nil }
    return .changed(properties)
  }
}
