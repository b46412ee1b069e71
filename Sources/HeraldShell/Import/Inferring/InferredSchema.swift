import Herald

/// The classes for a file: one for its records, and embedded ones for the objects in them.
struct InferredSchema {
  /// The depth of nested objects beyond which a value is of type any.
  private static let deepest = 10

  /// The class of the records last, after the embedded classes that it needs.
  private(set) var classes: [ClassDefinition] = []
  /// The properties of columns, with their names in the file.
  private(set) var columns: [(name: String, property: String)] = []
  /// The members of objects whose properties have other names.
  private(set) var renamedMembers: [(className: String, name: String, property: String)] = []
  /// The lists and maps, by class and property, that are nil somewhere.
  private(set) var emptied: [(name: String, isMap: Bool)] = []
  private var isTaken: (String) -> Bool
  /// Whether objects that were not read may lack what all of those have that were.
  private let isOfSome: Bool

  /// Whether a header looks like a record: above each column of numbers or dates it has another one.
  func isLike(_ header: [String], _ kinds: [ScalarKinds]) -> Bool {
    let properties = Dictionary(
      columns.map { ($0.name, $0.property) }, uniquingKeysWith: { first, _ in first })
    var isLike = false
    for (name, kind) in zip(header, kinds) {
      guard let property = properties[name],
        let declared = classes.last?.properties.first(where: { $0.name == property })
      else { continue }
      switch declared.element {
      case .int, .double, .decimal:
        guard let element = kind.element, [.int, .double, .decimal].contains(element) else {
          return false
        }
      case .date: guard kind == .date else { return false }
      default: continue
      }
      isLike = true
    }
    return isLike
  }

  /// - Parameter isTaken: Whether a name cannot be that of an embedded class.
  init(
    className: String, _ columns: [InferredColumn], ofSome isOfSome: Bool = false,
    isTaken: @escaping (String) -> Bool
  ) {
    self.isTaken = isTaken
    self.isOfSome = isOfSome
    let names = PropertyNames.names(of: columns.map { ($0.name, given: $0.property) })
    var properties: [ClassDefinition.Property] = []
    for (name, column) in zip(names, columns) {
      self.columns.append((column.name, name))
      var property = property(name, column.value, in: className, depth: 0)
      if column.isText { (property.element, property.shape) = (.string, .single) }
      if mayLack(property, column.isAlwaysThere) { property.isOptional = true }
      properties.append(property)
    }
    if !isOfSome, let key = Self.key(columns, properties, className) {
      properties[key].isPrimaryKey = true
    }
    classes.append(ClassDefinition(name: className, properties: properties))
  }

  /// Whether objects may lack a property, which then is nil.
  private func mayLack(_ property: ClassDefinition.Property, _ isAlwaysThere: Bool) -> Bool {
    (isOfSome || !isAlwaysThere) && property.shape == .single && property.element != .any
  }

  /// The embedded classes that properties of the class for the records need.
  func embeddedClasses(of properties: [ClassDefinition.Property]) -> [ClassDefinition] {
    var names: Set<String> = []
    var next = properties
    while let property = next.popLast() {
      guard case .link(let name) = property.element, names.insert(name).inserted,
        let definition = classes.first(where: { $0.name == name })
      else { continue }
      next += definition.properties
    }
    return classes.filter { $0.isEmbedded && names.contains($0.name) }
  }

  /// The position of the column that is the primary key.
  private static func key(
    _ columns: [InferredColumn], _ properties: [ClassDefinition.Property], _ className: String
  ) -> Int? {
    let candidates = columns.indices.filter { index in
      let property = properties[index]
      guard let key = columns[index].value.key, key.isUnique, columns[index].isAlwaysThere,
        property.shape == .single, !property.isOptional
      else { return false }
      return [.int, .string, .uuid, .objectID].contains(property.element)
    }
    return candidates.min { a, b in rank(columns[a], className) < rank(columns[b], className) }
  }

  private static func rank(_ column: InferredColumn, _ className: String) -> Int {
    rank(column.property ?? column.name, className) ?? .max
  }

