import Herald

extension Interpreter {
  /// Changes a part of a value: the whole is read, changed and given back. `body` answers the new
  /// part for the old one, nil to take it out.
  func changeInside(
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
    let new = try changed(old, target.inside[...], context, body) ?? .null
    switch target.holder {
    case .property(let object, let name): try object.set(name.text, to: .value(new))
    case .newProperty(let object, let name):
      let content = try object.content(name.text)
      try object.set(name.text, to: content.isWhole ? .value(new) : PropertyContent(parts: new))
    case .projected(let projection, let name): try projection.set(name.text, to: new)
    case .row(let list, let row, _): try list.replace(at: row, with: new)
    case .key(let map, let key): try map.set(key, to: new)
    }
  }

  private func changed(
    _ whole: Value, _ steps: ArraySlice<AssignmentTarget.Inside>, _ context: Context,
    _ body: (Value) throws -> Value?
  ) throws -> Value? {
    guard let inside = steps.first else { return try body(whole) }
    switch (inside.step, whole) {
    case (.key(let key), .map(var entries)):
      entries[key] = try changed(entries[key] ?? .null, steps.dropFirst(), context, body)
      return .map(entries)
    case (.row(let row), .list(var values)):
      guard values.indices.contains(row) else {
        throw ShellError(
          .library(.rowOutOfRange(row, count: values.count)), context.source, inside.span)
      }
      if let part = try changed(values[row], steps.dropFirst(), context, body) {
        values[row] = part
      } else {
        values.remove(at: row)
      }
      return .list(values)
    case (_, _):
      throw ShellError(
        .notAssignable(context.source.text(inside.span)), context.source, inside.span)
    }
  }
}

extension PropertyContent {
  /// The content as one value, as an `any` would hold it.
  var value: Value {
    switch self {
    case .value(let value): value
    case .list(let values): .list(values)
    case .map(let entries): .map(entries)
    }
  }

  /// Whether a single property holds it.
  fileprivate var isWhole: Bool {
    switch self {
    case .value: true
    case .list, .map: false
    }
  }

  /// The content of a collection whose elements stand in one value.
  fileprivate init(parts value: Value) {
    switch value {
    case .list(let values): self = .list(values)
    case .map(let entries): self = .map(entries)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      self = .value(value)
    }
  }
}
