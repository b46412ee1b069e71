import HeraldModel

/// A token of a query.
struct QueryToken {
  enum Kind: Equatable {
    case word(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    case string(String)
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
  case at = "@"

  var opensBracket: Bool { self == .leftParenthesis || self == .leftBrace || self == .leftBracket }

  var closesBracket: Bool {
    self == .rightParenthesis || self == .rightBrace || self == .rightBracket
  }

  /// Whether the symbol is a comparison operator.
  var comparesOperands: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .and, .or, .not, .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace,
      .leftBracket, .rightBracket, .comma, .plus, .minus, .star, .slash, .at:
      false
    }
  }
}

/// Spellings, longest first, so that `=>` is not read as `=`.
let querySymbolSpellings: [(bytes: [UInt8], symbol: QuerySymbol)] = {
  let spellings: [(String, QuerySymbol)] = [
    ("==", .equal), ("=>", .greaterOrEqual), ("=<", .lessOrEqual), ("!=", .notEqual),
    ("<>", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("&&", .and), ("||", .or),
    ("=", .equal), ("<", .less), (">", .greater), ("!", .not), ("(", .leftParenthesis),
    (")", .rightParenthesis), ("{", .leftBrace), ("}", .rightBrace), ("[", .leftBracket),
    ("]", .rightBracket), (",", .comma), ("+", .plus), ("-", .minus), ("*", .star),
    ("/", .slash), ("@", .at),
  ]
  return spellings.map { (Array($0.0.utf8), $0.1) }
}()
