import Herald

/// Values by names and paths of names, as Realm's objects and collections have them.
enum KeyPathValue {
  /// Returns the value that a path leads to from another one; nil where that has no such.
  static func at(_ path: ArraySlice<String>, of found: Any?) -> Any? {
    let found = plain(found)
    guard let name = path.first else { return found }
    let rest = path.dropFirst()
    switch found {
    case let object as ObjectBase where name != "self": return at(rest, of: object[named: name])
    case let elements as any StoredCollection: return at(path, ofEach: elements)
    case let entries as any NamedEntries:
      return name.hasPrefix("@")
        ? at(path, ofEach: entries.byName.values) : at(rest, of: entries.byName[name])
    case _: return name == "self" ? at(rest, of: found) : nil
    }
  }

  /// Returns what a path leads to from each element, or an aggregate of it: `@count`, `@sum.age`, `@min`, `@max`, `@avg`,
  /// and `@unionOfObjects`, which are the values without nil.
  static func at(_ path: ArraySlice<String>, ofEach elements: some Collection) -> Any? {
    guard let name = path.first, name.hasPrefix("@") else { return each(elements, at: path) }
    if name == "@count" { return elements.count }
    let values = elements.map { at(path.dropFirst(), of: $0) }
    if name == "@unionOfObjects" { return values.compactMap { $0 } }
    return aggregated(values.compactMap { $0 as? any PersistableMeasure }, name)
  }

  /// Returns what a path leads to from each element.
  static func each(_ elements: some Collection, at path: ArraySlice<String>) -> [AnyObject] {
    elements.map { at(path, of: $0) as AnyObject }
  }

  /// What a path leads to as an array.
  static func array(_ value: Any?) -> [AnyObject] {
    value as? [AnyObject] ?? value.map { [$0 as AnyObject] } ?? []
  }

  /// The names of a path with dots.
  static func steps(_ path: String) -> ArraySlice<String> {
    path.split(separator: ".").map(String.init)[...]
  }

  /// Of an enumeration the raw value, of another type of the program's own what is stored, and of a value of any type what
  /// it is.
  static func plain(_ value: Any?) -> Any? {
    switch value {
    case let value as any PersistableEnum: value.rawValue
    case let value as any ConvertedPersistable: plain(value.persistableValue)
    case let value as AnyValue: value.contents
    case _: value
    }
  }

  /// An aggregate over values of one type.
  private static func aggregated(_ values: [any PersistableMeasure], _ name: String) -> Any? {
    func aggregate<Measure: PersistableMeasure>(_ first: Measure) -> Any? {
      let list = List(values.compactMap { $0 as? Measure })
      return (list as? any MeasureList)?.aggregate(named: name)
        ?? (list as? any NumberList)?.aggregate(ofNumbers: name)
    }
    guard let first = values.first else { return name == "@sum" ? 0 : nil }
    return aggregate(first)
  }
}

/// A map, whatever its types.
protocol NamedEntries { var byName: [String: Any] { get } }

extension Map: NamedEntries {
  var byName: [String: Any] {
    Dictionary(uniqueKeysWithValues: map { ($0.key._text, $0.value as Any) })
  }
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
