import Herald

/// What a statement says of the columns of a file: `columns { old name: newName, other: skip, x: text }`.
struct ColumnChoice: Equatable {
  enum Use: Equatable {
    case skip
    /// A property of this name, or of the column's own; `isText` takes its values as text.
    case property(String?, isText: Bool)
  }
  struct Entry: Equatable {
    var column: String
    var use: Use
    /// `or nil`: a link that leads nowhere is nil.
    var isOrNil = false
  }
  var entries: [Entry] = []
  /// Whether all other columns are skipped: `*: skip`.
  var skipsOthers = false

  func use(of column: String) -> Use {
    if let entry = entries.last(where: { $0.column.hasSameBytes(as: column) }) { return entry.use }
    return useOfOthers
  }

  /// Whether the statement says what becomes of a column.
  func names(_ column: String) -> Bool {
    skipsOthers || entries.contains { $0.column.hasSameBytes(as: column) }
  }

  /// Whether links of a column that lead nowhere are nil.
  func isOrNil(_ column: String) -> Bool {
    entries.contains { $0.isOrNil && $0.column.hasSameBytes(as: column) }
  }

  /// The use of columns that the statement does not name.
  var useOfOthers: Use { skipsOthers ? .skip : .property(nil, isText: false) }

  /// The same choice with the names of the properties that the columns have.
  func naming(_ names: [(name: String, property: String)]) -> ColumnChoice {
    var choice = self
    choice.entries += names.map { name, property in
      var isText = false
      if case .property(_, true) = use(of: name) { isText = true }
      return Entry(column: name, use: .property(property, isText: isText))
    }
    return choice
  }
}
