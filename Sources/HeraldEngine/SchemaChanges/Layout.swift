package import HeraldModel
package import HeraldStorage

/// Set in the property number under which a map's keys are kept.
private let mapKeysBit: UInt32 = 1 << 31

/// How the properties of a schema lie in storage, by number: what point reads and changes need,
/// without hashing. One reference, as each part of it: it is passed along at each change.
package final class Layout: Sendable {
  /// Plain numbers, so that passing one along counts no references.
  package struct Column: Sendable {
    package let id: ColumnID
    package let kind: ColumnKind
    package let element: ElementType
    let isSingle: Bool
    let isBacklinks: Bool
    let isOptional: Bool
    /// Whether an index says something of every value, nil among them.
    let isIndexed: Bool
    /// Whether what the column holds are embedded objects.
    let leadsToParts: Bool
    /// Whether a new object need not be given a content.
    let canBeLeftOut: Bool

    var property: PropertyID { PropertyID(id.propertyID) }
    /// Whether nothing but the column says anything of its value.
    var isPlain: Bool { !isIndexed && !element.mayHoldLinks }
  }

  /// A link or list property that leads to a class.
  package struct Incoming: Sendable {
    package let origin: ClassID
    package let property: PropertyID
    package let column: Column
  }

  package let schema: Schema
  /// Whether it has everything of the layout that it was made after, and more at most.
  let extendsPrevious: Bool
  private let forms: [ClassForm?]
  private let incoming: [[Incoming]]
  /// Those that may lead to any class.
  private let incomingToAny: [Incoming]
  /// Its classes as they are stored.
  private let encodedClasses: [UInt8]

  package init(schema: Schema) {
    self.schema = schema
    extendsPrevious = false
    let classCount = schema.classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
    var forms = [ClassForm?](repeating: nil, count: classCount)
    var incoming = [[Incoming]](repeating: [], count: classCount)
    var incomingToAny: [Incoming] = []
    for classSchema in schema.classes {
      let form = ClassForm(classSchema, in: schema)
      forms[Int(classSchema.id.rawValue)] = form
      Self.note(form, of: classSchema.id, in: &incoming, &incomingToAny)
    }
    self.forms = forms
    self.incoming = incoming
    self.incomingToAny = incomingToAny
    encodedClasses = schema.classes.flatMap { forms[Int($0.id.rawValue)]?.encoded ?? [] }
  }

  /// Adds the links of a class to those that lead to each class, and to any.
  private static func note(
    _ form: ClassForm, of origin: ClassID, in incoming: inout [[Incoming]],
    _ incomingToAny: inout [Incoming]
  ) {
    for column in form.columns {
      let way = Incoming(origin: origin, property: column.property, column: column)
      if case .link(let target) = column.element, !column.isBacklinks {
        incoming[Int(target.rawValue)].append(way)
      } else if column.element == .any {
        for classPlace in incoming.indices { incoming[classPlace].append(way) }
        incomingToAny.append(way)
      }
    }
  }

  /// The same as without `previous`, whose forms are used again where they hold.
  package convenience init(schema: Schema, after previous: Layout) {
    let known = previous.schema.countOfFirstClasses(identicalTo: schema)
    if let added = previous.classesAdded(in: schema, after: known) {
      self.init(previous, schema: schema, adding: added, after: known)
    } else {
      self.init(schema: schema)
    }
  }

  /// The classes by which a schema differs from this one's: new ones, and ones that were named but not
  /// declared. nil where it differs by more, or one of them is embedded, which others must know.
  /// The first `identical` classes of both schemas are the same.
  private func classesAdded(in other: Schema, after identical: Int) -> [ClassSchema]? {
    var added: [ClassSchema] = []
    var known = identical
    for classSchema in other.classes[known...] {
      if let old = schema.classSchema(classSchema.id) {
        known += 1
        if old.isIdentical(to: classSchema) { continue }
        guard !old.isDeclared else { return nil }
      }
      guard !classSchema.isEmbedded else { return nil }
      added.append(classSchema)
    }
    return known == schema.classes.count ? added : nil
  }

  private init(
    _ previous: Layout, schema: Schema, adding added: [ClassSchema], after known: Int
  ) {
    var (forms, incoming) = (previous.forms, previous.incoming)
    var incomingToAny = previous.incomingToAny
    let classCount = added.reduce(forms.count) { max($0, Int($1.id.rawValue) + 1) }
    while forms.count < classCount {
      forms.append(nil)
      incoming.append(incomingToAny)
    }
    for classSchema in added {
      let place = Int(classSchema.id.rawValue)
      let form = ClassForm(classSchema, in: schema)
      forms[place] = form
      // They know whether what they lead to is declared.
      for origin in incoming[place] where origin.origin != classSchema.id {
        guard let other = schema.classSchema(origin.origin) else { continue }
        forms[Int(origin.origin.rawValue)] = ClassForm(other, in: schema)
      }
      Self.note(form, of: classSchema.id, in: &incoming, &incomingToAny)
    }
    self.schema = schema
    extendsPrevious = true
    self.forms = forms
    self.incoming = incoming
    self.incomingToAny = incomingToAny
    let isLonger = known == previous.schema.classes.count
    encodedClasses = schema.classes[(isLonger ? known : 0)...]
      .reduce(into: isLonger ? previous.encodedClasses : []) { bytes, classSchema in
        bytes += forms[Int(classSchema.id.rawValue)]?.encoded ?? []
      }
  }

  /// The schema as it is stored. O(its bytes).
  var encodedSchema: [UInt8] { schema.encoded(encodedClasses) }

  /// Nil where the schema has no such class.
  func form(_ classID: ClassID) -> ClassForm? {
    let place = Int(classID.rawValue)
    return place < forms.count ? forms[place] : nil
  }

  /// Nil where the schema has no such property.
  package func column(_ property: PropertyID, of classID: ClassID) -> Column? {
    form(classID)?.column(property)
  }

  func property(_ property: PropertyID, of classID: ClassID) -> PropertySchema? {
    form(classID)?.schema.property(property)
  }

  /// Every link and list property that leads to a class.
  package func incoming(to classID: ClassID) -> [Incoming] {
    let place = Int(classID.rawValue)
    return place < incoming.count ? incoming[place] : []
  }
}

