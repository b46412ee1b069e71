/// Where the objects of a class are, and how each property is stored.
struct TableLayout: Sendable {
  /// Where the objects are.
  var rows: Rows = .none
  /// How each property is stored, in the order of the class' properties.
  var columns: [ColumnLayout] = []

  /// Where objects are.
  enum Rows: Sendable {
    /// Nowhere: the class is damaged, or has no columns.
    case none
    /// In a cluster tree with this root.
    case clusters(root: Int)
    /// In columns of formats up to 9; their number of rows is that of this column.
    case columns(ColumnLayout)
  }
}

/// How a property is stored.
struct ColumnLayout: Sendable {
  /// How its values, or the elements of its collections, are stored.
  let form: LeafForm
  /// Which collection the values are.
  let collection: RealmCollectionKind
  /// The type of the keys of dictionaries.
  let keys: RealmPropertyType
  /// The slot of the column's leaf in a cluster; in formats up to 9 the ref of the column's tree.
  let address: Int
  /// Whether lists are tables within the table, in formats up to 9.
  var isSubtable = false

  /// Whether it is stored as two trees, of seconds and of nanoseconds, in formats up to 9.
  var isPairOfTrees: Bool {
    form.isOld && form.type == .timestamp && !form.isSeconds && collection == .none
  }
}

/// What files have in numbers: the attributes of a column.
struct ColumnAttributes: OptionSet {
  /// The bits, as in the file.
  let rawValue: Int

  /// Has a search index.
  static let indexed = ColumnAttributes(rawValue: 1)
  /// Can be null.
  static let nullable = ColumnAttributes(rawValue: 16)
  /// Has lists.
  static let list = ColumnAttributes(rawValue: 32)
  /// Has dictionaries.
  static let dictionary = ColumnAttributes(rawValue: 64)
  /// Has sets.
  static let set = ColumnAttributes(rawValue: 128)
  /// Has an index of words.
  static let fullText = ColumnAttributes(rawValue: 256)

  /// The collection that these attributes say.
  var collection: RealmCollectionKind {
    if contains(.list) { return .list }
    if contains(.set) { return .set }
    return contains(.dictionary) ? .dictionary : .none
  }
}
