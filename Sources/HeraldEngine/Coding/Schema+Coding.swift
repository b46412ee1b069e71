package import HeraldModel

// schema   = byte version (2; 3 if a class keeps some objects only), count next class, count classes, class*,
//            count projections, projection*, [count definitions, definition*]
// definition = string name, string origin, string clauses, string columns
// projection = string name, string class, count fields, (string name, string path)*
// class    = count id, string name, byte flags (1 declared, 2 embedded, 4 keeps some), count next property,
//            [count seconds, count objects, each 0 for no limit, if it keeps some objects only],
//            count properties, property*
// property = count id, string name, byte element, [count target class, for a link], byte shape,
//            [string origin property, for backlinks],
//            byte flags (1 optional, 2 primary key, 4 indexed, 8 has a default, 16 generated),
//            [value default]
//
// No supported store has version 1.

private let schemaVersion: UInt8 = 2
/// A program that would not let objects expire does not read it.
private let versionWithRetention: UInt8 = 3

extension Schema {
  package func encoded() -> [UInt8] { encoded(classes.flatMap { $0.encoded() }) }

  /// Encodes the schema around `encodedClasses`, its classes encoded one after the other.
  func encoded(_ encodedClasses: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    let keepsSome = classes(from: 0).contains { $0.retention != nil }
    writer.byte(keepsSome ? versionWithRetention : schemaVersion)
    writer.count(Int(nextClass.rawValue))
    writer.count(classCount)
    writer.raw(encodedClasses)
    writer.count(projections.count)
    for projection in projections { writer.projection(projection) }
    if !definitions.isEmpty {
      writer.count(definitions.count)
      for definition in definitions {
        writer.string(definition.name)
        writer.string(definition.origin)
        writer.string(definition.clauses)
        writer.string(definition.columns)
      }
    }
    return writer.bytes
  }

  /// - Parameter isPart: whether its classes may link to classes that it lacks.
  package init(encoded bytes: [UInt8], isPart: Bool = false) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard [schemaVersion, versionWithRetention].contains(try reader.byte()) else {
      throw DamagedBytes()
    }
    let nextClass = try reader.identifier()
    var classes: [ClassSchema] = []
    for _ in 0..<(try reader.length()) {
      let id = ClassID(try reader.identifier())
      let name = try reader.string()
      let flags = try reader.byte()
      let nextProperty = try reader.identifier()
      let retention = flags & 4 != 0 ? try reader.retention() : nil
      var properties: [PropertySchema] = []
      for _ in 0..<(try reader.length()) { properties.append(try reader.property()) }
      // `ClassSchema` requires unique names.
      guard Set(properties.map(\.name)).count == properties.count,
        Set(properties.map(\.id)).count == properties.count
      else { throw DamagedBytes() }
      classes.append(
        ClassSchema(
          id: id, name: name, isDeclared: flags & 1 != 0, isEmbedded: flags & 2 != 0,
          properties: properties, nextProperty: PropertyID(nextProperty), retention: retention))
    }
    var projections: [ProjectionDefinition] = []
    for _ in 0..<(try reader.length()) { projections.append(try reader.projection()) }
    var definitions: [QueryDefinition] = []
    if !reader.isAtEnd {
      for _ in 0..<(try reader.length()) {
        definitions.append(
          QueryDefinition(
            name: try reader.string(), origin: try reader.string(), clauses: try reader.string(),
            columns: try reader.string()))
      }
    }
    guard Self.isConsistent(classes, isPart: isPart) else { throw DamagedBytes() }
    self.init(classes: classes, projections: projections, nextClass: ClassID(nextClass))
    for definition in definitions { put(definition) }
  }

  /// Returns whether names and numbers are unique and every linked class exists.
  private static func isConsistent(_ classes: [ClassSchema], isPart: Bool) -> Bool {
    let numbers = Set(classes.map(\.id))
    guard numbers.count == classes.count, Set(classes.map(\.name)).count == classes.count else {
      return false
    }
    return classes.allSatisfy { classSchema in
      classSchema.properties.allSatisfy {
        $0.id.rawValue > 0 && (isPart || $0.type.linkedClass.map(numbers.contains) ?? true)
      }
    }
  }
}

