package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

/// The contents given to some properties of an object, validated and coerced.
///
/// Contents that need no coercion are not copied.
struct CoercedContents {
  let form: ClassForm
  private let given: [NamedContent]
  /// For each content the index of its column in the class; empty if the contents are those of the first
  /// columns, in order.
  private var columnIndexes: [Int] = []
  /// Up to this number of contents, comparing each column is faster than hashing.
  private static let fewContents = 16
  /// The contents by the indexes of their columns, if there are more than a few in `columnIndexes`.
  private var contentsByColumn: [Int: Int] = [:]
  /// The coerced contents, by index; empty if none needed coercion.
  private var coerced: [PropertyContent?] = []

  init(
    _ contents: [NamedContent], to form: ClassForm, in session: Session
  ) throws(HeraldError) {
    self.form = form
    given = contents
    let columns = form.columns
    var next = 0
    for index in contents.indices {
      guard let column = form.index(of: contents[index].name, from: next) else {
        throw session.unknownProperty(contents[index].name, of: form.schema)
      }
      next = column + 1
      try note(column, of: index)
      if columns[column].keeps(contents[index].content) { continue }
      if coerced.isEmpty {
        coerced = [PropertyContent?](repeating: nil, count: contents.count)
      }
      coerced[index] = try session.coerce(
        contents[index].content, form.property(column), form.schema)
    }
  }

  private mutating func note(_ column: Int, of index: Int) throws(HeraldError) {
    if columnIndexes.isEmpty {
      if column == index { return }
      columnIndexes.reserveCapacity(given.count)
      for column in 0..<index { list(column) }
    }
    guard listedIndex(of: column) == nil else {
      throw .duplicateProperty(given[index].name, className: form.schema.name)
    }
    list(column)
  }

  private mutating func list(_ column: Int) {
    columnIndexes.append(column)
    if columnIndexes.count <= Self.fewContents { return }
    if contentsByColumn.isEmpty {
      for (index, column) in columnIndexes.enumerated() { contentsByColumn[column] = index }
    } else {
      contentsByColumn[column] = columnIndexes.count - 1
    }
  }

  /// The index of a content in `columnIndexes`.
  private func listedIndex(of column: Int) -> Int? {
    columnIndexes.count > Self.fewContents
      ? contentsByColumn[column] : columnIndexes.firstIndex(of: column)
  }

  var count: Int { given.count }

  /// Returns the column of the content at an index, in the order in which contents were given.
  func column(_ index: Int) -> Layout.Column {
    form.columns[columnIndexes.isEmpty ? index : columnIndexes[index]]
  }

  func content(_ index: Int) -> PropertyContent {
    if !coerced.isEmpty, let content = coerced[index] { return content }
    return given[index].content
  }

  /// Returns whether the column at an index in the class is given a content.
  func has(_ column: Int) -> Bool {
    columnIndexes.isEmpty ? column < given.count : listedIndex(of: column) != nil
  }

  /// Returns the content for the column at an index in the class; nil if it is given none.
  func content(at column: Int) -> PropertyContent? {
    if columnIndexes.isEmpty { return column < given.count ? content(column) : nil }
    return listedIndex(of: column).map { content($0) }
  }

  func content(of property: PropertySchema) -> PropertyContent? {
    form.schema.order(of: property.id).flatMap { content(at: $0) }
  }

  /// Returns the property of the content at an index.
  func property(_ index: Int) -> PropertySchema {
    form.property(columnIndexes.isEmpty ? index : columnIndexes[index])
  }

  /// Whether an object has a value of the first property that is assigned, and therefore exists. That value is read
  /// anyway, while the object's presence is in another record.
  func isHeld(by object: ObjectID, _ reader: TransactionReader) -> Bool {
    guard count > 0 else { return false }
    let column = column(0)
    return column.isSingle && reader.storage.hasValue(column.id, object.number)
  }

  /// Sets the contents of an object that was just created, and defaults for other properties.
  func begin(_ object: ObjectID, _ write: OpenWrite) throws(StorageError) {
    let columns = form.columns
    for index in given.indices {
      let column = columnIndexes.isEmpty ? index : columnIndexes[index]
      let content = content(index)
      if try write.begin(columns[column], of: object, withPlain: content) { continue }
      switch content {
      case .value(let value): try write.begin(columns[column], of: object, with: value)
      case .list, .map: try write.assign(content, to: form.property(column), of: object)
      }
    }
    if given.count == columns.count { return }
    for index in form.columnsWithDefault where !has(index) {
      try beginWithDefault(index, of: object, write)
    }
  }

  /// Sets the first content of one of `form.columnsWithDefault`, which is given none.
  private func beginWithDefault(
    _ index: Int, of object: ObjectID, _ write: OpenWrite
  ) throws(StorageError) {
    let column = form.columns[index]
    switch form.property(index).defaultContent {
    case .value(let value): try write.begin(column, of: object, with: value)
    case .some(let content): try write.assign(content, to: form.property(index), of: object)
    case nil: try write.begin(column, of: object, with: .null)
    }
  }
}

extension Layout.Column {
  /// Returns whether a content needs neither coercion nor validation: a value of the column's own type that
  /// is not a link.
  func keeps(_ content: PropertyContent) -> Bool {
    guard isSingle, case .value(let value) = content else { return false }
    return switch (value, element) {
    case (.int, .int), (.string, .string), (.double, .double), (.bool, .bool), (.date, .date),
      (.float, .float), (.data, .data), (.decimal, .decimal), (.uuid, .uuid),
      (.objectID, .objectID):
      true
    case (.null, _): isOptional
    case (_, _): false
    }
  }
}

