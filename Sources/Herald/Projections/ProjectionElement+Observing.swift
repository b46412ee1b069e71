import HeraldEngine
import HeraldModel
import HeraldObservation

extension ProjectionElement {
  public func _register<Observed: AnyObject>(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Observed>) -> Void
  ) throws -> NotificationToken {
    guard let binding = _object._binding else {
      throw HeraldError.cannotObserve("a projection of an unmanaged object")
    }
    return try binding.core.token { try register(binding, keyPaths, block) }
  }

  private func register<Observed: AnyObject>(
    _ binding: ClassBinding, _ keyPaths: [String]?,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) throws -> ObservationToken {
    let (core, table) = (binding.core, try Self._table())
    for name in keyPaths ?? [] { _ = try table.field(named: name) }
    try core.session.checkOpen()
    try core.dynamic.checkIntact()
    if _object.isInvalidated {
      throw HeraldError.objectDeleted("an object of class '\(binding.table.className)'")
    }
    let fields = try core.session.fields(of: table.definition(of: binding.table.className))
    let (number, type) = (_object._number, type(of: _object))
    let target = ObservedTarget.projection(
      ObjectID(binding.classID, number), fields: fields, keyPaths: keyPaths)
    // The block must not hold the store, whose session holds the block.
    return try core.dynamic.token(for: target) { [weak core] _, report in
      guard let core, let binding = try? core.binding(of: type), let change = report.objectChange
      else { return }
      Self.deliver(change, binding.instance(number), table, core, block)
    }
  }

  private static func deliver<Observed: AnyObject>(
    _ change: DynamicObjectChange, _ object: @autoclosure () -> ObjectBase,
    _ table: ProjectionTable, _ core: StoreCore, _ block: (ObjectChange<Observed>) -> Void
  ) {
    switch change {
    case .change(let properties):
      let object = object()
      block(
        .change(
          unsafeDowncast(_instance(object), to: Observed.self),
          properties.compactMap { property in
            table.fields.first { $0.name == property.name }.map {
              PropertyChange(property, $0, of: object, core)
            }
          }))
    case .deleted: block(.deleted)
    case .error(let error): block(.error(error))
    }
  }
}

extension PropertyChange {
  fileprivate init(
    _ change: DynamicPropertyChange, _ field: ProjectionTable.Field, of object: ObjectBase,
    _ core: StoreCore
  ) {
    if field.isComputed {
      let element = field.elementType(from: type(of: object))
      let old = element.flatMap { Self.value(change.old, as: $0, core) }
      self.init(
        name: change.name,
        oldValue: old.flatMap { field.computed(of: $0, from: type(of: object)) },
        newValue: Self.unwrapped(field.read(object)))
    } else if change.hasValues, let element = field.elementType(from: type(of: object)) {
      self.init(
        name: change.name, oldValue: Self.value(change.old, as: element, core),
        newValue: Self.value(change.new, as: element, core))
    } else {
      self.init(name: change.name, oldValue: nil, newValue: Self.unwrapped(field.read(object)))
    }
  }
}