extension ClassSchema {
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.count(Int(id.rawValue))
    writer.string(name)
    writer.byte((isDeclared ? 1 : 0) | (isEmbedded ? 2 : 0) | (retention == nil ? 0 : 4))
    writer.count(Int(nextProperty.rawValue))
    if let retention {
      writer.count(retention.seconds ?? 0)
      writer.count(retention.count ?? 0)
    }
    writer.count(properties.count)
    for property in properties { writer.property(property) }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func projection(_ projection: ProjectionDefinition) {
    string(projection.name)
    string(projection.className)
    count(projection.fields.count)
    for field in projection.fields {
      string(field.name)
      string(field.path)
    }
  }

  fileprivate mutating func property(_ property: PropertySchema) {
    count(Int(property.id.rawValue))
    string(property.name)
    switch property.type.element {
    case .bool: byte(0)
    case .int: byte(1)
    case .float: byte(2)
    case .double: byte(3)
    case .string: byte(4)
    case .data: byte(5)
    case .date: byte(6)
    case .link(let target):
      byte(7)
      count(Int(target.rawValue))
    case .decimal: byte(8)
    case .uuid: byte(9)
    case .objectID: byte(10)
    case .any: byte(11)
    }
    switch property.type.shape {
    case .single: byte(0)
    case .list: byte(1)
    case .set: byte(2)
    case .map: byte(3)
    case .backlinks(let origin):
      byte(4)
      string(origin)
    }
    let flags: [(Bool, UInt8)] = [
      (property.type.isOptional, 1), (property.isPrimaryKey, 2), (property.isIndexed, 4),
      (property.defaultValue != nil, 8), (property.isGenerated, 16),
    ]
    byte(flags.reduce(0) { $1.0 ? $0 | $1.1 : $0 })
    if let defaultValue = property.defaultValue { value(defaultValue) }
  }
}

extension ByteReader {
  fileprivate mutating func projection() throws(DamagedBytes) -> ProjectionDefinition {
    let name = try string()
    let className = try string()
    var fields: [(name: String, path: String)] = []
    for _ in 0..<(try length()) { fields.append((try string(), try string())) }
    return ProjectionDefinition(name: name, className: className, fields: fields)
  }

  fileprivate mutating func retention() throws(DamagedBytes) -> ObjectRetention {
    let (seconds, count) = (try count(), try count())
    guard seconds >= 0, count >= 0, seconds > 0 || count > 0 else { throw DamagedBytes() }
    return ObjectRetention(
      seconds: seconds == 0 ? nil : seconds, count: count == 0 ? nil : count)
  }

  fileprivate mutating func identifier() throws(DamagedBytes) -> UInt32 {
    // Numbers are assigned consecutively, so a huge one means damage.
    guard let id = UInt32(exactly: try count()), id < 1 << 20 else { throw DamagedBytes() }
    return id
  }

  fileprivate mutating func property() throws(DamagedBytes) -> PropertySchema {
    let id = PropertyID(try identifier())
    let name = try string()
    let element = try element()
    let shape: PropertyShape
    switch try byte() {
    case 0: shape = .single
    case 1: shape = .list
    case 2: shape = .set
    case 3: shape = .map
    case 4: shape = .backlinks(try string())
    case _: throw DamagedBytes()
    }
    let flags = try byte()
    return PropertySchema(
      id: id, name: name,
      type: PropertyType(element, shape: shape, isOptional: flags & 1 != 0),
      isPrimaryKey: flags & 2 != 0, isIndexed: flags & 4 != 0,
      defaultValue: flags & 8 != 0 ? try value() : nil, isGenerated: flags & 16 != 0)
  }

  private mutating func element() throws(DamagedBytes) -> ElementType {
    switch try byte() {
    case 0: return .bool
    case 1: return .int
    case 2: return .float
    case 3: return .double
    case 4: return .string
    case 5: return .data
    case 6: return .date
    case 7: return .link(ClassID(try identifier()))
    case 8: return .decimal
    case 9: return .uuid
    case 10: return .objectID
    case 11: return .any
    case _: throw DamagedBytes()
    }
  }
}
