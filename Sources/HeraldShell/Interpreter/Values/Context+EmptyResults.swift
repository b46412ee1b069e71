import Herald

/// Remarks on queries without rows, whose predicates perhaps do not mean what they were written for.
extension Context {
  func remark(on expression: ExpressionSyntax, count: Int) {
    guard case .query(let query) = expression.kind else { return }
    remark(on: query, count: count)
  }

  /// Writes a remark to a terminal if the query has no rows.
  func remark(on query: QuerySyntax, count: Int) {
    guard count == 0, shell.window != nil, shell.mode == .text || shell.mode == .line,
      let predicate = query.tail?.predicate
    else { return }
    let className: String? = if case .className(let name) = query.origin { name.text } else { nil }
    let properties =
      className.flatMap { session.store?.schema.classSchema(named: $0)?.properties } ?? []
    for remark in predicate.remarks(properties.map(\.name)) {
      shell.output.write(line: "hint: \(remark)")
    }
  }
}

extension PredicateSyntax {
  /// What is probably not meant in a predicate over objects with some properties.
  fileprivate func remarks(_ properties: [String]) -> [String] {
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
  fileprivate var text: String? {
    if case .literal(.string(let text)) = kind { text } else { nil }
  }
}
