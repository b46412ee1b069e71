import HeraldModel
import HeraldObservation

extension ObservableObjectBase {
  public func _register<Observed: AnyObject>(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Observed>) -> Void
  ) throws -> NotificationToken {
    guard let binding = _binding else {
      throw HeraldError.cannotObserve("an unmanaged object of class '\(nameOfClass)'")
    }
    return try binding.core.token {
      try dynamic(binding).observe(
        TypedObjectReceiver(table: binding.table, block: block), keyPaths: keyPaths)
    }
  }

  private func dynamic(_ binding: ClassBinding) throws -> ObjectHandle {
    try binding.core.dynamic.checkIntact()
    return ObjectHandle(
      store: binding.core.dynamic, id: ObjectID(binding.classID, _number))
  }

  /// Observes one property: each assignment in this store's transactions, also of an equal value, at once, and
  /// commits of others once for each advance. When the object was deleted the block is called once more, without
  /// values.
  ///
  ///     token = dog.observe(\.name) { change in print(change.oldValue, change.newValue) }
  ///
  /// Of an unmanaged object each assignment is reported; it cannot be added to a store while it is observed. What goes
  /// wrong, such as a path to something other than a property, reaches the block as the change's `error`.
  @_disfavoredOverload
  public func observe<Value: Persistable>(
    _ path: KeyPath<Self, Value>, _ block: @escaping (ValueChange<Value>) -> Void
  ) -> NotificationToken { observeValues(path, block) }

  /// Observes one optional property, whose nil is the change's nil.
  public func observe<Wrapped: PersistableElement>(
    _ path: KeyPath<Self, Wrapped?>, _ block: @escaping (ValueChange<Wrapped>) -> Void
  ) -> NotificationToken {
    observeValues(path) { change in
      block(
        ValueChange(
          oldValue: change.oldValue ?? nil, newValue: change.newValue ?? nil,
          isInvalidated: change.isInvalidated, error: change.error))
    }
  }

  private func observeValues<Value: Persistable>(
    _ path: KeyPath<Self, Value>, _ block: @escaping (ValueChange<Value>) -> Void
  ) -> NotificationToken {
    if path == \Self.isInvalidated as AnyKeyPath { return observeInvalidation(block) }
    let name: String
    do {
      name = try propertyName(of: path, from: Self.self)
    } catch {
      return .failed(error, _binding?.core) { block(.invalidated($0)) }
    }
    guard let binding = _binding else { return observeLocally(name, block) }
    let core = binding.core
    return core.observe {
      try dynamic(binding).observeProperty(name) {
        [weak core, number = _number, table = binding.table] event in
        guard let core, let binding = try? core.binding(like: table) else { return }
        block(ValueChange(event, binding, name, number))
      }
    } onError: {
      block(.invalidated($0))
    }
  }

  /// `dog.observe(\.isInvalidated)`: called once, when the object was deleted.
  private func observeInvalidation<Value>(
    _ block: @escaping (ValueChange<Value>) -> Void
  ) -> NotificationToken {
    guard let binding = _binding else {
      let error = HeraldError.cannotObserve("the end of an unmanaged object")
      return .failed(error, nil) { block(.invalidated($0)) }
    }
    return binding.core.observe {
      try dynamic(binding).observeInvalidation { _ in block(.invalidated()) }
    } onError: {
      block(.invalidated($0))
    }
  }

  private func observeLocally<Value: Persistable>(
    _ name: String, _ block: @escaping (ValueChange<Value>) -> Void
  ) -> NotificationToken {
    guard let property = try? classTable().property(named: name) else {
      stopProgram("class '\(Self.className)' has no property '\(name)'")
    }
    let observers = _extra as? LocalObservers ?? LocalObservers()
    _extra = observers
    let id = observers.add(slot: property.slot) { old, new in
      block(ValueChange(oldValue: old as? Value, newValue: new as? Value))
    }
    return NotificationToken { [weak observers] in observers?.remove(id) }
  }
}

/// Calls the block of an observer with an instance of the program's class and each change of it.
private struct TypedObjectReceiver<Observed: AnyObject>: ReportReceiver {
  let table: ObjectTable
  let block: (ObjectChange<Observed>) -> Void

  func receive(_ report: Report, of id: ObjectID?, in session: AnyObject?) throws {
    guard let core = (session as? DynamicStore)?.core, let id, let change = report.objectChange,
      let binding = try? core.binding(like: table)
    else { return }
    switch change {
    case .change(let properties):
      let object = binding.instance(id.number)
      block(
        .change(
          unsafeDowncast(object, to: Observed.self),
          properties.map { PropertyChange($0, of: object, binding) }))
    case .deleted: block(.deleted)
    case .error(let error): block(.error(error))
    }
  }
}

extension ValueChange where Value: Persistable {
  fileprivate init(
    _ event: PropertyEvent, _ binding: ClassBinding, _ name: String, _ number: ObjectNumber
  ) {
    switch event {
    case .changed(_, let old, let new):
      let decode = { (value: HeraldModel.Value) -> Value? in
        (Value.self as? any PersistableElement.Type)?._decode(value, binding.core) as? Value
      }
      self.init(oldValue: decode(old), newValue: decode(new))
    case .rows(_, let kind, let rows):
      let value = binding.table.property(named: name).map {
        ManagedProperty(binding, $0.slot, number).read(Value.self)
      }
      self.init(oldValue: value, newValue: value, kind: kind, rows: rows)
    case .invalidated: self = .invalidated()
    case .error(let error): self = .invalidated(error)
    }
  }
}

/// The property observers of an unmanaged instance.
final class LocalObservers: ObjectExtra {
  private var observers: [(id: Int, slot: Int, block: (Any, Any) -> Void)] = []
  private var last = 0

  var isObserved: Bool { !observers.isEmpty }

  func add(slot: Int, _ block: @escaping (_ old: Any, _ new: Any) -> Void) -> Int {
    last += 1
    observers.append((last, slot, block))
    return last
  }

  func remove(_ id: Int) { observers.removeAll { $0.id == id } }

  override func assigned<Value: Persistable>(
    _ path: AnyKeyPath?, slot: Int, old: Value, new: Value
  ) {
    for observer in observers where observer.slot == slot { observer.block(old, new) }
  }
}
