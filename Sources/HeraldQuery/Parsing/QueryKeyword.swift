import HeraldModel

/// The keywords of the query language, in either case.
package enum QueryKeyword: String, CaseIterable, Sendable {
  case and, or, not
  case any, some, all, none
  case `in`, between, beginswith, endswith, contains, like, matches
  case truepredicate, falsepredicate
  case `true`, `false`, `nil`, null, inf, infinity, nan
  case `where`, sort, distinct, limit, offset, sample
  case asc, ascending, desc, descending
  case subquery, binary, uuid, oid, obj

  /// nil if the bytes of a word are not a keyword, in either case.
  init?(_ word: ArraySlice<UInt8>) {
    guard let first = word.first, first & 0x5F >= UInt8(ascii: "A"),
      first & 0x5F <= UInt8(ascii: "Z")
    else { return nil }
    let candidates = QueryKeyword.byInitial[Int(first & 0x1F)]
    guard
      let found = candidates.first(where: {
        $0.bytes.count == word.count && zip($0.bytes, word).allSatisfy { $0 == $1 | 0x20 }
      })
    else { return nil }
    self = found.keyword
  }

  /// The keywords that begin with a letter, by its number in the alphabet.
  private static let byInitial: [[(bytes: [UInt8], keyword: QueryKeyword)]] = {
    var keywords = [[(bytes: [UInt8], keyword: QueryKeyword)]](repeating: [], count: 32)
    for keyword in allCases {
      let bytes = Array(keyword.rawValue.utf8)
      keywords[Int(bytes[0] & 0x1F)].append((bytes, keyword))
    }
    return keywords
  }()

  /// An operator between two operands.
  enum Operator: Equatable {
    case relation(Relation)
    /// `IN`
    case membership
    case between
  }

  /// What the word does in a query.
  enum Role {
    case comparison(Operator)
    /// Joins two predicates.
    case connective
    /// Begins a predicate or an operand of one.
    case beginning
    /// Stands for a value, even if an operator follows it.
    case literal(Value)
    /// Begins a clause, with what its parentheses must have.
    case clause(ClauseContent)
    /// A part of a literal, or a word of a clause.
    case other
  }

  /// What a clause says of the rows, and the stage that it becomes.
  package enum ClauseContent: Sendable {
    /// A predicate without parentheses: the only clause that is no stage, since it says which objects are rows at all.
    case condition
    /// Expressions of the row, with directions.
    case keys(@Sendable (SortOrder) -> QueryStage)
    /// Expressions of the row.
    case values(@Sendable (SortOrder) -> QueryStage)
    /// A number of rows.
    case count(@Sendable (Int) -> QueryStage)
  }

  var role: Role {
    switch self {
    case .in: .comparison(.membership)
    case .between: .comparison(.between)
    case .beginswith: .comparison(.relation(.beginsWith))
    case .endswith: .comparison(.relation(.endsWith))
    case .contains: .comparison(.relation(.contains))
    case .like: .comparison(.relation(.like))
    case .matches: .comparison(.relation(.matches))
    case .and, .or: .connective
    case .not, .any, .some, .all, .none, .truepredicate, .falsepredicate, .subquery: .beginning
    case .true: .literal(.bool(true))
    case .false: .literal(.bool(false))
    case .nil, .null: .literal(.null)
    case .inf, .infinity: .literal(.double(.infinity))
    case .nan: .literal(.double(.nan))
    case .where: .clause(.condition)
    case .sort: .clause(.keys { .sort($0) })
    case .distinct: .clause(.values { .distinct($0) })
    case .limit: .clause(.count { .limit($0) })
    case .offset: .clause(.count { .offset($0) })
    case .sample: .clause(.count { .sample($0, .shuffled(seed: .random(in: 0...UInt64.max))) })
    case .asc, .ascending, .desc, .descending, .binary, .uuid, .oid, .obj: .other
    }
  }

  /// Whether the word begins a predicate.
  var beginsPredicate: Bool { if case .beginning = role { true } else { false } }

  /// The binary operator that the word is; nil for all others.
  var comparison: Operator? { if case .comparison(let found) = role { found } else { nil } }

  /// Whether the word is a binary operator.
  var isOperator: Bool { comparison != nil }

  /// The value that the word is, even if an operator follows it; nil if it is none.
  var value: Value? { if case .literal(let value) = role { value } else { nil } }

  /// What the clause that the word begins has; nil for all other words.
  var clause: ClauseContent? { if case .clause(let content) = role { content } else { nil } }

  /// The quantifier that the word is before an operand; nil for all other words.
  var quantifier: Quantifier? {
    self == .any || self == .some
      ? .any : self == .all ? .all : self == .none ? Quantifier.none : nil
  }

  /// Whether the word before a parenthesis begins an operand.
  var isCall: Bool { self == .subquery || self == .obj || CallLiteral(self) != nil }

  /// Whether groups have the clause.
  var isOfGroups: Bool { self != .distinct && self != .sample }

  /// The words that begin clauses, in the order in which they are offered.
  package static let clauses = allCases.filter { $0.clause != nil }
  /// Those that begin stages.
  static let stages = clauses.filter { $0 != .where }

  /// The word as it is printed: operators and connectives in capital letters.
  var printed: String {
    switch role {
    case .comparison, .connective, .beginning: rawValue.uppercased()
    case .literal, .clause, .other: rawValue
    }
  }
}
