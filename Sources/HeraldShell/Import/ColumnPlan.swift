import Herald

/// What becomes of the columns of a file that is imported into a class.
struct ColumnPlan {
  enum Target {
    case property(PropertySchema, isText: Bool)
    /// The number of an object without a primary key.
    case number
    case skipped
    case unknown(String)
  }

  let classSchema: ClassSchema
  let choice: ColumnChoice
  /// Whether the class was made for the file.
  let isInferred: Bool
  private let uses: [MapKey: ColumnChoice.Use]
  private var targets: [MapKey: Target] = [:]

  init(_ classSchema: ClassSchema, _ choice: ColumnChoice, isInferred: Bool = false) {
    self.isInferred = isInferred
    self.classSchema = classSchema
    self.choice = choice
    uses = Dictionary(
      choice.entries.map { (MapKey($0.column), $0.use) }, uniquingKeysWith: { _, last in last })
  }

  mutating func target(of column: String) -> Target {
    if let known = targets[MapKey(column)] { return known }
    let target = newTarget(of: column)
    targets[MapKey(column)] = target
    return target
  }

  private func newTarget(of column: String) -> Target {
    let use = uses[MapKey(column)] ?? choice.useOfOthers
    guard case .property(let name, let isText) = use else { return .skipped }
    if name == nil, classSchema.primaryKey == nil, column == ExportText.numberName {
      return .number
    }
    let property =
      name.map { classSchema.property(named: $0) } ?? classSchema.property(forColumn: column)
    guard let property else { return .unknown(name ?? column) }
    return .property(property, isText: isText)
  }
}

extension ClassSchema {
  /// The property of a column's name, or of the valid name made of it.
  func property(forColumn name: String) -> PropertySchema? {
    property(named: name) ?? property(named: PropertyNames.valid(name))
  }

  /// Whether a name is that of a property, or close to one.
  func mayMean(_ name: String) -> Bool {
    property(forColumn: name) != nil || nearestName(to: name, in: properties.map(\.name)) != nil
  }
}
