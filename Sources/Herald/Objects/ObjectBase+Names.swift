extension ObjectBase {
  /// Creates an unmanaged instance with values by name, as `Store.create` takes them: arrays for lists, dictionaries for
  /// maps and linked objects. An unknown name and a value of another type stop the program.
  @_disfavoredOverload
  public convenience init(value: [String: Any]) {
    self.init()
    ObjectTable.assign(to: self) { _ in value }
  }

  /// Creates an unmanaged instance with values in the order of the properties, as `Store.create` takes them.
  @_disfavoredOverload
  public convenience init(value: [Any]) {
    self.init()
    ObjectTable.assign(to: self) { try $0.named(value) }
  }

  /// The value of a property by its name, as the property's type, of an enumeration the raw value; nil for nil.
  ///
  /// An assignment takes what `Store.create` does, and otherwise what an assignment of the property does. An unknown name
  /// and a value of another type stop the program.
  @_disfavoredOverload
  public subscript(name: String) -> Any? {
    get { self[named: name] }
    set { self[named: name] = newValue }
  }

  /// The same for the module that has another form of it.
  package subscript(named name: String) -> Any? {
    get {
      let value = PropertyChange.unwrapped(named(name) { property, _ in property.value(of: self) })
      return (value as? any PersistableEnum)?.rawValue ?? value
    }
    set {
      if let migration {
        migration.note { try assign(newValue, to: name, in: migration) }
        return
      }
      named(name) { property, table in
        _ = property.assign(try property.assigned(newValue as Any, of: table), to: self)
      }
    }
  }

  private func assign(_ value: Any?, to name: String, in migration: Migration) throws {
    let table = try classTable()
    let property = try table.required(name)
    guard let _binding, !migration.isOld(_binding.core) else { throw HeraldError.notInWrite }
    _ = property.assign(try property.assigned(value as Any, of: table), to: self)
  }

  private func named<R>(
    _ name: String, _ use: (ObjectTable.Property, ObjectTable) throws -> R
  ) -> R {
    do {
      let table = try classTable()
      return try use(table.required(name), table)
    } catch {
      stopProgram("property '\(name)' of \(place) cannot be used: \(error)")
    }
  }
}

extension ObjectTable.Property {
  /// Assigns the property; returns false for a value of another type, such as nil.
  func assign(_ value: Any, to object: ObjectBase) -> Bool {
    let valueType = type
    return assign(value, as: valueType, to: object)
  }

  private func assign<P: Persistable>(_ value: Any, as type: P.Type, to object: ObjectBase) -> Bool
  {
    guard let value = value as? P else { return false }
    if let binding = object._binding {
      ManagedProperty(binding, slot, object._number).set(value)
    } else {
      let old = local.value(object)
      local.set(object, value)
      if let old = old as? P {
        object._extra?.assigned(nil, slot: slot, old: old, new: value)
      }
    }
    return true
  }
}

extension ObjectTable {
  /// Sets properties of an unmanaged instance by their names; what they cannot hold stops the program.
  package static func assign(
    to object: ObjectBase, _ values: (ObjectTable) throws -> [String: Any]
  ) {
    do {
      try object.setLocal(values(object.classTable()))
    } catch {
      stopProgram("an object of class '\(type(of: object).className)' cannot be made: \(error)")
    }
  }
}
