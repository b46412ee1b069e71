import HeraldModel

extension Condition {
  /// The condition with what was written for it.
  func worded(_ wording: Wording) -> Condition {
    switch self {
    case .constant, .function: return self
    case .all(let parts): return .all(parts.map { $0.worded(wording) })
    case .any(let parts): return .any(parts.map { $0.worded(wording) })
    case .not(let inner): return .not(inner.worded(wording))
    case .column(var column):
      column.wording = wording
      return .column(column)
    case .values(var values):
      values.wording = wording
      return .values(values)
    case .pair(var pair):
      pair.wording = wording
      return .pair(pair)
    }
  }

  /// What was written, each part once, in the order in which it is asked.
  var text: String {
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .function: return "a function"
    case .column(let column): return column.wording.text
    case .values(let values): return values.wording.text
    case .pair(let pair): return pair.wording.text
    case .not(let inner):
      // A negation inside what was written is no word of its own.
      return inner.isWhole ? inner.text : "NOT (\(inner.text))"
    case .all(let parts): return parts.joined(by: " AND ") { $0.isAny ? "(\($0.text))" : $0.text }
    case .any(let parts): return parts.joined(by: " OR ") { $0.text }
    }
  }

  private var isAny: Bool {
    if case .any(let parts) = self { Set(parts.map(\.text)).count > 1 } else { false }
  }

  /// Whether a negation of it came from a word such as `!=` or `NONE`, as what was written says.
  private var isWhole: Bool {
    switch self {
    case .column(let column): column.wording.saysNone
    case .values(let values): values.wording.saysNone
    case .pair(let pair): pair.wording.saysNone
    case .any(let parts), .all(let parts): parts.allSatisfy(\.isWhole)
    case .not(let inner): inner.isWhole
    case .constant, .function: false
    }
  }

  /// Both tests of a column as one; nil where it takes two.
  func merged(with other: ColumnCondition) -> Condition? {
    guard case .column(let column) = self, column.property == other.property,
      column.classID == other.classID, let both = column.test.intersection(other.test)
    else { return nil }
    return .column(
      ColumnCondition(
        classID: column.classID, property: column.property, test: both,
        wording: Wording(column.wording.parts + other.wording.parts)))
  }
}

extension Wording {
  /// Whether there is a quantifier in it that says no.
  fileprivate var saysNone: Bool {
    guard parts.count == 1, case .comparison(let comparison) = parts[0].kind else { return false }
    return [comparison.left.quantifier, comparison.right.quantifier].contains(Quantifier.none)
  }
}

extension [Condition] {
  /// Texts with a word between; a text that is there already is left out.
  fileprivate func joined(by word: String, _ text: (Condition) -> String) -> String {
    var texts: [String] = []
    for part in self {
      let text = text(part)
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.joined(separator: word)
  }
}
