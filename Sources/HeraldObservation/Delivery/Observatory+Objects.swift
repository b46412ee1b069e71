package import HeraldModel
package import HeraldQuery

/// What became of one object in what is being told.
package enum ObjectFate: Equatable, Sendable {
  case created
  /// Its own properties that changed, in the order of the schema.
  case changed([PropertyChange])
  /// The single-valued properties that it had and that were not nil.
  case deleted([PropertyID: Value])
}

extension Observatory {
  /// What became of an object in what the last report told of; nil where nothing did. O(properties).
  package func fate(of object: ObjectID, _ reader: any ObjectReader) -> ObjectFate? {
    guard let reported, let change = reported.change(of: object.classID) else { return nil }
    if change.created.contains(object.number) { return .created }
    if let former = change.deleted[object.number] { return .deleted(former.values) }
    let subject = ObjectSubject(object, .everything, [])
    guard case .change(let properties)? = subject.report(reported, reader) else { return nil }
    return .changed(properties)
  }
}
