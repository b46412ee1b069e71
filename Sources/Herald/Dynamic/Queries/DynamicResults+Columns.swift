import HeraldEngine
import HeraldModel
import HeraldQuery

extension DynamicResults {
  /// The rows at the session's version. Errors: those of `count`.
  func rows() throws -> QueryRows {
    guard case .allObjects = base, query.stages.isEmpty else { return .numbers(try numbers()) }
    try checkSchema()
    return try store.run { reader in
      var blocks = RowMasks()
      query.forEachBlock(reader) { blocks.append($0, $1) }
      return .blocks(blocks)
    }
  }

  /// The first row; nil without one. Errors: those of `count`.
  func first() throws -> ObjectNumber? {
    guard case .allObjects = base else { return try numbers().first }
    try checkSchema()
    return try store.run { query.first($0) }
  }

  /// A property that the objects have, over links with dots, and its type.
  package struct Column {
    package let path: PropertyPath
    package let type: PropertyType
  }

  /// Finds a property by its name. Errors: `unknownProperty`, `notALink`.
  package func column(_ name: String) throws -> Column {
    var classID = query.classID
    var steps: [PropertyPath.Step] = []
    var type: PropertyType?
    for part in name.split(separator: ".") {
      guard let owner = store.schema.classSchema(classID) else { break }
      let property = try store.session.checkedProperty(String(part), of: owner)
      if let last = type, last.linkedClass == nil || last.shape != .single {
        throw HeraldError.notALink(property: String(part), className: owner.name)
      }
      steps.append(PropertyPath.Step(classID, .property(property.id)))
      type = property.type
      if let next = property.type.linkedClass { classID = next }
    }
    guard let type, type.shape == .single else {
      throw HeraldError.unknownProperty(
        name, className: store.schema.classSchema(query.classID)?.name ?? "", nearest: nil)
    }
    return Column(path: PropertyPath(root: query.classID, steps: steps), type: type)
  }

  /// Returns an aggregate of a property over the rows. Errors: those of `count`.
  func aggregate(_ operation: CollectionOperation, of column: Column) throws -> Value {
    try aggregates([operation], of: column).values[0]
  }

  /// Returns aggregates of a property over the rows. Errors: those of `count`.
  package func aggregates(
    _ operations: [CollectionOperation], of column: Column
  ) throws -> BoundQuery.Aggregates {
    try checkSchema()
    let element = column.type.element
    switch base {
    case .allObjects:
      return try store.run { query.aggregates(operations, at: column.path, of: element, $0) }
    case .collection:
      let rows = try numbers()
      return try store.run {
        query.aggregates(operations, at: column.path, of: element, among: rows, $0)
      }
    }
  }

  /// Calls `body` with the blocks of a property; returns false where the rows have no such blocks: of a
  /// collection, in an order of their own, or of a property over links or without columns. Errors: those of
  /// `count`.
  func forEachBlock(of column: Column, _ body: (ColumnBlock) -> Void) throws -> Bool {
    guard case .allObjects = base, query.stages.isEmpty, column.path.steps.count == 1,
      case .property(let property) = column.path.steps[0].kind
    else { return false }
    switch column.type.element {
    case .bool, .int, .float, .double, .string, .date: break
    case .data, .decimal, .uuid, .objectID, .any, .link: return false
    }
    try checkSchema()
    try store.run { reader in
      query.forEachColumn(property, reader) { body(ColumnBlock(values: $0, rows: $1)) }
    }
    return true
  }

  /// Returns a property of every row. Errors: those of `count`.
  func values(of column: Column) throws -> [Value] {
    let rows = try numbers()
    return try store.run { reader in
      rows.map { reader.isInterrupted ? .null : value(at: column.path, of: $0, reader) }
    }
  }
}
