package import HeraldModel
import HeraldStorage

/// The values of some properties of new objects of a class, validated and coerced, by column.
struct CoercedColumns {
  private let form: ClassForm
  /// The number of objects.
  let count: Int
  /// The contents, by the index of their column in the class; nil for properties that get their defaults.
  private var contents: [ColumnContent?]

  /// Checks everything but primary keys.
  init(
    _ columns: [NamedColumn], to form: ClassForm, in session: Session
  ) throws(HeraldError) {
    self.form = form
    count = columns.first?.content.count ?? 0
    contents = [ColumnContent?](repeating: nil, count: form.columns.count)
    for (name, content) in columns {
      guard let index = form.index(of: name, from: 0) else {
        throw session.unknownProperty(name, of: form.schema)
      }
      guard contents[index] == nil else {
        throw .duplicateProperty(name, className: form.schema.name)
      }
      guard content.count == count else {
        throw .unequalColumns(
          property: name, className: form.schema.name, count: content.count, other: columns[0].name,
          expected: count)
      }
      contents[index] = try session.coerce(content, index, form)
    }
    for index in form.columns.indices
    where contents[index] == nil && !form.columns[index].canBeOmitted
      && !form.property(index).isGenerated
    {
      throw .missingValue(property: form.property(index).name, className: form.schema.name)
    }
  }

  /// Whether the objects can be written column by column: none of them depends on another, or has links.
  var isPlain: Bool {
    if form.generates || form.schema.primaryKey != nil { return false }
    for index in form.columns.indices {
      let column = form.columns[index]
      if contents[index] == nil, form.property(index).defaultContent == nil, !column.isIndexed {
        continue
      }
      guard column.isSingle, !column.element.mayHoldLinks else { return false }
    }
    return true
  }

  /// The contents of one object.
  func row(_ row: Int) -> [NamedContent] {
    contents.indices.compactMap { index in
      contents[index].map { (form.property(index).name, .value($0[row])) }
    }
  }

  /// Sets the values of objects that were just created, whose numbers follow one another.
  func begin(_ first: ObjectNumber, _ write: OpenWrite) throws(StorageError) {
    for index in form.columns.indices {
      let column = form.columns[index]
      if let content = contents[index] {
        try write.begin(column, from: first, with: content)
      } else if case .value(let value)? = form.property(index).defaultContent {
        try write.begin(column, from: first, count) { _ in value }
      } else if column.isIndexed {
        try write.begin(column, from: first, count) { _ in .null }
      }
    }
  }
}

extension OpenWrite {
  /// Sets the first values of a property of objects that were just created.
  func begin(
    _ column: Layout.Column, from first: ObjectNumber, with content: ColumnContent
  ) throws(StorageError) {
    switch content {
    case .ints(let values):
      try transaction.beginWords(column.id, .integers, from: first, values.count) { values[$0] }
      guard column.isIndexed else { return }
      for index in values.indices {
        try transaction.addToIndex(column.id, .integer(values[index]), first + index)
      }
    case .bools(let values) where !column.isIndexed:
      try transaction.beginWords(column.id, .integers, from: first, values.count) {
        values[$0] ? 1 : 0
      }
    case .doubles(let values) where !column.isIndexed:
      try transaction.beginWords(column.id, .doubles, from: first, values.count) {
        Int(bitPattern: UInt(values[$0].bitPattern))
      }
    case .strings(let values) where !column.isIndexed:
      try transaction.beginStrings(column.id, from: first, values)
    case .bools, .doubles, .strings, .dates, .values:
      try begin(column, from: first, content.count) { content[$0] }
    }
  }

  fileprivate func begin(
    _ column: Layout.Column, from first: ObjectNumber, _ count: Int, _ value: (Int) -> Value
  ) throws(StorageError) {
    let classID = ClassID(column.id.classID)
    for index in 0..<count {
      try begin(column, of: ObjectID(classID, first + index), with: value(index))
    }
  }
}

extension Session {
  /// Adds as many objects as each column has values, and returns their numbers. It validates everything before
  /// it changes anything.
  package func add(
    to classSchema: ClassSchema, columns: [NamedColumn]
  ) throws -> Range<ObjectNumber> {
    let write = try openWrite()
    let form = try declaredForm(of: classSchema.id, named: classSchema.name, write.reader.layout)
    guard !form.schema.isEmbedded else {
      throw HeraldError.embeddedNeedsOwner(className: form.schema.name)
    }
    let coerced = try CoercedColumns(columns, to: form, in: self)
    guard coerced.count > 0 else { return 0..<0 }
    guard coerced.isPlain else { return try addByRow(coerced, classSchema) }
    return try stored { () throws(StorageError) in
      let numbers = try write.create(classSchema.id, count: coerced.count)
      try coerced.begin(numbers.lowerBound, write)
      return numbers
    }
  }

  /// Adds the objects one by one; if one is refused, none is added.
  private func addByRow(
    _ columns: CoercedColumns, _ classSchema: ClassSchema
  ) throws -> Range<ObjectNumber> {
    var added: [ObjectID] = []
    do {
      for row in 0..<columns.count { added.append(try add(classSchema, columns.row(row))) }
    } catch {
      for object in added.reversed() { try delete(object) }
      throw error
    }
    return added[0].number..<added[0].number + added.count
  }

  /// Validates and coerces the values of a column.
  fileprivate func coerce(
    _ content: ColumnContent, _ index: Int, _ form: ClassForm
  ) throws(HeraldError) -> ColumnContent {
    let column = form.columns[index]
    if column.keeps(content) { return content }
    var values: [Value] = []
    values.reserveCapacity(content.count)
    for row in 0..<content.count {
      let given = PropertyContent.value(content[row])
      let coerced =
        column.keeps(given) ? given : try coerce(given, form.property(index), form.schema)
      guard case .value(let value) = coerced else { continue }
      values.append(value)
    }
    return .values(values)
  }
}

extension Layout.Column {
  /// Returns whether a content needs neither coercion nor validation.
  fileprivate func keeps(_ content: ColumnContent) -> Bool {
    guard isSingle else { return false }
    return switch (content, element) {
    case (.ints, .int), (.doubles, .double), (.bools, .bool), (.strings, .string), (.dates, .date):
      true
    case (_, _): false
    }
  }
}
