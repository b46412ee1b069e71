import HeraldModel

/// The values of an object for `create`: objects of the store stay as they are, and others are copied: embedded objects
/// and those that are in no store, or in another one.
final class ObjectCopy {
  private let core: StoreCore
  /// By the objects that they are copies of.
  private var copies: [ObjectBase: ObjectBase] = [:]
  /// Whether the copy is of a class by its name, which has the values of the program's own types as they are stored.
  private var isByName = false

  init(_ core: StoreCore) { self.core = core }

  /// Assigns the properties that both classes have, and returns their names. Errors: `objectDeleted`, `wrongType`,
  /// `SchemaError`.
  func copy(_ object: ObjectBase, into copy: ObjectBase) throws -> Set<String> {
    if object.isInvalidated { throw HeraldError.objectDeleted(object.nameInStore) }
    let table = try copy.classTable()
    let wasByName = isByName
    isByName = copy is DynamicObject
    defer { isByName = wasByName }
    let source = try object.classTable()
    if source.objectType == table.objectType, source.className == table.className {
      copies[object] = copy
    }
    var values: [String: Any] = [:]
    for property in source.properties
    where property.originProperty == nil && table.property(named: property.name) != nil {
      values[property.name] = try copied(property.value(of: object))
    }
    try copy.setLocal(values)
    return Set(values.keys)
  }

  /// Returns values by name for an object of a class. Errors: those of `copy`.
  func values(_ values: [String: Any], of table: ObjectTable) throws -> [String: Any] {
    guard table.mayLink else { return values }
    var copies = values
    for (name, value) in values where table.property(named: name)?.mayLink ?? false {
      copies[name] = try copied(value)
    }
    return copies
  }

  private func copied(_ value: Any) throws -> Any {
    switch value {
    case let value as any PersistableEnum where isByName: value.rawValue
    case let value as any ConvertedPersistable where isByName: try copied(value.persistableValue)
    case let object as ObjectBase: try linked(object)
    case let value as AnyValue: try copied(value)
    case let collection as any CopiedCollection:
      switch collection.copiedElements {
      case .list(let elements): try elements.map { try copied($0) }
      case .map(let entries): try entries.mapValues { try copied($0) }
      }
    case let elements as [Any]: try elements.map { try copied($0) }
    case let entries as [String: Any]: try entries.mapValues { try copied($0) }
    case _: value
    }
  }

  private func copied(_ value: AnyValue) throws -> AnyValue {
    switch value {
    case .object(let object): (try linked(object) as? Object).map { .object($0) } ?? value
    case .list(let values): .list(try values.map { try copied($0) })
    case .dictionary(let entries): .dictionary(try entries.mapValues { try copied($0) })
    case .none, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
      value
    }
  }

  /// The object itself, or a copy of it.
  private func linked(_ object: ObjectBase) throws -> ObjectBase {
    if object._binding?.core.session === core.session, !object.isPart { return object }
    if let copy = copies[object] { return copy }
    let copy =
      object is DynamicObject
      ? try DynamicObject(of: core.binding(ofClassNamed: object.nameOfClass).table)
      : type(of: object).init()
    _ = try self.copy(object, into: copy)
    return copy
  }
}

enum CopiedElements {
  case list([Any])
  case map([String: Any])
}

/// A collection of a property, whatever its elements.
protocol CopiedCollection { var copiedElements: CopiedElements { get } }

extension List: CopiedCollection {
  var copiedElements: CopiedElements { .list(Array(self)) }
}

extension MutableSet: CopiedCollection {
  var copiedElements: CopiedElements { .list(Array(self)) }
}

extension Map: CopiedCollection {
  var copiedElements: CopiedElements {
    .map(Dictionary(uniqueKeysWithValues: keys.map { ($0._text, self[$0] as Any) }))
  }
}
