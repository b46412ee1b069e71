public import Herald

extension ObservableObjectBase {
  /// The value at the end of a path with dots, over links; nil for nil. Over a collection it is an array of the values of
  /// each element, or an aggregate of these: `dogs.@sum.age`.
  public func value(forKeyPath path: String) -> Any? {
    KeyPathValue.at(KeyPathValue.steps(path), of: self)
  }

  /// Assigns the property at the end of a path with dots, over links; does nothing where one of them is nil.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    let steps = path.split(separator: ".").map(String.init)
    guard let last = steps.last else { return }
    let owner = steps.dropLast().reduce(self as Any?) { ($0 as? ObjectBase)?[named: $1] }
    (owner as? ObjectBase)?[last] = value
  }

  /// Assigns properties by their names.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (name, value) in values { (self as ObjectBase)[name] = value }
  }

  /// The values of properties by their names, without those that are nil.
  public func dictionaryWithValues(forKeys names: [String]) -> [String: Any] {
    let values = names.map { ($0, (self as ObjectBase)[$0]) }
    return Dictionary(values.compactMap { name, value in value.map { (name, $0) } }) { $1 }
  }

  /// The same as `description`.
  public var debugDescription: String { (self as ObjectBase).description }

  /// The hash value.
  public var hash: Int { hashValue }
}

// Of a protocol, so that a subclass of `Projection` can have fields of these names.
extension ProjectionElement where Self: CustomStringConvertible {
  /// The same as `description`.
  public var debugDescription: String { description }
}

extension ProjectionElement {
  /// Whether another value is of the same class and projects the same object.
  public func isEqual(_ other: Any?) -> Bool { other as? Self == self }
}