extension ClassForm {
  /// Returns the column of a content that needs neither coercion nor validation; nil for others, and for a primary key.
  func columnOfKept(_ content: NamedContent) -> Layout.Column? {
    guard let index = index(of: content.name, from: 0), columns[index].keeps(content.content),
      !columns[index].mayHoldEmbedded, schema.primaryKey?.id != columns[index].property
    else { return nil }
    return columns[index]
  }
}

extension Session {
  /// Validates and coerces a content for a property. `allowingNew` permits links to objects that are in no
  /// store yet, whose numbers are negative.
  package func coerce(
    _ content: PropertyContent, _ property: PropertySchema, _ classSchema: ClassSchema,
    allowingNew: Bool = false
  ) throws(HeraldError) -> PropertyContent {
    func coerce(_ value: Value) throws(HeraldError) -> Value {
      try self.coerce(value, property, classSchema, allowingNew: allowingNew)
    }
    switch (content, property.type.shape) {
    case (.value(let value), .single):
      return .value(try coerce(value))
    case (.list(let values), .list), (.list(let values), .set):
      var elements: [Value] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try coerce(value)) }
      return .list(elements)
    case (.map(let entries), .map):
      var coerced: MapEntries = [:]
      for (key, value) in entries { coerced[key] = try coerce(value) }
      return .map(coerced)
    case (.list(let values), .single) where property.type.element == .any:
      return .value(try coerce(.list(values)))
    case (.map(let entries), .single) where property.type.element == .any:
      return .value(try coerce(.map(entries)))
    case (_, .backlinks): throw .cannotChangeBacklinks(property.name)
    case (.list, .single), (.list, .map), (.value, .list), (.value, .set), (.value, .map),
      (.map, .single), (.map, .list), (.map, .set):
      throw .wrongType(
        property: property.name, className: classSchema.name,
        expected: schema.name(of: property.type), value: described(content))
    }
  }

  /// Validates and coerces a value for a property. The target of a link must exist, and that of a link in a
  /// value of type `any` must not be embedded.
  func coerce(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema,
    allowingNew: Bool = false
  ) throws(HeraldError) -> Value {
    let coerced = try property.coerced(value, in: classSchema, schema)
    for target in coerced.links {
      if target.number < 0 {
        let className = schema.classSchema(target.classID)?.name ?? "object"
        guard allowingNew else { throw .objectNotAdded("of class \(className)") }
      } else if target.classID.isNested || !reader.exists(target) {
        throw .objectDeleted(name(of: target))
      }
      if property.type.element == .any, isPart(target) {
        throw .embeddedHasOwner(name(of: target))
      }
    }
    return coerced
  }

  func described(_ content: PropertyContent) -> String {
    switch content {
    case .value(let value): value.described(in: schema)
    case .list(let values): Value.list(values).described(in: schema)
    case .map(let entries): Value.map(entries).described(in: schema)
    }
  }

  /// Checks that each property which a new object's contents omit has a default or may be nil.
  func checkComplete(_ coerced: CoercedContents) throws(HeraldError) {
    let columns = coerced.form.columns
    for index in columns.indices where !columns[index].canBeOmitted && !coerced.has(index) {
      throw .missingValue(
        property: coerced.form.property(index).name, className: coerced.form.schema.name)
    }
  }

  func checkUnique(_ coerced: CoercedContents) throws(HeraldError) {
    let classSchema = coerced.form.schema
    guard let key = classSchema.primaryKey else { return }
    let content = coerced.content(of: key) ?? .value(key.defaultValue ?? .null)
    guard case .value(let value) = content, try find(classSchema, key: value) != nil else { return }
    throw .duplicateKey(
      value.described(in: schema), className: classSchema.name, property: key.name)
  }

  /// Sets those contents of an existing object for which `isWanted` returns true.
  func apply(
    _ coerced: CoercedContents, to object: ObjectID, _ write: OpenWrite,
    where isWanted: ((PropertyContent, PropertySchema) -> Bool)? = nil
  ) throws(HeraldError) {
    for index in 0..<coerced.count {
      let content = coerced.content(index)
      if let isWanted, !isWanted(content, coerced.property(index)) { continue }
      do throws(StorageError) {
        if case .value(let value) = content {
          try write.set(coerced.column(index), of: object, to: value)
        } else {
          try write.assign(content, to: coerced.property(index), of: object)
        }
      } catch {
        throw HeraldError(error)
      }
    }
  }

  /// Returns whether an object's collection equals a content; false for a single value.
  func isHeld(
    _ content: PropertyContent, of property: PropertySchema, at object: ObjectID
  ) -> Bool {
    switch content {
    case .value: return false
    case .list(let values):
      if property.type.shape == .list { return isEqual(content, of: property, at: object) }
      var held: Set<Value> = []
      reader.forEachElement(property.id, of: object) {
        held.insert($0)
        return true
      }
      return held == Set(values)
    case .map(let entries):
      return reader.listCount(property.id, of: object) == entries.count
        && entries.allSatisfy { reader.mapValue(forKey: $0, property.id, of: object) == $1 }
    }
  }

  /// Returns whether an object's list equals a content; false for other shapes, because the write itself
  /// skips equal values, sets and maps.
  func isEqual(
    _ content: PropertyContent, of property: PropertySchema, at object: ObjectID
  ) -> Bool {
    guard case .list(let values) = content, property.type.shape == .list else { return false }
    guard reader.listCount(property.id, of: object) == values.count else { return false }
    var index = 0
    var isEqual = true
    reader.forEachElement(property.id, of: object) { element in
      isEqual = element == values[index]
      index += 1
      return isEqual
    }
    return isEqual
  }
}
