import HeraldModel
import HeraldObservation

extension ModelSchema {
  /// A change of a class.
  enum Alteration {
    case add(Property)
    case drop(String)
    case rename(String, to: String)
    case change(Property)
  }

  func declared(_ alteration: Alteration) -> ClassAlteration {
    switch alteration {
    case .add(let property): .add(definition(property))
    case .drop(let name): .drop(name)
    case .rename(let name, let newName): .rename(name, to: newName)
    case .change(let property): .change(definition(property))
    }
  }
}

/// Why a class cannot be altered.
private struct Refusal: Error {}

extension ModelTransaction {
  /// Alters a class and its objects; returns false and changes nothing where that must be refused.
  func alter(_ type: Int, _ alterations: [ModelSchema.Alteration]) -> Bool {
    let before = (state, losses)
    do {
      for alteration in alterations {
        let properties = state.schema.classes[type].properties
        func find(_ name: String) throws(Refusal) -> Int {
          guard let found = properties.firstIndex(where: { $0.name == name }) else {
            throw Refusal()
          }
          return found
        }
        switch alteration {
        case .add(let property):
          if (try? find(property.name)) != nil { throw Refusal() }
          append(property, type)
        case .drop(let name): replaceProperty(try find(name), .dropped, type) { _ in .backlinks }
        case .rename(let name, let newName):
          let place = try find(name)
          if name != newName, (try? find(newName)) != nil { throw Refusal() }
          state.schema.classes[type].properties[place].name = newName
        case .change(let property): try change(try find(property.name), to: property, type)
        }
      }
      // What is only between two alterations of one statement needs no value.
      for (place, property) in state.schema.classes[type].properties.enumerated()
      where property.isRequired {
        if state.objects[type].contains(where: { $0.contents[place].isNil }) { throw Refusal() }
      }
    } catch {
      (state, losses) = before
      return false
    }
    for row in state.objects[type].indices {
      let contents = state.objects[type][row].contents
      state.objects[type][row].inside = state.schema.inside(type, contents)
    }
    base = state
    return true
  }

  private func append(_ property: ModelSchema.Property, _ type: Int) {
    state.schema.classes[type].properties.append(property)
    if property.shape == .list { hasNewLists = true }
    for row in state.objects[type].indices {
      state.objects[type][row].contents.append(content(property.initial ?? property.none, property))
    }
  }

  private func change(
    _ place: Int, to property: ModelSchema.Property, _ type: Int
  ) throws(Refusal) {
    let old = state.schema.classes[type].properties[place]
    var contents: [ModelContent] = []
    for object in state.objects[type] {
      let converted = property.converted(object.contents[place].given, state.schema)
      guard let converted else { throw Refusal() }
      contents.append(content(converted, property))
    }
    if old.element == property.element && old.shape == property.shape {
      state.schema.classes[type].properties[place] = property
      return
    }
    var rest = contents[...]
    if property.shape == .list { hasNewLists = true }
    replaceProperty(place, property, type) { _ in rest.removeFirst() }
  }

  /// Replaces a property and the contents of every object; observers that depend on it end.
  private func replaceProperty(
    _ place: Int, _ property: ModelSchema.Property, _ type: Int,
    _ content: (ModelContent) -> ModelContent
  ) {
    let column = ModelColumn(classID: state.schema.ids[type], property: place)
    losses[column] = state.schema.classes[type].properties[place].isCollection
    state.schema.classes[type].properties[place] = property
    for row in state.objects[type].indices {
      state.objects[type][row].contents[place] = content(state.objects[type][row].contents[place])
    }
  }

  /// Drops a class with its objects; returns false where other classes name it.
  func drop(_ type: Int) -> Bool {
    let isNamed = state.schema.classes.enumerated().contains { other, known in
      other != type && !known.isDropped && known.properties.contains { $0.target == type }
    }
    if isNamed { return false }
    for object in state.objects[type] { delete(object.id) }
    state.schema.classes[type].isDropped = true
    lostClasses.insert(state.schema.ids[type])
    return true
  }

