import Herald

extension Value {
  /// Whether an object is in the value, or inside one of its parts.
  var leadsToObjects: Bool {
    switch self {
    case .link: true
    case .list(let values): values.contains(where: \.leadsToObjects)
    case .map(let entries): entries.values.contains(where: \.leadsToObjects)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      false
    }
  }
}