  /// How likely a column is the key by its name, 0 for the likeliest; nil if it is not.
  static func rank(_ name: String, _ className: String) -> Int? {
    func plain(_ text: String) -> String {
      String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
    let (name, className) = (plain(name), plain(className))
    return ["id", className + "id", "uuid", "guid", className + "uuid", "oid", className + "key"]
      .firstIndex(of: name)
  }

  private mutating func property(
    _ name: String, _ value: InferredValue, in className: String, depth: Int
  ) -> ClassDefinition.Property {
    let path = className + PropertyNames.valid(name).capitalizedFirst
    let kindCount =
      (value.kinds.isEmpty ? 0 : 1) + (value.elements == nil ? 0 : 1)
      + (value.object == nil ? 0 : 1)
    guard kindCount <= 1, depth < Self.deepest else {
      return ClassDefinition.Property(name: name, element: .any)
    }
    if let elements = value.elements {
      let (element, isOptional) = element(elements, path, depth)
      if value.hasNil { emptied.append(("\(className).\(name)", isMap: false)) }
      return ClassDefinition.Property(
        name: name, element: element, shape: .list, isOptional: isOptional)
    }
    if let object = value.object {
      if object.isMap {
        let (element, isOptional) = element(object.merged, path, depth)
        if value.hasNil { emptied.append(("\(className).\(name)", isMap: true)) }
        return ClassDefinition.Property(
          name: name, element: element, shape: .map, isOptional: isOptional)
      }
      return ClassDefinition.Property(
        name: name, element: .link(embedded(object, path, depth)), isOptional: true)
    }
    // Later objects may have values of any type.
    let isOpen = isOfSome && value.kinds.isEmpty && !value.hasEmptyText
    let element = isOpen ? .any : value.kinds.isEmpty ? .string : scalar(value)
    // A column without any text is one of nil, unless its fields are empty strings in quotes.
    let hasNilText =
      value.kinds.isEmpty ? !value.hasEmptyText : value.hasEmptyText && element != .string
    return ClassDefinition.Property(
      name: name, element: element,
      isOptional: element != .any && (value.hasNil || hasNilText))
  }

  private func scalar(_ value: InferredValue) -> ClassDefinition.Property.Element {
    value.kinds.element ?? (value.isText ? .string : .any)
  }

  /// The type of the elements of a list or a map.
  private mutating func element(
    _ value: InferredValue, _ path: String, _ depth: Int
  ) -> (element: ClassDefinition.Property.Element, isOptional: Bool) {
    if value.elements != nil || depth + 1 >= Self.deepest { return (.any, false) }
    guard let object = value.object else {
      if value.kinds.isEmpty { return (.any, false) }
      let element = scalar(value)
      return (element, element != .any && value.hasNil)
    }
    if !value.kinds.isEmpty || value.hasNil || object.isMap { return (.any, false) }
    return (.link(embedded(object, path, depth)), false)
  }

  /// Makes an embedded class; returns its name.
  private mutating func embedded(_ object: InferredObject, _ path: String, _ depth: Int) -> String {
    var name = path
    var number = 1
    while isTaken(name) || classes.contains(where: { $0.name == name }) {
      number += 1
      name = "\(path)\(number)"
    }
    let index = classes.count
    classes.append(ClassDefinition(name: name, isEmbedded: true, properties: []))
    var properties: [ClassDefinition.Property] = []
    for member in object.members {
      let valid = PropertyNames.valid(member.name)
      if !valid.hasSameBytes(as: member.name) { renamedMembers.append((name, member.name, valid)) }
      var property = property(valid, member.value, in: name, depth: depth + 1)
      if mayLack(property, member.isAlwaysThere) { property.isOptional = true }
      properties.append(property)
    }
    classes[index].properties = properties
    return name
  }
}

/// A column of a file, and what is known of its values.
struct InferredColumn {
  /// The name in the file.
  var name: String
  /// The name of its property if the statement gives it one.
  var property: String?
  var value: InferredValue
  /// Whether its values are taken as text.
  var isText = false
  var isAlwaysThere = true
}

extension String {
  fileprivate var capitalizedFirst: String {
    guard let first = unicodeScalars.first else { return self }
    return first.properties.uppercaseMapping + String(unicodeScalars.dropFirst())
  }
}
