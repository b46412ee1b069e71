extension ValueType where Link == ClassID {
  /// Asked for every value that is written: the derived comparison is generic, and makes its types
  /// at run time wherever it is called from another module.
  public static func == (left: ElementType, right: ElementType) -> Bool {
    switch (left, right) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.decimal, .decimal), (.uuid, .uuid),
      (.objectID, .objectID), (.any, .any):
      true
    case (.link(let left), .link(let right)): left == right
    case (_, _): false
    }
  }
}
