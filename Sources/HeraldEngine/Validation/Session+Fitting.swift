package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

/// What some properties of an object are given, checked against them and as they keep it.
///
/// Contents that fit as they are stay where the caller has them, without a copy.
struct FittedContents {
  let form: ClassForm
  private let given: [NamedContent]
  /// For each content the place of its column in the class; empty where contents and columns go
  /// together from the first on.
  private var places: [Int] = []
  /// What the content at an index was made; empty where all are kept as they are.
  private var converted: [PropertyContent?] = []

  init(
    _ contents: [NamedContent], to form: ClassForm, in session: Session
  ) throws(HeraldError) {
    self.form = form
    given = contents
    let columns = form.columns
    var next = 0
    for index in contents.indices {
      guard let place = form.place(of: contents[index].name, from: next) else {
        throw session.unknownProperty(contents[index].name, of: form.schema)
      }
      next = place + 1
      try note(place, of: index)
      if columns[place].keeps(contents[index].content) { continue }
      if converted.isEmpty {
        converted = [PropertyContent?](repeating: nil, count: contents.count)
      }
      converted[index] = try session.fit(
        contents[index].content, form.property(place), form.schema)
    }
  }

  private mutating func note(_ place: Int, of index: Int) throws(HeraldError) {
    if places.isEmpty {
      if place == index { return }
      places = Array(0..<index)
    }
    guard !places.contains(place) else {
      throw .duplicateProperty(given[index].name, className: form.schema.name)
    }
    places.append(place)
  }

  var count: Int { given.count }

  /// The column of the content at an index, in the order in which contents were given.
  func column(_ index: Int) -> Layout.Column {
    form.columns[places.isEmpty ? index : places[index]]
  }

  func content(_ index: Int) -> PropertyContent {
    if !converted.isEmpty, let content = converted[index] { return content }
    return given[index].content
  }

  /// Whether the column at a place in the class is given a content.
  func has(_ place: Int) -> Bool {
    places.isEmpty ? place < given.count : places.contains(place)
  }

  /// The content for the column at a place in the class; nil where it is given none.
  func content(at place: Int) -> PropertyContent? {
    if places.isEmpty { return place < given.count ? content(place) : nil }
    return places.firstIndex(of: place).map { content($0) }
  }

  func content(of property: PropertySchema) -> PropertyContent? {
    form.schema.order(of: property.id).flatMap { content(at: $0) }
  }

  /// The property of the content at an index.
  func property(_ index: Int) -> PropertySchema {
    form.property(places.isEmpty ? index : places[index])
  }

  /// Gives an object that was just created its contents, and defaults where there are none.
  func begin(_ object: ObjectID, _ write: OpenWrite) throws(StorageError) {
    let columns = form.columns
    for place in columns.indices {
      switch content(at: place) {
      case .value(let value): try write.begin(columns[place], of: object, with: value)
      case .some(let content): try write.assign(content, to: form.property(place), of: object)
      case nil:
        try beginWithDefault(place, of: object, write)
      }
    }
  }

  private func beginWithDefault(
    _ place: Int, of object: ObjectID, _ write: OpenWrite
  ) throws(StorageError) {
    let column = form.columns[place]
    switch form.property(place).defaultContent {
    case .value(let value): try write.begin(column, of: object, with: value)
    case .some(let content): try write.assign(content, to: form.property(place), of: object)
    case nil: if column.isSingle { try write.begin(column, of: object, with: .null) }
    }
  }
}

extension Layout.Column {
  /// Whether a content is kept as it is, with nothing more to check: a value of the column's own
  /// type that leads to no object.
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

extension Session {
  /// What a property is given, as it keeps it. `allowingNew`: also links to objects that are in no
  /// store yet, whose numbers are negative.
  package func fit(
    _ content: PropertyContent, _ property: PropertySchema, _ classSchema: ClassSchema,
    allowingNew: Bool = false
  ) throws(HeraldError) -> PropertyContent {
    func fit(_ value: Value) throws(HeraldError) -> Value {
      try self.fit(value, property, classSchema, allowingNew: allowingNew)
    }
    switch (content, property.type.shape) {
    case (.value(let value), .single):
      return .value(try fit(value))
    case (.list(let values), .list), (.list(let values), .set):
      var elements: [Value] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try fit(value)) }
      return .list(elements)
    case (.map(let entries), .map):
      var fitted: MapEntries = [:]
      for (key, value) in entries { fitted[key] = try fit(value) }
      return .map(fitted)
    case (.list(let values), .single) where property.type.element == .any:
      return .value(try fit(.list(values)))
    case (.map(let entries), .single) where property.type.element == .any:
      return .value(try fit(.map(entries)))
    case (_, .backlinks): throw .cannotChangeBacklinks(property.name)
    case (.list, .single), (.list, .map), (.value, .list), (.value, .set), (.value, .map),
      (.map, .single), (.map, .list), (.map, .set):
      throw .wrongType(
        property: property.name, className: classSchema.name,
        expected: schema.name(of: property.type), value: described(content))
    }
  }

  /// A value as the property keeps it; a link must lead to an object that exists, and one in a value
  /// of any type to none that is a part of another.
  func fit(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema,
    allowingNew: Bool = false
  ) throws(HeraldError) -> Value {
    let fitted = try property.fitted(value, in: classSchema, schema)
    for target in fitted.links {
      if target.number < 0 {
        let className = schema.classSchema(target.classID)?.name ?? "object"
        guard allowingNew else { throw .objectNotAdded("of class \(className)") }
      } else if !reader.exists(target) {
        throw .objectDeleted(name(of: target))
      }
      if property.type.element == .any, isPart(target) {
        throw .embeddedHasOwner(name(of: target))
      }
    }
    return fitted
  }

  func described(_ content: PropertyContent) -> String {
    switch content {
    case .value(let value): value.described(in: schema)
    case .list(let values): Value.list(values).described(in: schema)
    case .map(let entries): Value.map(entries).described(in: schema)
    }
  }

  /// A property that a new object's contents leave out must have a default or may be nil.
  func checkComplete(_ fitted: FittedContents) throws(HeraldError) {
    let columns = fitted.form.columns
    for place in columns.indices where !columns[place].canBeLeftOut && !fitted.has(place) {
      throw .missingValue(
        property: fitted.form.property(place).name, className: fitted.form.schema.name)
    }
  }

  func checkUnique(_ fitted: FittedContents) throws(HeraldError) {
    let classSchema = fitted.form.schema
    guard let key = classSchema.primaryKey else { return }
    let content = fitted.content(of: key) ?? .value(key.defaultValue ?? .null)
    guard case .value(let value) = content, try find(classSchema, key: value) != nil else { return }
    throw .duplicateKey(
      value.described(in: schema), className: classSchema.name, property: key.name)
  }

  /// Gives an old object those contents that `isWanted`.
  func apply(
    _ fitted: FittedContents, to object: ObjectID, _ write: OpenWrite,
    where isWanted: (PropertyContent, PropertySchema) -> Bool = { _, _ in true }
  ) throws(HeraldError) {
    for index in 0..<fitted.count {
      let content = fitted.content(index)
      guard isWanted(content, fitted.property(index)) else { continue }
      do throws(StorageError) {
        if case .value(let value) = content {
          try write.set(fitted.column(index), of: object, to: value)
        } else {
          try write.assign(content, to: fitted.property(index), of: object)
        }
      } catch {
        throw HeraldError(error)
      }
    }
  }

  /// Whether a collection is what an object holds; false for a single value.
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

  /// Whether a list is what an object holds; the write itself leaves equal values, sets and maps
  /// alone.
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
