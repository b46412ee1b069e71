/// How the values of a leaf are stored: what is the same for all leaves of a column or a collection.
struct LeafForm: Sendable {
  /// The type of the values.
  var type: RealmPropertyType
  /// Whether values can be null.
  var isNullable: Bool
  /// The index of the class that links lead to; -1 for other types, and if the file does not have it.
  var target = -1
  /// What is added to the key of a stored link: 1 in columns, 0 in collections.
  var linkOffset: Int64 = 0
  /// Whether the format is at most 9.
  var isOld: Bool
  /// The ref of the distinct strings of an enumerated column; 0 if there are none.
  var distinct = 0
  /// Whether dates are whole seconds, as in formats up to 4.
  var isSeconds = false

  /// The form of the values of dictionaries, and of nested collections.
  static let mixed = LeafForm(type: .mixed, isNullable: true, isOld: false)

  /// The form of the keys of dictionaries.
  static func key(_ type: RealmPropertyType) -> LeafForm {
    LeafForm(type: type, isNullable: false, isOld: false)
  }
}
