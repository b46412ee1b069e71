/// A property in a table that a class, or code that was generated for it, makes itself instead of reflection.
///
///     class Dog: Object {
///       @Persisted var name = ""
///       @Persisted var age = 0
///
///       override class func makeObjectTable() throws -> ObjectTable {
///         try ObjectTable(
///           of: self, [DeclaredProperty("name", \Dog.name), DeclaredProperty("age", \Dog.age)])
///       }
///     }
///
/// Types, defaults, keys and indexes are those of the wrappers.
public struct DeclaredProperty {
  let make: (ObjectBase.Type) throws -> ObjectTable.Property

  /// A property by its name in stores and its key path, which must be that of a `@Persisted` property of the class or of
  /// a superclass.
  public init<Owner: ObjectBase, Value: Persistable>(_ name: String, _ path: KeyPath<Owner, Value>)
  {
    make = { type in
      let instance = type.init()
      guard let slot = (instance as? Owner).flatMap({ SlotProbe.slot(of: path, in: $0) }) else {
        throw SchemaError(
          "property '\(name)' of class '\(type.className)' is declared with a key path that is no "
            + "@Persisted property of it")
      }
      return try ObjectTable.Property(
        name, at: slot << 3, Persisted<Value>.self, of: type, type.init(),
        PropertyOverrides(of: type))
    }
  }
}

extension ObjectTable {
  /// Makes the table of a class of its properties, those of superclasses first: for an override of `makeObjectTable`.
  /// Every `@Persisted` property must be among them. Errors: `SchemaError`.
  public convenience init(of type: ObjectBase.Type, _ properties: [DeclaredProperty]) throws {
    try self.init(checked: type, properties.map { try $0.make(type) })
  }
}

/// Finds the place of a property by reading it.
private final class SlotProbe: ObjectExtra {
  private var slots: [Int] = []

  /// The slot of the wrapper that a key path reads; nil for one that reads none or several.
  static func slot<Owner: ObjectBase, Value: Persistable>(
    of path: KeyPath<Owner, Value>, in instance: Owner
  ) -> Int? {
    let probe = SlotProbe()
    instance._extra = probe
    _ = instance[keyPath: path]
    return probe.slots.count == 1 ? probe.slots[0] : nil
  }

  override func read<Value: Persistable>(
    _ owner: ObjectBase, as type: Value.Type, slot: Int
  ) -> Value? {
    slots.append(slot)
    return nil
  }
}
