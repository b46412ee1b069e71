/// One step into a nested value: the row of a list or the key of a map.
public enum ValueStep: Hashable, Sendable {
  /// An element of a list.
  case row(Int)
  /// The value of a key.
  case key(String)

  /// Compares keys by their Unicode scalars.
  public static func == (a: ValueStep, b: ValueStep) -> Bool {
    switch (a, b) {
    case (.row(let a), .row(let b)): a == b
    case (.key(let a), .key(let b)): a.hasSameBytes(as: b)
    case (.row, .key), (.key, .row): false
    }
  }

  /// Equal steps have one hash value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .row(let row): hasher.combine(row)
    case .key(let key): hasher.combine(MapKey(key))
    }
  }

  package var isKey: Bool { if case .key = self { true } else { false } }
}

extension Value {
  /// Returns the nested value at some steps; nil if there is none.
  package func part(at steps: some Sequence<ValueStep>) -> Value? {
    var part = self
    for step in steps {
      switch (step, part) {
      case (.row(let row), .list(let values)) where values.indices.contains(row): part = values[row]
      case (.key(let key), .map(let entries)):
        guard let value = entries[key] else { return nil }
        part = value
      case (_, _): return nil
      }
    }
    return part
  }

  /// Returns the value with the nested value at some steps replaced; unchanged if there is none.
  package func replacingNested(at steps: ArraySlice<ValueStep>, with new: Value) -> Value {
    guard let step = steps.first else { return new }
    switch (step, self) {
    case (.row(let row), .list(var values)) where values.indices.contains(row):
      values[row] = values[row].replacingNested(at: steps.dropFirst(), with: new)
      return .list(values)
    case (.key(let key), .map(var entries)):
      guard let old = entries[key] else { return self }
      entries[key] = old.replacingNested(at: steps.dropFirst(), with: new)
      return .map(entries)
    case (_, _): return self
    }
  }

  /// The number of elements of a list or a map; nil for other values.
  package var nestedCount: Int? {
    switch self {
    case .list(let values): values.count
    case .map(let entries): entries.count
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      nil
    }
  }
}
