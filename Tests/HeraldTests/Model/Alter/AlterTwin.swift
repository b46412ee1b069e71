import Herald

/// A store as plain values, with classes that are altered: what a store must agree with.
struct AlterTwin {
  struct PlainClass {
    var properties: [ClassDefinition.Property]
    /// Objects by their primary key, an int that is never altered, in order of creation.
    var keys: [Int] = []
    var objects: [Int: [String: PropertyContent]] = [:]
  }

  /// Why an alteration does not go.
  struct Refusal: Error {}

  var classes: [String: PlainClass] = [:]
  /// What a class was called, dropped ones too.
  var names: [ClassID: String] = [:]

  mutating func alter(_ className: String, _ alterations: [ClassAlteration]) throws(Refusal) {
    guard var altered = classes[className] else { throw Refusal() }
    for alteration in alterations {
      switch alteration {
      case .add(let property): try add(property, to: &altered)
      case .drop(let name): try drop(name, from: &altered)
      case .rename(let name, let newName): try rename(name, to: newName, in: &altered)
      case .change(let property): try change(property, in: &altered)
      }
    }
    // What is only between two alterations of one statement needs no value.
    for property in altered.properties where property.shape == .single && !property.isOptional {
      for object in altered.objects.values where object[property.name] == .value(.null) {
        throw Refusal()
      }
    }
    classes[className] = altered
  }

  private func add(
    _ property: ClassDefinition.Property, to plain: inout PlainClass
  ) throws(Refusal) {
    guard !plain.properties.contains(where: { $0.name == property.name }) else { throw Refusal() }
    plain.properties.append(property)
    for key in plain.keys {
      plain.objects[key]?[property.name] = property.defaultValue ?? property.nothing
    }
  }

  private func drop(_ name: String, from plain: inout PlainClass) throws(Refusal) {
    guard plain.properties.contains(where: { $0.name == name }) else { throw Refusal() }
    plain.properties.removeAll { $0.name == name }
    for key in plain.keys { plain.objects[key]?[name] = nil }
  }

  private func rename(
    _ name: String, to newName: String, in plain: inout PlainClass
  ) throws(Refusal) {
    guard let place = plain.properties.firstIndex(where: { $0.name == name }),
      name == newName || !plain.properties.contains(where: { $0.name == newName })
    else { throw Refusal() }
    plain.properties[place].name = newName
    for key in plain.keys {
      let content = plain.objects[key]?.removeValue(forKey: name)
      plain.objects[key]?[newName] = content
    }
  }

  private func change(
    _ property: ClassDefinition.Property, in plain: inout PlainClass
  ) throws(Refusal) {
    guard let place = plain.properties.firstIndex(where: { $0.name == property.name }) else {
      throw Refusal()
    }
    plain.properties[place] = property
    for key in plain.keys {
      guard let old = plain.objects[key]?[property.name],
        let new = property.converted(old, names)
      else { throw Refusal() }
      plain.objects[key]?[property.name] = new
    }
  }

  /// Deletes an object, with every link to it.
  mutating func delete(_ key: Int, of className: String, isLinkTo: (Value) -> Bool) {
    for name in classes.keys {
      for (other, object) in classes[name]?.objects ?? [:] {
        for property in classes[name]?.properties ?? [] {
          classes[name]?.objects[other]?[property.name] = object[property.name]?.without(isLinkTo)
        }
      }
    }
    classes[className]?.keys.removeAll { $0 == key }
    classes[className]?.objects[key] = nil
  }
}

extension PropertyContent {
  /// Links are taken out of lists and sets; elsewhere they become nil.
  fileprivate func without(_ isGone: (Value) -> Bool) -> PropertyContent {
    switch self {
    case .value(let value): .value(value.without(isGone))
    case .list(let values): .list(values.filter { !isGone($0) }.map { $0.without(isGone) })
    case .map(let entries): .map(entries.mapValues { $0.without(isGone) })
    }
  }
}

extension Value {
  fileprivate func without(_ isGone: (Value) -> Bool) -> Value {
    switch self {
    case .list(let values): .list(values.filter { !isGone($0) }.map { $0.without(isGone) })
    case .map(let entries): .map(entries.mapValues { $0.without(isGone) })
    case _: isGone(self) ? .null : self
    }
  }
}

// MARK: Conversions, spelled out for the few types that the test uses

extension ClassDefinition.Property {
  /// What an object has that was given nothing.
  var nothing: PropertyContent {
    switch shape {
    case .single: .value(.null)
    case .list, .set, .backlinks: .list([])
    case .map: .map([:])
    }
  }

  fileprivate func converted(
    _ content: PropertyContent, _ names: [ClassID: String]
  ) -> PropertyContent? {
    switch (content, shape) {
    case (.value(let value), .single): return converted(value, names).map { .value($0) }
    case (.value(.null), _): return nothing
    case (.value(.list(let values)), .list), (.value(.list(let values)), .set):
      return elements(values, names)
    case (.value(.map(let entries)), .map): return converted(.map(entries), names)
    case (.value(let value), .list), (.value(let value), .set): return elements([value], names)
    case (.list(let values), .list), (.list(let values), .set): return elements(values, names)
    case (.list(let values), .single):
      if element == .any { return .value(.list(values)) }
      if values.count > 1 { return nil }
      return converted(values.first ?? .null, names).map { .value($0) }
    case (.map(let entries), .map):
      var converted: MapEntries = [:]
      for (key, value) in entries {
        guard let value = self.converted(value, names) else { return nil }
        converted[key] = value
      }
      return .map(converted)
    case (.map(let entries), .single): return element == .any ? .value(.map(entries)) : nil
    case (.value, .map), (.list, .map), (.map, .list), (.map, .set), (_, .backlinks): return nil
    }
  }

  private func elements(_ values: [Value], _ names: [ClassID: String]) -> PropertyContent? {
    var elements: [Value] = []
    for value in values {
      guard let element = converted(value, names) else { return nil }
      if shape == .set && elements.contains(element) { return nil }
      elements.append(element)
    }
    return .list(elements)
  }

  private func converted(_ value: Value, _ names: [ClassID: String]) -> Value? {
    let mayBeNil =
      switch element {
      case .any: true
      case .link: shape == .single || shape == .map
      case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
        isOptional
      }
    switch (element, value) {
    case (_, .null): return mayBeNil ? .null : nil
    case (.any, _): return value
    case (.int, .int), (.double, .double), (.string, .string), (.bool, .bool): return value
    case (.int, .bool(let value)): return .int(value ? 1 : 0)
    case (.int, .double(let value)): return value == value.rounded() ? .int(Int(value)) : nil
    case (.int, .string(let text)): return Int(text).map { .int($0) }
    case (.double, .int(let value)): return .double(Double(value))
    case (.double, .string(let text)): return Double(text).map { .double($0) }
    case (.string, .int(let value)): return .string("\(value)")
    case (.string, .double(let value)): return .string("\(value)")
    case (.string, .bool(let value)): return .string("\(value)")
    case (.bool, .int(let value)): return value == 0 ? .bool(false) : value == 1 ? .bool(true) : nil
    case (.bool, .string(let text)): return Bool(text).map { .bool($0) }
    case (.link(let name), .link(let target)): return names[target.classID] == name ? value : nil
    default: return nil
    }
  }
}
