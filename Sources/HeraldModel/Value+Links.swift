extension Value {
  /// Calls `body` with every object that the value links to, also from inside lists and maps.
  package func forEachLink(_ body: (ObjectID) throws -> Void) rethrows {
    switch self {
    case .link(let target): try body(target)
    case .list(let values): for value in values { try value.forEachLink(body) }
    case .map(let entries): for value in entries.values { try value.forEachLink(body) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      break
    }
  }

  /// The value without its links to `object`: a row of a list that is one goes, the value of a key
  /// becomes nil, and so does a value that is nothing but the link.
  package func unlinked(from object: ObjectID) -> Value {
    switch self {
    case .link(let target): target == object ? .null : self
    case .list(let values):
      .list(values.filter { $0 != .link(object) }.map { $0.unlinked(from: object) })
    case .map(let entries): .map(entries.mapValues { $0.unlinked(from: object) })
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      self
    }
  }
}
