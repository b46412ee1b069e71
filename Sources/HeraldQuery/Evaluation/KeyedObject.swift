import HeraldModel

/// An object by a key that is computed: `Customer#(customer_id)`.
struct KeyedObject: Sendable {
  let classID: ClassID
  let className: String
  /// The primary key; nil if the objects of the class are named by their numbers.
  let property: PropertySchema?
  var key: Operand

  func object(_ scope: EvaluationScope) -> ObjectID? { object(key.value(scope), scope.reader) }

  /// Returns a whole number of any type as an int, where that is what a key is.
  func normalized(_ key: Value) -> Value {
    guard property?.type.element ?? .int == .int, let whole = key.number?.asInteger else {
      return key
    }
    return .int(whole)
  }

  /// Returns the object with a key; nil if none has it. O(log n).
  func object(_ key: Value, _ reader: any ObjectReader) -> ObjectID? {
    guard let property else {
      guard let number = key.number?.asInteger, number > 0 else { return nil }
      let object = ObjectID(classID, number)
      return reader.exists(object) ? object : nil
    }
    let sought = normalized(key)
    if sought.isNull { return nil }
    let found =
      reader.indexed(property.id, of: classID, in: .equal(sought))
      ?? Array(BoundQuery(classID: classID).rows(reader))
    return found.lazy.map { ObjectID(classID, $0) }
      .first { reader.value(property.id, of: $0) == sought }
  }
}
