import Herald

extension PredicateSyntax {
  /// What is probably not meant in a predicate over objects with some properties.
  func remarks(_ properties: [String]) -> [String] {
    switch kind {
    case .constant, .condition, .between: []
    case .not(let inner): inner.remarks(properties)
    case .and(let parts), .or(let parts): parts.flatMap { $0.remarks(properties) }
    case .comparison(let comparison): comparison.remarks(properties)
    }
  }
}

extension PredicateSyntax.Comparison {
  fileprivate func remarks(_ properties: [String]) -> [String] {
    var remarks: [String] = []
    if relation == .like, let pattern = right.text, pattern.contains("%"), !pattern.contains("*") {
      remarks.append(
        "in LIKE '*' stands for any text, and '%' for itself: \(pattern.replacing("%", with: "*").quoted)"
      )
    }
    if let name = left.text, right.text != nil, properties.contains(name) {
      remarks.append("\(name.quoted) is a text; a property is written without quotes: \(name)")
    }
    return remarks
  }
}

extension ExpressionSyntax {
  /// The text of a literal string; nil for anything else.
  fileprivate var text: String? { if case .literal(.string(let text)) = kind { text } else { nil } }
}
