import Herald

/// Clauses and options of other languages after what is a whole statement here.
enum ForeignClause {
  /// What to write instead, as the end of a message; nil if the words are none of these.
  ///
  /// - Parameters:
  ///   - words: The words and signs after the statement.
  ///   - query: The text of the statement.
  static func advice(_ words: [String], after query: String) -> String? {
    guard let first = words.first?.lowercased() else { return nil }
    var rest = Array(words.dropFirst())
    if rest.first?.lowercased() == "by" { rest.removeFirst() }
    switch first {
    case "tablesample", "using",
      "order" where rest.first.map(randoms.contains) ?? false:
      return "'sample(\(rest.last { Int($0) != nil } ?? "5"))' is for rows at random"
    case "order", "orderby", "order_by", "sorted", "sortby":
      return "rows are sorted by 'sort(\(content(of: rest)))'"
    case "group", "groupby":
      let name = query.split(separator: " ").first ?? "CLASS"
      return "'group \(name) by \(content(of: rest)) { n: @count }' groups rows"
    case "having": return "'where' after the braces of 'group' is a condition of groups"
    case "join", "inner", "left", "right", "outer", "cross", "natural":
      return "a path follows a link without a join, as in 'owner.name'"
    case "take", "top", "first", "head", "fetch":
      return "'limit(\(rest.first ?? "5"))' is for the first rows"
    case "skip": return "'offset(\(rest.first ?? "5"))' leaves out the first rows"
    case "readonly", "ro", "rdonly", "read", "read_only": return "did you mean 'read-only'?"
    case "filter": return "did you mean 'where'?"
    case _: break
    }
    if let sign = rest.first, comparisons.contains(sign) {
      return "a condition begins with 'where'"
    }
    // A clause of queries after what is no query is no mistyped word.
    return nearestName(to: first, in: QueryParser.clauses).flatMap {
      $0 == first ? nil : "did you mean '\($0)'?"
    }
  }

  private static let comparisons: Set = ["=", "<", ">", "!", "~", "is", "like", "in", "between"]
  private static let randoms: Set = [
    "sample", "random", "rand", "RANDOM", "RAND", "bernoulli", "reservoir",
  ]
  private static let others: Set = ["limit", "offset", "having", "where", ";"]

  /// The words of a clause up to the next one, joined as in a text.
  private static func content(of words: [String]) -> String {
    let words = words.prefix { !others.contains($0.lowercased()) }
    let text = words.joined(separator: " ").replacing(" ,", with: ",")
    return text.isEmpty ? "…" : text.replacing(" . ", with: ".")
  }
}
