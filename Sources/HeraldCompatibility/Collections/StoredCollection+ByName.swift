public import Herald

extension StoredCollection {
  /// The values of a property of every object; `self` stands for the elements.
  public func value(forKey name: String) -> Any? {
    map { element in
      name == "self" ? element : ((element as? any NamedValues)?.namedValue(name) as Any)
    }
  }

  /// The same of a path with dots, over links, and of an aggregate: `@count`, `@sum.age`, `@min`, `@max` and `@avg`.
  public func value(forKeyPath path: String) -> Any? {
    let steps = path.split(separator: ".").map(String.init)
    guard let first = steps.first else { return nil }
    guard first.hasPrefix("@") else {
      return map { element in
        steps.reduce(element as Any?) { ($0 as? any NamedValues)?.namedValue($1) } as Any
      }
    }
    if first == "@count" { return count }
    let values = map { element in
      steps.dropFirst().reduce(element as Any?) { found, name in
        name == "self" ? found : (found as? any NamedValues)?.namedValue(name)
      }
    }
    return aggregateByName(values.compactMap { $0 as? any PersistableMeasure }, first)
  }
}

/// What has values by name.
private protocol NamedValues { func namedValue(_ name: String) -> Any? }

extension ObjectBase: NamedValues {
  fileprivate func namedValue(_ name: String) -> Any? { self[name] }
}

/// An aggregate over values of one type.
private func aggregateByName(_ values: [any PersistableMeasure], _ name: String) -> Any? {
  func aggregate<Measure: PersistableMeasure>(_ first: Measure) -> Any? {
    let list = List(values.compactMap { $0 as? Measure })
    return (list as? any MeasureList)?.aggregate(named: name)
      ?? (list as? any NumberList)?.aggregate(ofNumbers: name)
  }
  guard let first = values.first else { return name == "@sum" ? 0 : nil }
  return aggregate(first)
}

private protocol MeasureList { func aggregate(named name: String) -> Any? }

extension List: MeasureList where Element: PersistableMeasure & Comparable {
  fileprivate func aggregate(named name: String) -> Any? {
    name == "@min" ? self.min() : name == "@max" ? self.max() : nil
  }
}

private protocol NumberList { func aggregate(ofNumbers name: String) -> Any? }

extension List: NumberList where Element: PersistableNumber {
  fileprivate func aggregate(ofNumbers name: String) -> Any? {
    name == "@sum" ? sum() : name == "@avg" ? average() : nil
  }
}

extension Map {
  /// The entries in brackets, in the order of the keys.
  public var debugDescription: String { "\(Self.self) \(description)" }

  /// The value of a key; nil without one.
  public func value(forKey key: String) -> Any? {
    if let value = self[Key(_text: key)] { return value }
    return nil
  }

  /// Assigns the value of a key, which is converted as one of a dictionary; nil removes it. A value of another type stops
  /// the program.
  public func setValue(_ value: Any?, forKey key: Key) {
    guard let value else {
      self[key] = nil
      return
    }
    guard let converted = try? Value.element(of: value) else {
      fatalError("the map is of \(Value.self) and cannot hold \(value) for the key '\(key)'")
    }
    self[key] = converted
  }
}

extension StoredCollection {
  /// The elements in brackets.
  public var debugDescription: String {
    "\(Self.self) [" + map { "\($0)" }.joined(separator: ", ") + "]"
  }
}
