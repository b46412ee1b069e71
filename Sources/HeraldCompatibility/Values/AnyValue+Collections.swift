public import Herald

extension AnyValue {
  /// A list.
  public static func fromArray(_ values: [AnyValue]) -> AnyValue { .list(values) }

  /// A dictionary.
  public static func fromDictionary(_ entries: [String: AnyValue]) -> AnyValue {
    .dictionary(entries)
  }

  /// The object that is linked to, by the names of its properties; nil for another value, and for an unmanaged object.
  public var dynamicObject: DynamicObject? {
    if case .object(let object) = self { DynamicObject.of(object) } else { nil }
  }

  /// The element of a list; nil for another value.
  public subscript(index: Int) -> AnyValue? {
    guard let listValue, listValue.indices.contains(index) else { return nil }
    return listValue[index]
  }

  /// The value of a dictionary's key; nil for another value.
  public subscript(key: String) -> AnyValue? { dictionaryValue?[key] }
}

extension [AnyValue] {
  /// Adds elements at the end.
  public mutating func append(objectsIn elements: some Sequence<AnyValue>) {
    append(contentsOf: elements)
  }
}

extension [String: AnyValue] {
  /// Removes a key, if the dictionary has it.
  public mutating func removeObject(for key: String) { removeValue(forKey: key) }
}
