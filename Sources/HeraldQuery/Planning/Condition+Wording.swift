import HeraldModel

extension Condition {
  /// Returns the condition with its source syntax attached.
  func withSource(_ wording: ConditionSource) -> Condition { withSources { _ in wording } }

  /// Returns the condition with its sources as text.
  var compacted: Condition { withSources(\.compacted) }

  /// Returns the condition with what `change` makes of its sources.
  private func withSources(_ change: (ConditionSource) -> ConditionSource) -> Condition {
    switch self {
    case .constant, .function: return self
    case .all(let parts): return .all(parts.map { $0.withSources(change) })
    case .any(let parts): return .any(parts.map { $0.withSources(change) })
    case .not(let inner): return .not(inner.withSources(change))
    case .column(var column):
      column.wording = change(column.wording)
      return .column(column)
    case .values(var values):
      values.wording = change(values.wording)
      return .values(values)
    case .pair(var pair):
      pair.wording = change(pair.wording)
      return .pair(pair)
    }
  }

  /// The source text, each part once, in the order of evaluation.
  var text: String { spelling.text }

  /// The text, and whether it is a disjunction, which needs parentheses in a conjunction.
  private var spelling: (text: String, isAny: Bool) {
    switch self {
    case .constant(let value): return (value ? "TRUEPREDICATE" : "FALSEPREDICATE", false)
    case .function: return ("a function", false)
    case .column(let column): return (column.wording.text, false)
    case .values(let values): return (values.wording.text, false)
    case .pair(let pair): return (pair.wording.text, false)
    case .not(let inner):
      // The source text already expresses the negation.
      return (inner.isWhole ? inner.text : "NOT (\(inner.text))", false)
    case .all(let parts):
      let texts = parts.map { part in
        let (text, isAny) = part.spelling
        return isAny ? "(\(text))" : text
      }
      return (texts.withoutDuplicates.joined(separator: " AND "), false)
    case .any(let parts):
      let texts = parts.map(\.text).withoutDuplicates
      return (texts.joined(separator: " OR "), texts.count > 1)
    }
  }

  /// Whether a negation of the condition came from a quantifier such as `NONE`, which its source text
  /// contains.
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

  /// Intersects with an interval of the same column; returns false, without a change, if one test cannot
  /// express both.
  mutating func narrow(by other: ColumnCondition) -> Bool {
    guard case .column(var column) = self, column.property == other.property,
      column.classID == other.classID, let both = column.test.intersection(other.test)
    else { return false }
    // Releases the enum's reference, so that appending does not copy the array.
    self = .constant(true)
    column.test = both
    column.wording.append(other.wording)
    self = .column(column)
    return true
  }
}

extension Array where Element: Hashable {
  /// The elements without duplicates, in order of first occurrence.
  var withoutDuplicates: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
