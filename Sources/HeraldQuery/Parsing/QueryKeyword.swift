/// The keywords of the query language, in either case.
enum QueryKeyword: String, CaseIterable {
  case and, or, not
  case any, some, all, none
  case `in`, between, beginswith, endswith, contains, like
  case truepredicate, falsepredicate
  case `true`, `false`, `nil`, null, inf, infinity, nan
  case `where`, sort, distinct, limit
  case asc, ascending, desc, descending
  case subquery, binary, uuid, oid, obj

  init?(word: String) { self.init(rawValue: word.lowercased()) }

  /// Whether the word is a binary operator.
  var isOperator: Bool {
    switch self {
    case .in, .between, .beginswith, .endswith, .contains, .like: true
    case .and, .or, .not, .any, .some, .all, .none, .truepredicate, .falsepredicate, .true, .false,
      .nil, .null, .inf, .infinity, .nan, .where, .sort, .distinct, .limit, .asc, .ascending,
      .desc, .descending, .subquery, .binary, .uuid, .oid, .obj:
      false
    }
  }
}
