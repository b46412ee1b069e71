import Foundation
public import Herald

extension StoredCollection {
  /// The values of a property of every object; `self` stands for the elements. Nil is an `NSNull`.
  public func value(forKey name: String) -> [AnyObject] { KeyPathValue.each(self, at: [name]) }

  /// The same of a path with dots, over links and collections, and of an aggregate: `@count`, `@sum.age`, `@min`, `@max` and
  /// `@avg`. Values in collections of the objects are arrays in the array.
  public func value(forKeyPath path: String) -> Any? {
    KeyPathValue.at(KeyPathValue.steps(path), ofEach: self)
  }
}

extension ResultsSection {
  /// The values of a property of every object; `self` stands for the objects.
  public func value(forKey name: String) -> [AnyObject] { KeyPathValue.each(self, at: [name]) }

  /// The same of a path with dots, and of an aggregate, as a collection has it.
  public func value(forKeyPath path: String) -> Any? {
    KeyPathValue.at(KeyPathValue.steps(path), ofEach: self)
  }
}

extension Map {
  /// The entries in brackets, in the order of the keys.
  public var debugDescription: String { "\(Self.self) \(description)" }

  /// The value of a key; nil without one, and an `NSNull` for nil.
  public func value(forKey key: String) -> AnyObject? {
    self[Key(_text: key)].map { KeyPathValue.plain($0) as AnyObject }
  }

  /// The value at the end of a path that begins with a key, or an aggregate of the values: `@sum.age`.
  public func value(forKeyPath path: String) -> AnyObject? {
    KeyPathValue.at(KeyPathValue.steps(path), of: self).map { $0 as AnyObject }
  }

  /// The value of a key, which is a string; nil without one, and an `NSNull` for nil.
  public func object(forKey key: AnyObject) -> AnyObject? {
    (key as? String).flatMap { value(forKey: $0) }
  }

  /// Assigns the value of a key, which is converted as one of a dictionary; nil removes it, and `NSNull` stands for nil where
  /// values may be nil. A value of another type stops the program.
  public func setValue(_ value: Any?, forKey key: Key) {
    guard let value else {
      self[key] = nil
      return
    }
    let given = value is NSNull ? Value?.none as Any : value
    guard let converted = try? Value.element(of: given) else {
      fatalError("the map is of \(Value.self) and cannot hold \(value) for the key '\(key)'")
    }
    self[key] = converted
  }
}

extension Map {
  /// The same of the text of a key, as generic code has it.
  @_disfavoredOverload
  public func setValue(_ value: Any?, forKey key: String) {
    setValue(value, forKey: Key(_text: key))
  }
}

extension List {
  /// The values at the end of a path with dots from each element; of an aggregate it is an array of one.
  @_disfavoredOverload
  public func value(forKeyPath path: String) -> [AnyObject] {
    KeyPathValue.array(value(forKeyPath: path) as Any?)
  }
}

extension MutableSet {
  /// The values at the end of a path with dots from each element; of an aggregate it is an array of one.
  @_disfavoredOverload
  public func value(forKeyPath path: String) -> [AnyObject] {
    KeyPathValue.array(value(forKeyPath: path) as Any?)
  }
}

extension StoredCollection {
  /// The elements in brackets.
  public var debugDescription: String {
    "\(Self.self) [" + map { "\($0)" }.joined(separator: ", ") + "]"
  }
}