/// A class as its objects are read and changed.
final class ClassForm: Sendable {
  let schema: ClassSchema
  /// In the order of declaration.
  let columns: [Layout.Column]
  private let names: [String]
  /// The name of this class, or of one that its properties lead to, that was not declared yet.
  let undeclared: String?
  /// Whether a property of it holds embedded objects.
  let leadsToParts: Bool
  /// Whether new objects get identifiers where they are given none.
  let generates: Bool
  private let columnsByID: [Layout.Column?]
  /// The class as it is stored.
  let encoded: [UInt8]

  init(_ classSchema: ClassSchema, in schema: Schema) {
    self.schema = classSchema
    encoded = classSchema.encoded()
    columns = classSchema.properties.map { Layout.Column(classSchema.id, $0, in: schema) }
    names = classSchema.properties.map(\.name)
    let count = columns.reduce(0) { max($0, Int($1.property.rawValue) + 1) }
    var columnsByID = [Layout.Column?](repeating: nil, count: count)
    for column in columns { columnsByID[Int(column.property.rawValue)] = column }
    self.columnsByID = columnsByID
    leadsToParts = columns.contains { $0.leadsToParts }
    generates = classSchema.properties.contains(where: \.isGenerated)
    let targets = classSchema.properties.lazy.compactMap { property in
      property.type.target.flatMap { schema.classSchema($0) }
    }
    undeclared =
      classSchema.isDeclared
      ? targets.first { !$0.isDeclared }?.name : classSchema.name
  }

  func column(_ property: PropertyID) -> Layout.Column? {
    let place = Int(property.rawValue)
    return place < columnsByID.count ? columnsByID[place] : nil
  }

  /// The place in `columns` of a property, looked for from `start` on: names mostly come in the
  /// order of declaration.
  func place(of name: String, from start: Int) -> Int? {
    for place in start..<max(start, names.count) where names[place] == name { return place }
    for place in 0..<min(start, names.count) where names[place] == name { return place }
    return nil
  }

  func property(_ place: Int) -> PropertySchema { schema.properties[place] }
}

extension Layout {
  /// Every column that storage may have something of, the presence of each class among them.
  var columnsInStorage: Set<ColumnID> {
    var columns: Set<ColumnID> = []
    for classSchema in schema.classes {
      columns.insert(ColumnID(classID: classSchema.id.rawValue, propertyID: 0))
      for property in classSchema.properties {
        guard let column = column(property.id, of: classSchema.id), !column.isBacklinks
        else { continue }
        columns.insert(column.id)
        if property.type.shape == .map { columns.insert(column.keys(of: 1).column) }
      }
    }
    return columns
  }
}

extension Layout.Column {
  init(_ classID: ClassID, _ property: PropertySchema, in schema: Schema) {
    let type = property.type
    id = ColumnID(classID: classID.rawValue, propertyID: property.id.rawValue)
    element = type.element
    kind =
      switch type.element {
      case .bool, .int, .link: .integers
      case .float: .floats
      case .double: .doubles
      case .string, .data, .decimal, .uuid, .objectID, .any: .bytes
      case .date: .dates
      }
    isSingle = type.shape == .single
    isBacklinks = type.isBacklinks
    isOptional = type.isOptional
    isIndexed = property.isIndexed || property.isPrimaryKey
    leadsToParts = type.target.flatMap { schema.classSchema($0) }?.isEmbedded == true
    canBeLeftOut = !isSingle || property.defaultValue != nil || isOptional
  }

  /// The elements of a collection: a list's in its order, a set's and a map's in order of value and
  /// of key.
  func list(of owner: ObjectNumber) -> ListID { ListID(column: id, owner: owner) }

  /// The keys of a map, in order: kept beside its values, under a property number of their own.
  func keys(of owner: ObjectNumber) -> ListID {
    let keys = ColumnID(classID: id.classID, propertyID: id.propertyID | mapKeysBit)
    return ListID(column: keys, owner: owner)
  }
}
