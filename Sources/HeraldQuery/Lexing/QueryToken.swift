import HeraldModel

/// A token of a query.
struct QueryToken {
  enum Kind: Equatable {
    /// A word, which may be a keyword, in either case.
    case word(QueryKeyword?)
    /// `$name`
    case variable
    case string
    /// An unsigned number; the parser converts it once it knows the sign.
    case number
    case date(Timestamp)
    case symbol(QuerySymbol)
    /// A byte that begins no token: the end of the query.
    case other
    /// The end of the line or of the text.
    case end

    /// Whether the token begins a value that is neither a path nor a condition.
    var beginsValue: Bool {
      switch self {
      case .variable, .string, .number, .date, .symbol(.leftBrace), .symbol(.minus): true
      case .word, .symbol, .other, .end: false
      }
    }
  }

  let kind: Kind
  let span: SourceSpan
}

enum QuerySymbol: String {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "&&"
  case or = "||"
  case not = "!"
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBrace = "{"
  case rightBrace = "}"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case plus = "+"
  case minus = "-"
  case star = "*"
  case slash = "/"
  case percent = "%"
  case at = "@"
  case fallback = "??"

  var opensBracket: Bool { self == .leftParenthesis || self == .leftBrace || self == .leftBracket }

  var closesBracket: Bool {
    self == .rightParenthesis || self == .rightBrace || self == .rightBracket
  }

  /// The comparison operator that the symbol is; nil for all others.
  var relation: Relation? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .and, .or, .not, .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace,
      .leftBracket, .rightBracket, .comma, .plus, .minus, .star, .slash, .percent,
      .at, .fallback:
      nil
    }
  }

  var comparesOperands: Bool { relation != nil }
}
