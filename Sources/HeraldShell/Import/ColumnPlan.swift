import Herald

/// What becomes of the columns of a file that is imported into a class.
struct ColumnPlan {
  enum Target {
    case property(PropertySchema, isText: Bool)
    /// The number of an object without a primary key.
    case number
    case skipped
    case unknown(String)
    /// The statement must say which property the column is; the reason.
    case unclear(String)
  }

  /// The properties that a message lists.
  private static let mostNamed = 20

  let classSchema: ClassSchema
  let choice: ColumnChoice
  /// Whether the class was made for the file.
  let isInferred: Bool
  private let uses: [MapKey: ColumnChoice.Use]
  private var targets: [MapKey: Target] = [:]
  /// The properties that columns have.
  private var taken: KeySet
  /// The columns whose names were changed, by their properties.
  private var changed: [MapKey: String] = [:]
  /// The columns that a file is known to have, and the properties that their names mean, or the valid names made of them.
  private var columns: [(name: String, property: String)] = []

  init(_ classSchema: ClassSchema, _ choice: ColumnChoice, isInferred: Bool = false) {
    self.isInferred = isInferred
    self.classSchema = classSchema
    self.choice = choice
    uses = Dictionary(
      choice.entries.map { (MapKey($0.column), $0.use) }, uniquingKeysWith: { _, last in last })
    taken = KeySet(
      choice.entries.compactMap { if case .property(let name?, _) = $0.use { name } else { nil } })
  }

  /// Takes the columns of a file, or those of its first record: a column with the name of a property is that property,
  /// wherever it stands.
  mutating func learn(_ names: [String]) {
    for (position, name) in names.enumerated() {
      guard case .property(nil, _) = use(of: name) else { continue }
      let isOwn = classSchema.property(named: name) != nil
      columns.append((name, isOwn ? name : PropertyNames.valid(name, at: position)))
      if isOwn { _ = target(of: name) }
    }
  }

  mutating func target(of column: String) -> Target {
    if let known = targets[MapKey(column)] { return known }
    let target = newTarget(of: column)
    targets[MapKey(column)] = target
    return target
  }

  private func use(of column: String) -> ColumnChoice.Use {
    uses[MapKey(column)] ?? choice.useOfOthers
  }

  private mutating func newTarget(of column: String) -> Target {
    guard case .property(let name, let isText) = use(of: column) else { return .skipped }
    if name == nil, classSchema.primaryKey == nil, column == ExportText.numberName {
      return .number
    }
    let isOwn = name == nil && classSchema.property(named: column) != nil
    if isOwn, let other = changed[MapKey(column)]?.shortened {
      return .unclear(
        "\"\(other)\" was taken for the same property: say what it is with columns { \"\(other)\": … }"
      )
    }
    let candidates = name.map { [$0] } ?? self.candidates(for: column)
    if candidates.count > 1 {
      let choices = candidates.prefix(Self.mostNamed).map { "'\($0)'" }.joined(separator: " or ")
      return .unclear(
        "it may be property \(choices): say so with "
          + "columns { \"\(column.shortened)\": \(candidates[0]) }")
    }
    guard let found = candidates.first, let property = classSchema.property(named: found) else {
      return .unknown(name ?? column)
    }
    taken.insert(found)
    if name == nil, !isOwn { changed[MapKey(found)] = column }
    return .property(property, isText: isText)
  }

  /// The properties that a column may be: that of its name; else that of the valid name made of it, or of this with a number,
  /// as a class has them that was made for columns of one valid name, unless another column has the property.
  private func candidates(for column: String) -> [String] {
    func isFree(_ name: String) -> Bool {
      classSchema.property(named: name) != nil && !taken.contains(name)
    }
    if isFree(column) { return [column] }
    let valid =
      columns.first { $0.name.hasSameBytes(as: column) }?.property ?? PropertyNames.valid(column)
    var names = isFree(valid) ? [valid] : []
    var number = 2
    while case let name = PropertyNames.numbered(valid, number),
      classSchema.property(named: name) != nil
    {
      if isFree(name), !columns.contains(where: { $0.property == name }) { names.append(name) }
      number += 1
    }
    // As many columns as properties are in the order in which the class was made for them.
    let alike = columns.count { $0.property == valid && targets[MapKey($0.name)] == nil }
    return alike == names.count ? Array(names.prefix(1)) : names
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
