package import HeraldModel
package import HeraldQuery

/// The change of one object within a delivery.
package enum ObjectOutcome: Equatable, Sendable {
  case created
  /// Its own properties that changed, in the order of the schema.
  case changed([PropertyChange])
  /// Its single-valued properties that were not nil.
  case deleted([PropertyID: Value])
}

extension Observatory {
  /// Returns the change of an object within the changes of the last report; nil where it is unchanged.
  /// O(properties).
  package func fate(of object: ObjectID, _ reader: any ObjectReader) -> ObjectOutcome? {
    guard let reported, let change = reported.change(of: object.classID) else { return nil }
    if change.created.contains(object.number) { return .created }
    if let deleted = change.deleted[object.number] { return .deleted(deleted.values) }
    let subject = ObjectSubject(object, .everything)
    guard case .change(let properties)? = subject.report(reported, reader) else { return nil }
    return .changed(properties)
  }
}
