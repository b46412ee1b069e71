import HeraldModel

/// The values of an object for `create`: embedded objects, and linked objects of other stores, are copied; links to other
/// objects stay.
final class ObjectCopy {
  private let core: StoreCore
  /// By the objects that they are copies of.
  private var copies: [ObjectBase: ObjectBase] = [:]

  init(_ core: StoreCore) { self.core = core }

  /// Assigns the properties that both classes have, and returns their names. Errors: `objectDeleted`, `wrongType`,
  /// `SchemaError`.
  func copy(_ object: ObjectBase, into copy: ObjectBase) throws -> Set<String> {
    if object.isInvalidated { throw HeraldError.objectDeleted(object.nameInStore) }
    if type(of: object) == type(of: copy) { copies[object] = copy }
    let table = try ObjectTable.of(type(of: copy))
    var values: [String: Any] = [:]
    for property in try ObjectTable.of(type(of: object)).properties
    where property.originProperty == nil && table.property(named: property.name) != nil {
      values[property.name] = try copied(property.value(of: object))
    }
    try copy.setLocal(values)
    return Set(values.keys)
  }

  private func copied(_ value: Any) throws -> Any {
    switch value {
    case let object as ObjectBase: try linked(object)
    case let collection as any CopiedCollection:
      switch collection.copiedElements {
      case .list(let elements): try elements.map { try copied($0) }
      case .map(let entries): try entries.mapValues { try copied($0) }
      }
    case _: value
    }
  }

  /// The object itself, or a copy of it.
  private func linked(_ object: ObjectBase) throws -> ObjectBase {
    let isElsewhere = object._binding.map { $0.core.session !== core.session } ?? false
    guard object is EmbeddedObject || isElsewhere else { return object }
    if let copy = copies[object] { return copy }
    let copy = type(of: object).init()
    _ = try self.copy(object, into: copy)
    return copy
  }
}

private enum CopiedElements {
  case list([Any])
  case map([String: Any])
}

private protocol CopiedCollection { var copiedElements: CopiedElements { get } }

extension List: CopiedCollection {
  fileprivate var copiedElements: CopiedElements { .list(Array(self)) }
}

extension MutableSet: CopiedCollection {
  fileprivate var copiedElements: CopiedElements { .list(Array(self)) }
}

extension Map: CopiedCollection {
  fileprivate var copiedElements: CopiedElements {
    .map(Dictionary(uniqueKeysWithValues: keys.map { ($0._text, self[$0] as Any) }))
  }
}
