import Herald

/// Everything that a store holds, as texts by class, object number and property.
struct RepairModel {
  struct Place: Hashable {
    let className: String
    let number: Int
  }

  let version: Int
  private(set) var values: [Place: [String: String]] = [:]

  var objectCount: Int { values.count }

  init(_ store: DynamicStore) throws {
    version = store.version
    for classSchema in store.schema.classes where !classSchema.isEmbedded {
      for object in try store.objects(classSchema.name).objects { try take(object, store) }
    }
  }

  private mutating func take(_ object: ObjectHandle, _ store: DynamicStore) throws {
    var texts: [String: String] = [:]
    var parts: [ObjectID] = []
    let classSchema = try object.classSchema
    for property in classSchema.properties where !property.type.isBacklinks {
      let held: [Value]
      switch property.type.shape {
      case .single:
        held = [try object.value(property.name)]
        texts[property.name] = Self.text(held[0])
      case .list, .set, .map, .backlinks:
        let collection = try object.collection(property.name)
        held = collection.values
        let keys = property.type.shape == .map ? collection.keys : []
        texts[property.name] = "\(keys) " + held.map(Self.text).joined(separator: " ")
      }
      guard let target = property.type.target, store.schema.classSchema(target)?.isEmbedded == true
      else { continue }
      for case .link(let part) in held { parts.append(part) }
    }
    values[Place(className: classSchema.name, number: object.id.number)] = texts
    for part in parts {
      if let part = store.object(part) { try take(part, store) }
    }
  }

  /// Maps have no order of their own.
  private static func text(_ value: Value) -> String {
    value.literalForTests
  }
}

extension Value {
  fileprivate var literalForTests: String {
    switch self {
    case .list(let values): "[" + values.map(\.literalForTests).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\($0.key): \($0.value.literalForTests)" }.sorted().joined() + "}"
    case _: "\(self)"
    }
  }
}
