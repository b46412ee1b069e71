/// Words and signs that other query languages have for operators, and what stands for them here.
enum ForeignOperator {
  /// What to write instead of a word or a sign after an operand, as the end of a sentence; nil if it is none of these.
  ///
  /// - Parameters:
  ///   - left: The text of the operand.
  ///   - words: The words after it, the operator itself first.
  static func advice(after left: String, _ words: [String]) -> String? {
    let words = words.map { $0.lowercased() }
    guard let first = words.first else { return nil }
    switch first {
    case "is": return adviceAboutIs(left, Array(words.dropFirst()))
    case "isnull": return "'\(left) == nil' finds what is missing"
    case "notnull": return "'\(left) != nil' finds what is not missing"
    case "not", "isnot":
      let name = words.count > 1 ? words[1].uppercased() : "LIKE"
      return "NOT stands before the comparison, as in 'NOT \(left) \(name) …'"
    case _: return counterparts[first].map { "did you mean '\($0)'?" }
    }
  }

  private static func adviceAboutIs(_ left: String, _ words: [String]) -> String {
    let isNegated = words.first == "not"
    let missing: Set = ["null", "nil", "none", "undefined", "missing", "empty"]
    guard let value = words.dropFirst(isNegated ? 1 : 0).first, missing.contains(value) else {
      return isNegated ? "'!=' compares" : "'==' compares"
    }
    return isNegated
      ? "'\(left) != nil' finds what is not missing" : "'\(left) == nil' finds what is missing"
  }

  private static let counterparts = [
    "eq": "==", "equals": "==", "equal": "==", "ne": "!=", "neq": "!=", "gt": ">", "lt": "<",
    "gte": ">=", "ge": ">=", "lte": "<=", "le": "<=", "div": "/", "mod": "%",
    "ilike": "LIKE[c]", "icontains": "CONTAINS[c]", "regexp": "MATCHES", "rlike": "MATCHES",
    "regex": "MATCHES", "similar": "MATCHES", "glob": "LIKE", "match": "MATCHES",
    "~": "MATCHES", "startswith": "BEGINSWITH", "starts": "BEGINSWITH", "begins": "BEGINSWITH",
    "hasprefix": "BEGINSWITH", "ends": "ENDSWITH", "hassuffix": "ENDSWITH", "has": "CONTAINS",
    "includes": "CONTAINS", "include": "CONTAINS", "containing": "CONTAINS",
  ]
}
