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
  var text: String { spelling.text }

  /// The text, and whether it is several alternatives, which stand in parentheses among conjuncts.
  private var spelling: (text: String, isAny: Bool) {
    switch self {
    case .constant(let value): return (value ? "TRUEPREDICATE" : "FALSEPREDICATE", false)
    case .function: return ("a function", false)
    case .column(let column): return (column.wording.text, false)
    case .values(let values): return (values.wording.text, false)
    case .pair(let pair): return (pair.wording.text, false)
    case .not(let inner):
      // A negation inside what was written is no word of its own.
      return (inner.isWhole ? inner.text : "NOT (\(inner.text))", false)
    case .all(let parts):
      let texts = parts.map { part in
        let (text, isAny) = part.spelling
        return isAny ? "(\(text))" : text
      }
      return (texts.withoutRepetition.joined(separator: " AND "), false)
    case .any(let parts):
      let texts = parts.map(\.text).withoutRepetition
      return (texts.joined(separator: " OR "), texts.count > 1)
    }
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

  /// Takes a span of the same column in; false, and nothing is changed, where it takes two tests.
  mutating func narrow(by other: ColumnCondition) -> Bool {
    guard case .column(var column) = self, column.property == other.property,
      column.classID == other.classID, let both = column.test.intersection(other.test)
    else { return false }
    // The words have one owner again, so that adding to them copies none.
    self = .constant(true)
    column.test = both
    column.wording.append(other.wording)
    self = .column(column)
    return true
  }
}

extension Wording {
  /// Whether there is a quantifier in it that says no.
  fileprivate var saysNone: Bool {
    guard parts.count == 1, case .comparison(let comparison) = parts[0].kind else { return false }
    return [comparison.left.quantifier, comparison.right.quantifier].contains(Quantifier.none)
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it first stands.
  var withoutRepetition: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
