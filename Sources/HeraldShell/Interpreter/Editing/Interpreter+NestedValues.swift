import Herald

extension Interpreter {
  /// Changes a nested value: reads the whole, changes it and assigns it again. `body` returns the new
  /// nested value for the old one, nil to remove it.
  func changeNestedValue(
    _ target: AssignmentTarget, _ context: Context, _ body: (Value) throws -> Value?
  ) throws {
    let old: Value
    switch target.holder {
    case .property(let object, let name): old = try object.value(name.text)
    case .newProperty(let object, let name): old = try object.content(name.text).value
    case .projected(let projection, let name): old = try projection.value(name.text)
    case .row(let list, let row, _): old = try list[row]
    case .key(let map, let key): old = map.value(forKey: key) ?? .null
    }
    let new = try changed(old, target.nestedSteps[...], context, body) ?? .null
    switch target.holder {
    case .property(let object, let name): try object.set(name.text, to: .value(new))
    case .newProperty(let object, let name):
      let content = try object.content(name.text)
      try object.set(
        name.text, to: content.isSingleValue ? .value(new) : PropertyContent(elements: new))
    case .projected(let projection, let name): try projection.set(name.text, to: new)
    case .row(let list, let row, _): try list.replace(at: row, with: new)
    case .key(let map, let key): try map.set(key, to: new)
    }
  }

  private func changed(
    _ whole: Value, _ steps: ArraySlice<AssignmentTarget.NestedStep>, _ context: Context,
    _ body: (Value) throws -> Value?
  ) throws -> Value? {
    guard let first = steps.first else { return try body(whole) }
    switch (first.step, whole) {
    case (.key(let key), .map(var entries)):
      entries[key] = try changed(entries[key] ?? .null, steps.dropFirst(), context, body)
      return .map(entries)
    case (.row(let row), .list(var values)):
      guard values.indices.contains(row) else {
        throw ShellError(
          .library(.rowOutOfRange(row, count: values.count)), context.source, first.span)
      }
      if let value = try changed(values[row], steps.dropFirst(), context, body) {
        values[row] = value
      } else {
        values.remove(at: row)
      }
      return .list(values)
    case (_, _):
      throw ShellError(
        .notAssignable(context.source.text(first.span)), context.source, first.span)
    }
  }
}

extension PropertyContent {
  /// The content as a single value, as in an `any`.
  var value: Value {
    switch self {
    case .value(let value): value
    case .list(let values): .list(values)
    case .map(let entries): .map(entries)
    }
  }

  /// Whether the holder is a property with a single value.
  fileprivate var isSingleValue: Bool {
    switch self {
    case .value: true
    case .list, .map: false
    }
  }

  /// The content of a collection, from a value that contains its elements.
  fileprivate init(elements value: Value) {
    switch value {
    case .list(let values): self = .list(values)
    case .map(let entries): self = .map(entries)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      self = .value(value)
    }
  }
}
