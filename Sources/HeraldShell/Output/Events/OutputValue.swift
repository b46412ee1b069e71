package import Herald

/// A value for output: links carry the name of their target.
package indirect enum OutputValue: Hashable, Sendable {
  /// Never a link, a list or a map.
  case plain(Value)
  case link(ObjectLabel)
  case object(ObjectLabel, [Field])
  /// An embedded object, nested in the object that is shown.
  case embedded(ObjectLabel, [Field])
  /// An object seen through the projection of this name; without fields only its name.
  case projection(String, ObjectLabel, [Field]?)
  /// The columns of a row that is not an object.
  case row([Field])
  case list([OutputValue])
  /// In order of key.
  case map([Field])

  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: OutputValue
    /// Backlinks are shown, but cannot be assigned.
    package var isReadOnly = false
  }
}

extension OutputValue.Field {
  /// A plain value.
  init(_ name: String, _ value: Value) { self.init(name: name, value: .plain(value)) }
}
