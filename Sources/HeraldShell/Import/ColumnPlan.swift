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
  /// The names that the columns so far have, as they had when a class was inferred from them.
  private var names = PropertyNames()
  private var taken = KeySet()
  private var count = 0

  init(_ classSchema: ClassSchema, _ choice: ColumnChoice, isInferred: Bool = false) {
    self.isInferred = isInferred
    self.classSchema = classSchema
    self.choice = choice
    uses = Dictionary(
      choice.entries.map { (MapKey($0.column), $0.use) }, uniquingKeysWith: { _, last in last })
    for case .property(let name?, _) in choice.entries.map(\.use) {
      _ = names.take(name, position: 0)
      taken.insert(name)
    }
  }

  mutating func target(of column: String) -> Target {
    if let known = targets[MapKey(column)] { return known }
    let target = newTarget(of: column)
    targets[MapKey(column)] = target
    return target
  }

  private mutating func newTarget(of column: String) -> Target {
    let use = uses[MapKey(column)] ?? choice.useOfOthers
    guard case .property(let name, let isText) = use else { return .skipped }
    if name == nil, classSchema.primaryKey == nil, column == ExportText.numberName {
      return .number
    }
    guard let property = classSchema.property(named: name ?? self.name(of: column)) else {
      return .unknown(name ?? column)
    }
    return .property(property, isText: isText)
  }

  /// The name of the property that a column means: its own, or the valid one made of it, unless another column has it.
  private mutating func name(of column: String) -> String {
    defer { count += 1 }
    let isOwn = classSchema.property(named: column) != nil && taken.insert(column)
    let name = names.take(column, position: count)
    if isOwn { return column }
    taken.insert(name)
    return name
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
