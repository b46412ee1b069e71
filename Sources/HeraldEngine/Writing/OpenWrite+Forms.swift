import HeraldModel
import HeraldObservation

// Equal values may be stored in several forms: 7 and 7.00, 0.0 and -0.0. A value that is set back within a write to what it
// was is no change (observation 4.5), and so is not recorded: it gets back its form, too, as one to which an equal value is
// assigned keeps its own.

extension OpenWrite {
  /// Returns the form in which a value that is assigned to a property is stored.
  ///
  /// - Parameter earlier: Returns what was in the value's place before the write, from what is recorded of the property.
  func restored(
    _ value: Value, _ property: PropertyID, _ object: ObjectID,
    _ earlier: (PropertyDelta) -> Value?
  ) -> Value {
    guard value.hasForms, !log.isCreated(object),
      let change = log.changes[object.classID]?.properties[property]
    else { return value }
    return value.inForm(of: earlier(change))
  }

  /// Returns the forms in which the values that are assigned to a list are stored: those that the list has, if it is equal.
  func restored(_ values: [Value], _ property: PropertySchema, _ object: ObjectID) -> [Value] {
    guard values.contains(where: \.hasForms) else { return values }
    let present = elements(of: property, object)
    return present == values ? present : values
  }
}

extension Value {
  /// Whether equal values may have other forms. Lists and maps, which `any` can hold, are settled at the commit.
  fileprivate var hasForms: Bool {
    switch self {
    case .double(let value): value == 0
    case .float(let value): value == 0
    case .decimal: true
    case .null, .bool, .int, .string, .data, .date, .uuid, .objectID, .link, .list, .map: false
    }
  }

  /// Returns the earlier value if it is equal, and otherwise the value itself.
  func inForm(of earlier: Value?) -> Value {
    if let earlier, earlier == self { earlier } else { self }
  }
}
