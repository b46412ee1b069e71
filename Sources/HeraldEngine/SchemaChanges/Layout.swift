package import HeraldModel
package import HeraldStorage

/// Set in the property number under which a map's keys are kept.
private let mapKeysBit: UInt32 = 1 << 31

/// The storage layout of a schema's properties, by number, so that reads and changes of single values need
/// no hashing. A class, as its forms are, because every change passes it along.
package final class Layout: Sendable {
  /// A trivial type, so that passing one along retains nothing.
  package struct Column: Sendable {
    package let id: ColumnID
    package let kind: ColumnKind
    package let element: ElementType
    package let isSingle: Bool
    package let isBacklinks: Bool
    package let isOptional: Bool
    /// Whether an index has an entry for every value, nil included.
    package let isIndexed: Bool
    /// Whether the column holds embedded objects.
    package let mayHoldEmbedded: Bool
    /// Whether a new object may omit the property.
    let canBeOmitted: Bool

    package var property: PropertyID { PropertyID(id.propertyID) }
    /// Whether the column's values are in no index and have no reverse links.
    var isPlain: Bool { !isIndexed && !element.mayHoldLinks }
    /// Whether the column holds values of any type. Comparing types takes hundreds of instructions.
    var isAny: Bool { if case .any = element { true } else { false } }
    var isString: Bool { if case .string = element { true } else { false } }
  }

  /// A property with links to a class.
  package struct Incoming: Sendable {
    package let origin: ClassID
    package let property: PropertyID
    package let column: Column
  }

  package let schema: Schema
  /// Whether it was made from a previous layout and only adds to that.
  let extendsPrevious: Bool
  /// The classes of which some objects are kept only.
  let retained: [ClassID]
  private let forms: ChunkedArray<ClassForm?>
  /// The same by the number of their class, without owning them: a lookup retains its result alone. Never changed.
  nonisolated(unsafe) private let formTable: UnsafeMutableBufferPointer<Unmanaged<ClassForm>?>
  private let incoming: ChunkedArray<[Incoming]>
  /// The properties that may link to any class.
  private let incomingToAny: [Incoming]
  /// The encoded classes, as they are stored, one after the other.
  private let encodedClasses: [UInt8]
  /// For each class, in the order of the schema: where its bytes end in `encodedClasses`.
  private let encodedEnds: ChunkedArray<Int>

  package init(schema: Schema) {
    self.schema = schema
    extendsPrevious = false
    let classes = schema.classes
    let classCount = classes.reduce(0) { max($0, Int($1.id.rawValue) + 1) }
    var forms = ChunkedArray<ClassForm?>(repeatElement(nil, count: classCount))
    var incoming = ChunkedArray<[Incoming]>(repeatElement([], count: classCount))
    var incomingToAny: [Incoming] = []
    for classSchema in classes {
      let form = ClassForm(classSchema, in: schema)
      forms[Int(classSchema.id.rawValue)] = form
      Self.note(form, of: classSchema.id, in: &incoming, &incomingToAny)
    }
    self.forms = forms
    retained = classes.filter { $0.retention != nil }.map(\.id)
    formTable = Self.table(of: forms, after: nil, changed: forms.indices)
    self.incoming = incoming
    self.incomingToAny = incomingToAny
    (encodedClasses, encodedEnds) = Self.encoded(schema, forms, after: ([], ChunkedArray()))
  }

  /// Adds the links of a class to the incoming links of each class, and of any class.
  private static func note(
    _ form: ClassForm, of origin: ClassID, in incoming: inout ChunkedArray<[Incoming]>,
    _ incomingToAny: inout [Incoming]
  ) {
    for column in form.columns {
      let link = Incoming(origin: origin, property: column.property, column: column)
      if case .link(let target) = column.element, !column.isBacklinks {
        incoming[Int(target.rawValue)].append(link)
      } else if column.element == .any {
        for index in incoming.indices { incoming[index].append(link) }
        incomingToAny.append(link)
      }
    }
  }

  /// Makes the same layout as without `previous`, whose forms it reuses where they are still valid.
  package convenience init(schema: Schema, after previous: Layout) {
    let known = previous.schema.commonPrefixCount(identicalTo: schema)
    if let added = previous.classesAdded(in: schema, after: known) {
      self.init(previous, schema: schema, adding: added, after: known)
    } else {
      self.init(schema: schema)
    }
  }

  /// Returns the classes by which a schema differs from this one's: new ones, and ones that were named but
  /// not declared. Nil if it differs by more. The first `identical` classes of both schemas are the same.
  private func classesAdded(in other: Schema, after identical: Int) -> [ClassSchema]? {
    var added: [ClassSchema] = []
    var known = identical
    for classSchema in other.classes(from: known) {
      if let old = schema.classSchema(classSchema.id) {
        known += 1
        if old.isIdentical(to: classSchema) { continue }
        guard !old.isDeclared else { return nil }
      }
      added.append(classSchema)
    }
    return known == schema.classCount ? added : nil
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
    var changed: [Int] = []
    for classSchema in added {
      let index = Int(classSchema.id.rawValue)
      let form = ClassForm(classSchema, in: schema)
      forms[index] = form
      changed.append(index)
      // A form holds whether its linked classes are declared, and its columns whether they are embedded.
      for origin in Set(incoming[index].map(\.origin)) where origin != classSchema.id {
        guard let other = schema.classSchema(origin) else { continue }
        forms[Int(origin.rawValue)] = ClassForm(other, in: schema)
        changed.append(Int(origin.rawValue))
      }
      for position in incoming[index].indices where classSchema.isEmbedded {
        let link = incoming[index][position]
        guard let column = forms[Int(link.origin.rawValue)]?.column(link.property) else { continue }
        incoming[index][position] = Incoming(
          origin: link.origin, property: link.property, column: column)
      }
      Self.note(form, of: classSchema.id, in: &incoming, &incomingToAny)
    }
    self.schema = schema
    extendsPrevious = true
    retained = previous.retained + added.filter { $0.retention != nil }.map(\.id)
    self.forms = forms
    formTable = Self.table(of: forms, after: previous.formTable, changed: changed)
    self.incoming = incoming
    self.incomingToAny = incomingToAny
    let ends = ChunkedArray(prefix: known, of: previous.encodedEnds)
    let prefix = previous.encodedClasses[..<(ends.last ?? 0)]
    (encodedClasses, encodedEnds) = Self.encoded(schema, forms, after: (Array(prefix), ends))
  }

  deinit { formTable.deallocate() }

  /// Copies the table of a previous layout, whose forms differ at the indices `changed`.
  private static func table(
    of forms: ChunkedArray<ClassForm?>,
    after previous: UnsafeMutableBufferPointer<Unmanaged<ClassForm>?>?, changed: some Sequence<Int>
  ) -> UnsafeMutableBufferPointer<Unmanaged<ClassForm>?> {
    let table = UnsafeMutableBufferPointer<Unmanaged<ClassForm>?>.allocate(capacity: forms.count)
    table.initialize(repeating: nil)
    if let previous { _ = table.update(fromContentsOf: previous) }
    for index in changed { table[index] = forms[index].map(Unmanaged.passUnretained) }
    return table
  }

  /// Appends the encoded classes that are not in `prefix`.
  private static func encoded(
    _ schema: Schema, _ forms: ChunkedArray<ClassForm?>,
    after prefix: (bytes: [UInt8], ends: ChunkedArray<Int>)
  ) -> ([UInt8], ChunkedArray<Int>) {
    var (bytes, ends) = prefix
    for classSchema in schema.classes(from: ends.count) {
      bytes += forms[Int(classSchema.id.rawValue)]?.encoded ?? []
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }

  /// The encoded schema, as it is stored. O(its bytes).
  var encodedSchema: [UInt8] { schema.encoded(encodedClasses) }

  /// Returns the form of a class; nil if the schema has no such class.
  @inline(__always) package func form(_ classID: ClassID) -> ClassForm? {
    let index = Int(classID.rawValue)
    if index < formTable.count { return formTable[index]?.takeUnretainedValue() }
    return ClassForm.ofNested(classID)
  }

  /// Returns whether a form is that of its class in this layout, without retaining it.
  @inline(__always) func has(_ form: ClassForm) -> Bool {
    let index = Int(form.schema.id.rawValue)
    guard index < formTable.count else { return ClassForm.ofNested(form.schema.id) === form }
    return formTable[index]?.toOpaque() == Unmanaged.passUnretained(form).toOpaque()
  }

  /// Returns the column of a property, without retaining its class's form; nil if the schema has no such property.
  package func column(_ property: PropertyID, of classID: ClassID) -> Column? {
    let index = Int(classID.rawValue)
    guard index < formTable.count else { return ClassForm.ofNested(classID)?.column(property) }
    return formTable[index]?._withUnsafeGuaranteedRef { $0.column(property) }
  }

  func property(_ property: PropertyID, of classID: ClassID) -> PropertySchema? {
    form(classID)?.schema.property(property)
  }

  /// Returns every property with links to a class.
  package func incoming(to classID: ClassID) -> [Incoming] {
    let index = Int(classID.rawValue)
    return index < incoming.count ? incoming[index] : []
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
    mayHoldEmbedded = type.target.flatMap { schema.classSchema($0) }?.isEmbedded == true
    canBeOmitted = !isSingle || property.defaultValue != nil || isOptional
  }

  /// Returns the elements of a collection: a list's in its order, a set's by value, a map's by key.
  package func list(of owner: ObjectNumber) -> ListID { ListID(column: id, owner: owner) }

  /// Returns the keys of a map, sorted, which are stored under a property number of their own.
  package func keys(of owner: ObjectNumber) -> ListID {
    let keys = ColumnID(classID: id.classID, propertyID: id.propertyID | mapKeysBit)
    return ListID(column: keys, owner: owner)
  }
}
