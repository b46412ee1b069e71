public import Herald

extension StoredCollection where Element: ResultElement {
  /// The sum of a property.
  public func sum<Number: PersistableNumber>(of path: KeyPath<Element, Number>) -> Number {
    sum(path)
  }

  /// The sum of a property; nil values count nothing.
  public func sum<Number: PersistableNumber>(of path: KeyPath<Element, Number?>) -> Number {
    sum(path)
  }

  /// The smallest value of a property; nil without one.
  public func min<Value: PersistableMeasure>(of path: KeyPath<Element, Value>) -> Value? {
    min(path)
  }

  /// The smallest value of a property; nil without one.
  public func min<Value: PersistableMeasure>(of path: KeyPath<Element, Value?>) -> Value? {
    min(path)
  }

  /// The largest value of a property; nil without one.
  public func max<Value: PersistableMeasure>(of path: KeyPath<Element, Value>) -> Value? {
    max(path)
  }

  /// The largest value of a property; nil without one.
  public func max<Value: PersistableMeasure>(of path: KeyPath<Element, Value?>) -> Value? {
    max(path)
  }

  /// The average of a property; nil without a value.
  public func average<Number: PersistableNumber>(
    of path: KeyPath<Element, Number>
  ) -> Number.Average? {
    average(path)
  }

  /// The average of a property; nil without a value.
  public func average<Number: PersistableNumber>(
    of path: KeyPath<Element, Number?>
  ) -> Number.Average? {
    average(path)
  }
}

extension StoredCollection where Element: ObjectBase {
  /// Assigns a property of every object by its name.
  public func setValue(_ value: Any?, forKey name: String) {
    for object in self { object[name] = value }
  }
}

extension ObjectBase {
  /// The name of the class in stores.
  public static func className() -> String {
    let name: String = className
    return name
  }

  /// Whether both are the same object of the same store.
  public func isSameObject(as other: ObjectBase?) -> Bool { self == other }

  /// The value of a property by its name; nil for nil. Of an enumeration it is the raw value, of another type of the
  /// program's own what is stored, and of a value of any type what that is. A link leads to an object of the program's
  /// class, but for a migration.
  public subscript(name: String) -> Any? {
    get {
      let value = KeyPathValue.plain(self[named: name])
      return (value as? DynamicObject)?.ofProgramClass ?? value
    }
    set { self[named: name] = newValue }
  }

  /// The value of a property by its name, as a subscript with it.
  public func value(forKey name: String) -> Any? { self[name] }

  /// Assigns a property by its name.
  public func setValue(_ value: Any?, forKey name: String) { self[name] = value }
}

extension DynamicObject {
  /// A property by its name, as a subscript with it.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }
}

extension List {
  /// Assigns an element.
  public func replace(index: Int, object: Element) { self[index] = object }
}

extension Map {
  /// Removes a key, if the map has it.
  public func removeObject(for key: Key) { removeValue(forKey: key) }
}
