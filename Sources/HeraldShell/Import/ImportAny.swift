import Herald

/// Converts JSON to a value of type any: JSON's own types are taken as they are; other types are named by
/// the only member of an object, as `ExportText` writes them.
struct ImportAny {
  let schema: Schema
  /// Whether an object that names a type and has no value of it is a map, as others' files may have.
  var isLenient = false
  let find: (ClassSchema, Value) throws -> ObjectID?

  /// nil for a link to an object that does not exist (yet).
  func value(_ json: JSONValue) throws -> Value? {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .decimal(let value): return .decimal(value)
    case .string(let value), .digits(let value): return .string(value)
    case .array(let elements):
      var values: [Value] = []
      for element in elements {
        guard let value = try value(element) else { return nil }
        values.append(value)
      }
      return .list(values)
    case .object(let members):
      if members.count == 1, members[0].name.utf8.first == Byte.dollar {
        guard isLenient else { return try tagged(members[0]) }
        return try (try? tagged(members[0])) ?? map(members)
      }
      return try map(members)
    }
  }

  private func map(_ members: [JSONValue.Member]) throws -> Value? {
    var entries: MapEntries = [:]
    for member in members {
      guard let value = try value(member.value) else { return nil }
      entries[member.name] = value
    }
    return .map(entries)
  }

  private func tagged(_ member: JSONValue.Member) throws -> Value? {
    switch (member.name, member.value) {
    case ("$map", .object(let members)): return try map(members)
    case ("$link", .object(let members)): return try link(members)
    case ("$float", .string(let text)):
      if let value = Float(text) { return .float(value) }
    case ("$map", _), ("$link", _), ("$float", _): break
    case (let name, let value):
      guard let element = ImportAny.types[name] else { return try map([member]) }
      if let value = value.scalar(as: element) { return value }
    }
    throw ImportValue.Mismatch(reason: "\(member.value.description) is invalid for \(member.name)")
  }

  private static let types: [String: ElementType] = Dictionary(
    uniqueKeysWithValues: TypeKeyword.allCases.map { ElementType($0) }.compactMap { type in
      type.jsonTag.map { ("$" + $0, type) }
    })

  private func link(_ members: [JSONValue.Member]) throws -> Value? {
    guard case .string(let name)? = members.first(where: { $0.name == "class" })?.value,
      let target = schema.classSchema(named: name),
      let key = members.first(where: { $0.name == "key" })?.value
        .key(as: target.primaryKey?.type.element ?? .int)
    else { throw ImportValue.Mismatch(reason: "expected a class and a key for $link") }
    return try find(target, key).map { .link($0) }
  }
}
