import HeraldEngine
import HeraldModel
import HeraldRealmFiles

/// The objects of a file of the documented system on their way into a store, in an open write.
struct RealmLoading {
  private let source: RealmSource
  private let session: Session
  /// The objects that were added for each imported table, by its index in the file.
  private var places: [Int: Place] = [:]
  private(set) var losses: [RealmLoss] = []
  /// How many losses are listed of a property.
  private static let mostLosses = 20
  private var lossCounts: [String: Int] = [:]
  /// The numbers of the objects that the single links of the class that is filled lead to, by property; 0 for none.
  private var targets: [PropertyID: [ObjectNumber]] = [:]

  /// The numbers of the objects of a class, which follow one another.
  private struct Place {
    let classSchema: ClassSchema
    let first: ObjectNumber
    let positions: RealmPositions
    /// Whether the keys of the file are 0, 1, …: then a key is the place of its object.
    let isDense: Bool
  }

  init(_ source: RealmSource, into session: Session) {
    self.source = source
    self.session = session
  }

  /// Adds the objects of the tables to classes that are declared: first all without values, then their values. Errors: those
  /// of the session; `interrupted`; `cannotOpen` if the file is changed meanwhile.
  mutating func load(_ tables: [RealmSource.Table]) throws {
    try source.checkUnchanged()
    for table in tables { try create(table) }
    for table in tables {
      guard let place = places[table.index] else { continue }
      try fill(table, place)
      for (property, targets) in targets {
        guard let property = place.classSchema.property(property) else { continue }
        try session.fill(property, of: place.classSchema, from: place.first, linkingTo: targets)
      }
      targets = [:]
    }
    try source.checkUnchanged()
    for table in tables { try deleteRepeated(table) }
    for (place, count) in lossCounts.sorted(by: { $0.key < $1.key }) where count > Self.mostLosses {
      losses.append(RealmLoss(nil, "\(place): \(count - Self.mostLosses) more like the first"))
    }
  }

  private mutating func create(_ table: RealmSource.Table) throws {
    guard let classSchema = session.classSchema(named: table.definition.name) else { return }
    let positions: RealmPositions
    do {
      positions = try source.file.positions(of: table.index)
    } catch {
      return note(error)
    }
    try checkKeys(of: table, in: classSchema)
    let numbers =
      positions.count == 0
      ? 1..<1 : try session.createUnfilled(classSchema, count: positions.count)
    let last = Int64(positions.count - 1)
    let isDense = positions.count > 0 && (try? positions.index(of: last)) == positions.count - 1
    places[table.index] = Place(
      classSchema: classSchema, first: numbers.lowerBound, positions: positions, isDense: isDense)
  }

  /// Throws `duplicateKey` if an object of the store has the primary key of one of the file.
  private func checkKeys(of table: RealmSource.Table, in classSchema: ClassSchema) throws {
    guard let key = classSchema.primaryKey, session.reader.objectCount(of: classSchema.id) > 0,
      let place = source.file.tables[table.index].primaryKeyIndex,
      var cursor = try? source.file.objects(of: table.index)
    else { return }
    while (try? cursor.nextBlock()) ?? false {
      for index in 0..<cursor.count {
        guard let found = try? cursor.value(of: place, at: index) else { continue }
        let value = single(found, key)
        if try session.find(classSchema, key: value) != nil {
          throw HeraldError.duplicateKey(
            value.literal { "\($0)" }, className: classSchema.name, property: key.name)
        }
      }
    }
  }

  private mutating func fill(_ table: RealmSource.Table, _ place: Place) throws {
    var cursor: RealmCursor
    do {
      cursor = try source.file.objects(of: table.index)
    } catch {
      return note(error)
    }
    while true {
      do {
        guard try cursor.nextBlock() else { return }
      } catch {
        note(error)
        continue
      }
      if session.interruption?.isRequested == true { throw HeraldError.interrupted }
      for (property, index) in zip(table.definition.properties, table.properties) {
        guard let schema = place.classSchema.property(named: property.name) else { continue }
        try fill(schema, index, place, &cursor)
      }
    }
  }

