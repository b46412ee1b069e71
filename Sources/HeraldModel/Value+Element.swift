extension Value {
  /// The type of the value; nil where it has none of its own: nil, lists and maps.
  package var element: ElementType? {
    switch self {
    case .null, .list, .map: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .decimal: .decimal
    case .uuid: .uuid
    case .objectID: .objectID
    case .link(let object): .link(object.classID)
    }
  }
}
