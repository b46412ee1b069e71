import Herald

/// `link customer_id to Customer as customer or nil`: a property with keys of another class, of which links are made.
struct LinkedColumn {
  let name: Name
  let target: Name
  let newName: Name
  /// Whether a key that no object has becomes nil, rather than an error.
  let isOrNil: Bool

  init(_ parser: inout StatementParser) throws(ShellError) {
    name = try parser.name("a property")
    try parser.take("to")
    target = try parser.name("a class")
    try parser.take("as")
    parser.notes?.owner = nil
    newName = try parser.name("a property")
    isOrNil = parser.takeIf("or")
    if isOrNil { try parser.take("nil") }
  }

  /// The link takes the place of the keys.
  var alterations: [ClassAlteration] {
    [
      .drop(name.text),
      .add(
        ClassDefinition.Property(
          name: newName.text, element: .link(target.text), isOptional: true)),
    ]
  }

  /// The links of a class's objects, found before the class is altered.
  struct Links {
    fileprivate let name: String
    fileprivate var links: [(object: ObjectHandle, target: ObjectID)] = []
    fileprivate(set) var nilCount = 0

    /// Sets the links, once the class has them.
    func set() throws {
      for (object, target) in links { try object.set(name, to: .value(.link(target))) }
    }
  }

  func links(in className: Name, _ store: DynamicStore, _ context: Context) throws -> Links {
    let key = try checkedKey(in: className, store, context)
    var links = Links(name: newName.text)
    var found: [Value: ObjectID?] = [:]
    var first: (key: Value, object: ObjectHandle)?
    for object in try store.objects(className.text).objects {
      let value = try object.value(name.text)
      if value == .null { continue }
      if found[value] == nil {
        let key = Self.key(value, as: key)
        found[value] = .some(try key.flatMap { try store.object(target.text, key: $0)?.id })
      }
      if let target = found[value] ?? nil {
        links.links.append((object, target))
      } else {
        links.nilCount += 1
        first = first ?? (value, object)
      }
    }
    if let first, !isOrNil { throw missing(first, of: links.nilCount, context) }
    return links
  }

  /// A value as a key of a type, a text as what it says; nil if it is none.
  private static func key(_ value: Value, as type: ElementType) -> Value? {
    switch (value, type) {
    case (.int, .int), (.string, .string), (.uuid, .uuid), (.objectID, .objectID): return value
    case (.int(let number), .string): return .string(String(number))
    case (.string(let text), _):
      return ImportValue.plain(.field(CSVField(text: text, isQuoted: false)), PropertyType(type))
    default: return nil
    }
  }

  /// Returns the type of the target's keys; throws if the property has none, or there is no such target.
  private func checkedKey(
    in className: Name, _ store: DynamicStore, _ context: Context
  ) throws -> ElementType {
    guard let classSchema = store.schema.classSchema(named: className.text),
      let property = classSchema.property(named: name.text)
    else {
      // Reading the keys, or else altering the class, says what there is not.
      return .int
    }
    guard let targetSchema = store.schema.classSchema(named: target.text), targetSchema.isDeclared
    else {
      let names = store.schema.classes.filter(\.isDeclared).map(\.name)
      throw context.failure(
        .library(.unknownClass(target.text, nearest: nearestName(to: target.text, in: names))),
        at: target.span)
    }
    guard let key = targetSchema.primaryKey else {
      throw context.failure(.library(.noPrimaryKey(className: target.text)), at: target.span)
    }
    guard property.type.shape == .single, property.type.target == nil else {
      throw context.failure(
        .query(
          "'link' takes a property with keys, and '\(name.text)' is "
            + "\(store.schema.name(of: property.type))"), at: name.span)
    }
    return key.type.element
  }

  private func missing(
    _ first: (key: Value, object: ObjectHandle), of count: Int, _ context: Context
  ) -> ShellError {
    let others = count == 1 ? "" : ", one of \(count) such keys"
    let advice = "; 'or nil' makes nil of \(count == 1 ? "it" : "them")"
    return context.failure(
      .query(
        "no such object of class '\(target.text)': \(LiteralText.text(first.key)), in "
          + "\(LiteralText.text(first.object.label))\(others)\(advice)"), at: name.span)
  }
}
