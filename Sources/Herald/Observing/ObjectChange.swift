import HeraldModel
public import HeraldObservation

/// What an observer of an object receives.
public enum ObjectChange<Observed> {
  /// Properties changed; in the order of the store's class.
  case change(Observed, [PropertyChange])
  /// The object was deleted. The observer is not called again.
  case deleted
  /// The object can no longer be followed, or never could. The observer is not called again.
  case error(any Error)
}

/// One changed property of an object or a projection.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before, as the property's type; nil for nil and for collections.
  public let oldValue: Any?
  /// The value after, as the property's type; nil for nil. Of a collection the collection itself.
  public let newValue: Any?
}

extension PropertyChange {
  init(_ change: DynamicPropertyChange, of object: ObjectBase, _ binding: ClassBinding) {
    let property = binding.table.property(named: change.name)
    name = property?.label ?? change.name
    guard let property else {
      (oldValue, newValue) = (nil, nil)
      return
    }
    if change.hasValues, let element = property.type as? any PersistableElement.Type {
      oldValue = Self.value(change.old, as: element, binding.core)
      newValue = Self.value(change.new, as: element, binding.core)
    } else {
      oldValue = nil
      newValue = Self.unwrapped(
        ManagedProperty(binding, property.slot, object._number).read(property.type))
    }
  }

  static func value<Element: PersistableElement>(
    _ value: Value, as type: Element.Type, _ core: StoreCore
  ) -> Any? {
    guard !value.isNull, let decoded = Element._decode(value, core) else { return nil }
    return isPlain(type) ? decoded : unwrapped(decoded)
  }

  /// Whether a type is one of the most frequent ones that are not optional: to find out whether any type is takes longer
  /// than the rest of the change.
  private static func isPlain(_ type: Any.Type) -> Bool {
    type == Double.self || type == Int.self || type == String.self || type == Bool.self
  }

  /// Returns the value in an optional, so that printing it prints no `Optional(…)`, or in an object of its own.
  static func unwrapped(_ value: Any) -> Any? {
    switch value {
    case let optional as any AnyOptional: optional.anyValue
    case let property as any AnyStoredProperty: unwrapped(property.anyValue)
    case _: value
    }
  }
}

private protocol AnyOptional { var anyValue: Any? { get } }
private protocol AnyStoredProperty: AnyObject { var anyValue: Any { get } }

extension StoredProperty: AnyStoredProperty {
  var anyValue: Any { value }
}

extension Optional: AnyOptional {
  var anyValue: Any? { self }
}

/// A change of one property, for the observer of that property.
public struct ValueChange<Value> {
  /// The value before; nil for nil, and where the object was deleted.
  public let oldValue: Value?
  /// The value after; nil for nil, and where the object was deleted.
  public let newValue: Value?
  /// Whether the object was deleted, or cannot be followed. The observer is not called again.
  public let isInvalidated: Bool
  /// Of a list what happened to its rows; nil for other properties.
  public let kind: ListChangeKind?
  /// Of a list the rows that were inserted, removed or replaced, in the order that `kind` says.
  public let rows: [Int]
  /// Why the property cannot be followed, such as a key path to something other than a property.
  public let error: (any Error)?

  init(
    oldValue: Value?, newValue: Value?, isInvalidated: Bool = false, kind: ListChangeKind? = nil,
    rows: [Int] = [], error: (any Error)? = nil
  ) {
    self.oldValue = oldValue
    self.newValue = newValue
    self.isInvalidated = isInvalidated
    self.kind = kind
    self.rows = rows
    self.error = error
  }

  static func invalidated(_ error: (any Error)? = nil) -> ValueChange {
    ValueChange(oldValue: nil, newValue: nil, isInvalidated: true, error: error)
  }
}
