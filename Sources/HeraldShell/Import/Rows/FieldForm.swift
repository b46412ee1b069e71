import Herald

/// How the fields of a column are read; a trivial type, so that reading a row retains no object.
struct FieldForm {
  let index: Int
  /// Whether fields are mostly read without making a string of them.
  let isPlain: Bool
  let element: ElementType
  let isOptional: Bool

  init(_ type: PropertyType, index: Int) {
    self.index = index
    isPlain = type.shape == .single && type.element.isPlain
    element = type.element
    isOptional = type.isOptional
  }

  /// Whether a field without a text is nil.
  func isNil(isQuoted: Bool) -> Bool { isOptional && !(isQuoted && element.keepsEmptyText) }
}

extension ElementType {
  /// Whether an empty text in quotes is a value, rather than nil.
  var keepsEmptyText: Bool {
    switch self {
    case .string, .data, .any, .link: true
    case .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID: false
    }
  }

  /// Whether a value is neither a link nor of any type.
  fileprivate var isPlain: Bool {
    switch self {
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: true
    case .link, .any: false
    }
  }
}
