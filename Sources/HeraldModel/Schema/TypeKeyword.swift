/// The types that have a word of their own in a class declaration: all but links.
package enum TypeKeyword: String, CaseIterable {
  case bool, int, float, double, string, data, date, decimal, uuid
  case objectID = "objectid"
  case any
}

extension ValueType {
  package init(_ keyword: TypeKeyword) {
    switch keyword {
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .objectID: self = .objectID
    case .any: self = .any
    }
  }
}
