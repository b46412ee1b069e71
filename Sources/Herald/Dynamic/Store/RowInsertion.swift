import HeraldEngine
package import HeraldModel

/// Adds objects of one class in the open transaction, each with plain values of the same properties, for a fraction of
/// what `DynamicStore.add` costs.
package struct RowInsertion {
  private let insertion: ObjectInsertion
  private let session: Session

  fileprivate init(_ insertion: ObjectInsertion, in session: Session) {
    self.insertion = insertion
    self.session = session
  }

  /// Adds an object with a value for each of the properties, and returns its number. Returns nil, and changes nothing,
  /// if only `DynamicStore.add` can add it or report what is wrong.
  package func add(_ values: UnsafeBufferPointer<PlainValue>) throws -> ObjectNumber? {
    try insertion.add(values, in: session)
  }

  /// Whether `add(rows:)` can add any.
  package var addsRows: Bool { insertion.addsRows }

  /// Returns whether an object with these values, one for each of the properties, may be one of those that `add(rows:)`
  /// adds.
  package func keeps(_ values: UnsafePointer<PlainValue>) -> Bool { insertion.keeps(values) }

  /// Adds an object for each row of values, one row after the other, for a fraction of what adding each costs, and
  /// returns their numbers. Returns nil, and changes nothing, if they must be added one by one.
  package func add(rows values: UnsafeBufferPointer<PlainValue>) throws -> Range<ObjectNumber>? {
    try insertion.add(rows: values, in: session)
  }
}

extension DynamicStore {
  /// Prepares for adding objects that differ only in the values of these properties. Returns nil if only `add` can add
  /// them or report what is wrong.
  package func insertion(of className: String, _ properties: [String]) -> RowInsertion? {
    guard let classSchema = session.classSchema(named: className),
      let insertion = session.insertion(of: classSchema, properties)
    else { return nil }
    return RowInsertion(insertion, in: session)
  }
}