  /// Fills a property of the objects of the cursor's block.
  private mutating func fill(
    _ property: PropertySchema, _ index: Int, _ place: Place, _ cursor: inout RealmCursor
  ) throws {
    let first = place.first + cursor.firstPosition
    let isLink = if case .link = property.type.element { true } else { false }
    if property.type.shape == .single, !property.isPrimaryKey,
      let content = plainContent(property, index, &cursor)
    {
      return try session.fill(property, of: place.classSchema, from: first, with: content)
    }
    var start = 0
    while start < cursor.count {
      let column = cursor.column(of: index, from: start)
      for damage in column.damages { note(damage.error) }
      defer { start = max(column.indices.upperBound, start + 1) }
      if property.type.shape == .single, isLink {
        add(column.values, at: cursor.firstPosition + start, property, place)
        continue
      }
      if property.type.shape == .single {
        let values = column.values.map { single($0, property) }
        try session.fill(
          property, of: place.classSchema, from: first + start, with: .values(values))
        continue
      }
      for (offset, value) in column.values.enumerated() {
        guard let content = collection(value, property) else { continue }
        if case (.dictionary(let entries), .map(let found)) = (value, content),
          found.count < entries.count
        {
          let name = "\(place.classSchema.name).\(property.name)"
          note(
            RealmLoss(
              place.classSchema.name, "\(name): a key is there twice; the last value stays"),
            of: name)
        }
        let object = ObjectID(place.classSchema.id, first + start + offset)
        try session.fill(property, of: object, with: content)
      }
    }
  }

  /// The numbers of a block at once; nil where there are other values, or some cannot be read.
  private func plainContent(
    _ property: PropertySchema, _ index: Int, _ cursor: inout RealmCursor
  ) -> ColumnContent? {
    switch property.type.element {
    case .int where !property.type.isOptional:
      guard let values = try? cursor.integers(of: index) else { return nil }
      return .ints(values.map { Int($0) })
    case .double where !property.type.isOptional:
      return (try? cursor.doubles(of: index)).flatMap { $0 }.map { .doubles($0) }
    case _: return nil
    }
  }

  /// Notes the targets of single links, which are filled together.
  private mutating func add(
    _ values: [RealmValue], at position: Int, _ property: PropertySchema, _ place: Place
  ) {
    var numbers =
      targets.removeValue(forKey: property.id)
      ?? [ObjectNumber](repeating: 0, count: place.positions.count)
    for (offset, value) in values.enumerated() {
      if case .link(let link) = value, let target = target(of: link) {
        numbers[position + offset] = target.number
      }
    }
    targets[property.id] = numbers
  }

  /// Deletes objects whose primary key an earlier one has: it was nil, which the zero of the type stands for, or is damaged.
  private mutating func deleteRepeated(_ table: RealmSource.Table) throws {
    guard let place = places[table.index], let key = place.classSchema.primaryKey else { return }
    let repeated = try session.objectsWithRepeatedKey(of: place.classSchema)
    let name = place.classSchema.name
    for object in repeated {
      let value = session.reader.value(key.id, of: object)
      note(
        RealmLoss(
          name,
          "\(name).\(key.name): the object \(object.number - place.first) has the primary key "
            + "\(value.literal { "\($0)" }) of another one, and is left out"),
        of: "\(name).\(key.name)")
    }
    try session.delete(repeated) {}
  }

  // MARK: Values

  /// A value of a single property; what is missing where nothing may be is the type's zero.
  private func single(_ value: RealmValue, _ property: PropertySchema) -> Value {
    let found = self.value(value, property.type.element)
    return found.isNull && !property.type.isOptional ? property.type.element.zero : found
  }

