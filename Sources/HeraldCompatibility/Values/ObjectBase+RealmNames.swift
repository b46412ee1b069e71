public import Dispatch
public import Herald

extension ObjectBase {
  /// Creates an unmanaged instance with values by name, in the order of the properties, or those that another object has
  /// by the same names. Names that no property has are ignored; what has another type stops the program.
  @_disfavoredOverload
  public convenience init(value: Any) {
    switch value {
    case let values as [String: Any]: self.init(value: values)
    case let values as [Any]: self.init(value: values)
    case let object as ObjectBase: self.init(value: object)
    case _: fatalError("an object of class '\(Self.className())' cannot be made of '\(value)'")
    }
  }

  /// Creates an unmanaged instance with values by name; names that no property has are ignored.
  public convenience init(value: [String: Any]) {
    self.init()
    ObjectTable.assign(to: self) { $0.known(value) }
  }

  /// Creates an unmanaged instance with values in the order of the properties.
  public convenience init(value: [Any]) {
    self.init()
    ObjectTable.assign(to: self) { try $0.known(value) }
  }

  /// Creates an unmanaged instance with the values that another object has by the same names. It links to the same objects;
  /// embedded ones are copied.
  public convenience init(value object: ObjectBase) {
    self.init()
    copyValues(of: object)
  }

  private func copyValues(of object: ObjectBase) {
    guard let table = try? ObjectTable.of(Swift.type(of: self)) else { return }
    for property in object.objectSchema.properties
    where table.property(named: property.name) != nil {
      self[named: property.name] = Self.copied(object[named: property.name])
    }
  }

  private static func copied(_ value: Any?) -> Any? {
    switch value {
    case let part as EmbeddedObject:
      let copy = Swift.type(of: part).init()
      copy.copyValues(of: part)
      return copy
    case let parts as any StoredCollection: return parts.map { copied($0 as Any) as Any }
    case let entries as any NamedEntries: return entries.byName.mapValues { copied($0) as Any }
    case _: return value
    }
  }
}

extension ObjectTable {
  /// The values of those names that properties have, in linked objects, too.
  func known(_ values: [String: Any]) -> [String: Any] {
    var known: [String: Any] = [:]
    for (name, value) in values {
      guard let property = property(named: name), property.originProperty == nil else { continue }
      known[name] = value
      guard let linked = linkedTable(property) else { continue }
      known[name] = property.mapValues(of: value) { linked.known(of: $0) }
    }
    return known
  }

  /// Values in the order of the properties by their names. Errors: `ValueError` for more of them than properties.
  func known(_ values: [Any]) throws -> [String: Any] { known(try named(values)) }

  private func known(of value: Any) -> Any {
    switch value {
    case let values as [String: Any]: known(values)
    case let values as [Any]: (try? known(values)) ?? value
    case _: value
    }
  }
}

extension ObservableObjectBase {
  /// Whether another value is the same object of the same store.
  public func isEqual(_ other: Any?) -> Bool { (other as? ObjectBase) == self }

  /// The list of a property by its name, with the linked objects by the names of their properties.
  public func dynamicList(_ name: String) -> List<DynamicObject> {
    guard let list = DynamicObject.of(self)?[name] as? List<DynamicObject> else {
      fatalError(
        "property '\(name)' of class '\(ObjectTable.className(of: self))' is no list of managed objects"
      )
    }
    return list
  }

  /// The set of a property by its name, with the linked objects by the names of their properties.
  public func dynamicMutableSet(_ name: String) -> MutableSet<DynamicObject> {
    guard let set = DynamicObject.of(self)?[name] as? MutableSet<DynamicObject> else {
      fatalError(
        "property '\(name)' of class '\(ObjectTable.className(of: self))' is no set of managed objects"
      )
    }
    return set
  }

  /// The map of a property by its name, with the linked objects by the names of their properties.
  public func dynamicMap(_ name: String) -> Map<String, DynamicObject?> {
    guard let map = DynamicObject.of(self)?[name] as? Map<String, DynamicObject?> else {
      fatalError(
        "property '\(name)' of class '\(ObjectTable.className(of: self))' is no map of managed objects"
      )
    }
    return map
  }
}

/// An object that lists identify by its place in the store.
///
///     final class Dog: Object, ObjectKeyIdentifiable { … }
public protocol ObjectKeyIdentifiable: Identifiable {
  /// A number that is the same for every instance of an object while the program runs.
  var id: UInt64 { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// A number that is the same for every instance of an object while the program runs.
  public var id: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

extension ObjectKeyIdentifiable where Self: ProjectionElement {
  /// A number that is the same for every projection of an object while the program runs.
  public var id: UInt64 { UInt64(bitPattern: Int64(_object.hashValue)) }
}

extension ObservableObjectBase {
  /// Observes an object, whose changes have the type of a superclass, such as `ObjectBase`; on a queue if it is not nil.
  @_disfavoredOverload
  public func observe<Observed: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Self>) in
      switch change {
      case .change(let object, let properties):
        guard let observed = object as? Observed else {
          fatalError("an object of class '\(Self.className())' is no '\(Observed.self)'")
        }
        block(.change(observed, properties))
      case .deleted: block(.deleted)
      case .error(let error): block(.error(error))
      }
    }
  }

  /// Observes properties of an object, whose changes have the type of a superclass.
  @_disfavoredOverload
  public func observe<Observed: ObjectBase>(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { requiredName(of: $0) }, on: queue, block)
  }
}
