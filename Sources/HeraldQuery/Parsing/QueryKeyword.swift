/// The keywords of the query language, in either case.
enum QueryKeyword: String, CaseIterable {
  case and, or, not
  case any, some, all, none
  case `in`, between, beginswith, endswith, contains, like, matches
  case truepredicate, falsepredicate
  case `true`, `false`, `nil`, null, inf, infinity, nan
  case `where`, sort, distinct, limit, offset
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

  /// What the word does in a predicate.
  enum Role: Equatable {
    case comparison(Operator)
    /// Joins two predicates.
    case connective
    /// Begins a predicate or an operand of one.
    case beginning
    /// A literal or a part of one, or a word of a clause.
    case other
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
    case .true, .false, .nil, .null, .inf, .infinity, .nan, .where, .sort, .distinct, .limit,
      .offset,
      .asc,
      .ascending, .desc, .descending, .binary, .uuid, .oid, .obj:
      .other
    }
  }

  /// Whether the word begins a predicate.
  var beginsPredicate: Bool { role == .beginning }

  /// The binary operator that the word is; nil for all others.
  var comparison: Operator? { if case .comparison(let found) = role { found } else { nil } }

  /// Whether the word is a binary operator.
  var isOperator: Bool { comparison != nil }

  /// The word as it is printed: operators and connectives in capital letters.
  var printed: String { role == .other ? rawValue : rawValue.uppercased() }
}