  /// The content of a collection; nil for an empty one.
  private func collection(_ value: RealmValue, _ property: PropertySchema) -> PropertyContent? {
    let element = property.type.element
    switch value {
    case .list(let values), .set(let values):
      var found = values.map { self.value($0, element) }
      // A link to a deleted object is none of the elements.
      if !property.type.isOptional { found.removeAll(where: \.isNull) }
      return found.isEmpty ? nil : .list(found)
    case .dictionary(let entries):
      var found: MapEntries = [:]
      for entry in entries { found[Self.key(entry.key)] = self.value(entry.value, element) }
      return found.isEmpty ? nil : .map(found)
    case _: return nil
    }
  }

  private func value(_ value: RealmValue, _ element: ElementType) -> Value {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(Int(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let text): .string(text)
    case .data(let bytes): .data(bytes)
    case .timestamp(let seconds, let nanoseconds): .date(Self.date(seconds, nanoseconds))
    case .decimal(let high, let low): .decimal(Decimal128(bits: (high, low)))
    case .uuid(let value): .uuid(UniqueID(bits: (value.high, value.low)))
    case .objectID(let value): .objectID(DocumentID(bits: (value.high, value.low)))
    case .link(let link): target(of: link).map { .link($0) } ?? .null
    case .list(let values), .set(let values): .list(values.map { self.value($0, .any) })
    case .dictionary(let entries):
      .map(MapEntries(entries.map { (Self.key($0.key), self.value($0.value, .any)) }))
    }
  }

  /// The nanoseconds of the file have the sign of the seconds.
  private static func date(_ seconds: Int64, _ nanoseconds: Int32) -> Timestamp {
    nanoseconds < 0 && seconds > .min
      ? Timestamp(seconds: Int(seconds) - 1, nanoseconds: nanoseconds + 1_000_000_000)
      : Timestamp(seconds: Int(seconds), nanoseconds: max(0, nanoseconds))
  }

  /// A key as programs see it: the file has `.` and `$` of keys replaced.
  private static func key(_ stored: String) -> String {
    guard stored.utf8.contains(UInt8(ascii: "%")) else { return stored }
    var bytes: [UInt8] = []
    var rest = Array(stored.utf8)[...]
    while let byte = rest.popFirst() {
      switch (byte, rest.first, rest.dropFirst().first) {
      case (UInt8(ascii: "%"), UInt8(ascii: "2"), UInt8(ascii: "E")):
        bytes.append(UInt8(ascii: "."))
      case (UInt8(ascii: "%"), UInt8(ascii: "2"), UInt8(ascii: "4")):
        bytes.append(UInt8(ascii: "$"))
      case _:
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func target(of link: RealmLink) -> ObjectID? {
    guard let place = places[link.classIndex] else { return nil }
    let key = link.objectKey
    if place.isDense {
      guard key >= 0, key < Int64(place.positions.count) else { return nil }
      return ObjectID(place.classSchema.id, place.first + Int(key))
    }
    guard let index = (try? place.positions.index(of: key)).flatMap({ $0 }) else { return nil }
    return ObjectID(place.classSchema.id, place.first + index)
  }

  // MARK: Losses

  private mutating func note(_ error: any Error) {
    let known = error as? RealmFileError
    let place = [known?.className, known?.property].compactMap(\.self).joined(separator: ".")
    note(RealmLoss(error), of: place)
  }

  private mutating func note(_ loss: RealmLoss, of place: String) {
    lossCounts[place, default: 0] += 1
    if lossCounts[place, default: 0] <= Self.mostLosses { losses.append(loss) }
  }
}

extension ElementType {
  /// The value that stands for one which is missing.
  fileprivate var zero: Value {
    switch self {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(Timestamp(seconds: 0))
    case .decimal: .decimal(Decimal128(0))
    case .uuid: .uuid(UniqueID(bits: (0, 0)))
    case .objectID: .objectID(DocumentID(bits: (0, 0)))
    case .any, .link: .null
    }
  }
}
