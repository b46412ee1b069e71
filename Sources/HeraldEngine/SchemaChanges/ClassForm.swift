package import HeraldModel
import HeraldStorage

/// Up to this number of properties, comparing each name is faster than hashing.
private let fewNames = 16

/// The layout of a class.
package final class ClassForm: Sendable {
  package let schema: ClassSchema
  /// The columns in order of declaration.
  package let columns: [Layout.Column]
  private let names: [String]
  /// The name of this class, or of one that its properties link to, if it is not declared yet.
  let undeclared: String?
  /// Whether one of its properties holds embedded objects.
  let mayHoldEmbedded: Bool
  /// Whether new objects get generated identifiers.
  let generates: Bool
  /// The indexes of the columns for which something is stored where a new object is given no content: a default, or
  /// an index's entry for nil.
  let columnsWithDefault: [Int]
  private let columnsByID: [Layout.Column?]
  /// The encoded class, as it is stored.
  let encoded: [UInt8]

  init(_ classSchema: ClassSchema, in schema: Schema) {
    self.schema = classSchema
    encoded = classSchema.encoded()
    let columns = classSchema.properties.map { Layout.Column(classSchema.id, $0, in: schema) }
    self.columns = columns
    columnsWithDefault = columns.indices.filter { index in
      classSchema.properties[index].defaultValue != nil
        || columns[index].isSingle && columns[index].isIndexed
    }
    names = classSchema.properties.map(\.name)
    let count = columns.reduce(0) { max($0, Int($1.property.rawValue) + 1) }
    var columnsByID = [Layout.Column?](repeating: nil, count: count)
    for column in columns { columnsByID[Int(column.property.rawValue)] = column }
    self.columnsByID = columnsByID
    mayHoldEmbedded = columns.contains { $0.mayHoldEmbedded }
    generates = classSchema.properties.contains(where: \.isGenerated)
    let targets = classSchema.properties.lazy.compactMap { property in
      property.type.target.flatMap { schema.classSchema($0) }
    }
    undeclared =
      classSchema.isDeclared
      ? targets.first { !$0.isDeclared }?.name : classSchema.name
  }

  @inline(__always) package func column(_ property: PropertyID) -> Layout.Column? {
    let index = Int(property.rawValue)
    return index < columnsByID.count ? columnsByID[index] : nil
  }

  /// Returns the index of a property in `columns`. Names mostly come in order of declaration: `start` is the
  /// index that is likely.
  func index(of name: String, from start: Int) -> Int? {
    if start < names.count, names[start] == name { return start }
    if names.count <= fewNames { return names.firstIndex(of: name) }
    return schema.property(named: name).flatMap { schema.order(of: $0.id) }
  }

  package func property(_ index: Int) -> PropertySchema { schema.properties[index] }
}

extension ClassForm {
  private static let nestedLists = ClassSchema.ofNested(.nestedLists).map {
    ClassForm($0, in: Schema())
  }
  private static let nestedMaps = ClassSchema.ofNested(.nestedMaps).map {
    ClassForm($0, in: Schema())
  }

  /// Returns the layout of nested lists or of nested maps; nil for another class.
  @inline(never) static func ofNested(_ classID: ClassID) -> ClassForm? {
    switch classID {
    case .nestedLists: nestedLists
    case .nestedMaps: nestedMaps
    case _: nil
    }
  }
}