  /// Declares a class with one link, `first`.
  func declare(_ name: String, _ id: ClassID, linkingTo target: Int) {
    let first = ModelSchema.Property(
      name: "first", element: .link(state.schema.classes[target].name), isOptional: true,
      target: target)
    state.schema.classes.append(ModelSchema.Class(name: name, properties: [first]))
    state.schema.ids.append(id)
    state.objects.append([])
  }
}

extension ModelSchema.Property {
  /// What stays of a property that was dropped, so that the others keep their positions.
  fileprivate static let dropped = ModelSchema.Property(name: "", element: .int, shape: .dropped)

  fileprivate var isRequired: Bool {
    shape == .single && !isOptional && element != .any && target == nil
  }

  /// The content of an object that was given nothing.
  var none: ModelGiven.Content {
    switch shape {
    case .single: .value(.null)
    case .list, .set, .backlinks, .dropped: .list([])
    case .map: .map([:])
    }
  }
}

extension ModelContent {
  fileprivate var isNil: Bool { if case .value(.null) = self { true } else { false } }

  fileprivate var given: ModelGiven.Content {
    switch self {
    case .value(let value): .value(value)
    case .list, .set, .backlinks: .list(values)
    case .map(let entries): .map(entries)
    }
  }
}

// MARK: - Conversions, for the few types that properties are changed to

extension ModelSchema.Property {
  /// Nil where the content cannot be converted.
  fileprivate func converted(
    _ content: ModelGiven.Content, _ schema: ModelSchema
  ) -> ModelGiven.Content? {
    switch (content, shape) {
    case (.value(let value), .single): return converted(value, schema).map { .value($0) }
    case (.value(.null), _): return none
    case (.value(.list(let values)), .list), (.value(.list(let values)), .set),
      (.list(let values), .list), (.list(let values), .set):
      return elements(values, schema)
    case (.value(.map(let entries)), .map), (.map(let entries), .map):
      var converted: MapEntries = [:]
      for (key, value) in entries {
        guard let value = self.converted(value, schema) else { return nil }
        converted[key] = value
      }
      return .map(converted)
    case (.value(let value), .list), (.value(let value), .set): return elements([value], schema)
    case (.list(let values), .single):
      if element == .any { return .value(.list(values)) }
      return values.count > 1 ? nil : converted(values.first ?? .null, schema).map { .value($0) }
    case (.map(let entries), .single): return element == .any ? .value(.map(entries)) : nil
    case (.value, .map), (.list, .map), (.map, .list), (.map, .set), (_, .backlinks),
      (_, .dropped):
      return nil
    }
  }

  private func elements(_ values: [Value], _ schema: ModelSchema) -> ModelGiven.Content? {
    var elements: [Value] = []
    for value in values {
      guard let element = converted(value, schema), shape == .list || !elements.contains(element)
      else { return nil }
      elements.append(element)
    }
    return .list(elements)
  }

  private func converted(_ value: Value, _ schema: ModelSchema) -> Value? {
    switch (element, value) {
    case (.any, _): return value
    case (.link, .null): return shape == .single || shape == .map ? .null : nil
    case (_, .null): return isOptional ? .null : nil
    case (.int, .int), (.double, .double), (.string, .string), (.bool, .bool): return value
    case (.int, .bool(let value)): return .int(value ? 1 : 0)
    case (.int, .double(let value)): return Int(exactly: value).map { .int($0) }
    case (.int, .string(let text)): return Int(text).map { .int($0) }
    case (.double, .int(let value)): return .double(Double(value))
    case (.double, .string(let text)): return Double(text).map { .double($0) }
    case (.string, .int(let value)): return .string("\(value)")
    case (.string, .double(let value)): return .string("\(value)")
    case (.string, .bool(let value)): return .string("\(value)")
    case (.bool, .int(let value)): return value == 0 ? .bool(false) : value == 1 ? .bool(true) : nil
    case (.bool, .string(let text)): return Bool(text).map { .bool($0) }
    case (.link, .link(let id)): return schema.place(of: id.classID) == target ? value : nil
    case _: return nil
    }
  }
}
