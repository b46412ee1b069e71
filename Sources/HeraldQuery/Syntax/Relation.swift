/// How two values are compared.
package enum Relation: String, CaseIterable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"

  /// The relation with its sides swapped; nil if there is none.
  var flipped: Relation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .beginsWith, .endsWith, .contains, .like, .matches: nil
    }
  }

  /// What a relation needs of the values that it compares.
  package enum Family {
    case equality, order, text
  }

  package var family: Family {
    switch self {
    case .equal, .notEqual: .equality
    case .less, .lessOrEqual, .greater, .greaterOrEqual: .order
    case .beginsWith, .endsWith, .contains, .like, .matches: .text
    }
  }

  /// Whether the relation searches in text.
  var searchesText: Bool { family == .text }

  var isEquality: Bool { family == .equality }
}
