import HeraldModel
import HeraldQuery

// How values compare, and what is made of many.

extension QueryTwin {
  /// A literal that meets a float does so at float precision.
  func adapted(
    _ value: Value, _ own: ExpressionSyntax? = nil, for other: ExpressionSyntax, _ object: ObjectID
  ) -> Value {
    if let own, !own.isConstant { return value }
    guard case .path(let path) = other.kind, case .name("weight")? = path.steps.last?.kind,
      let number = double(value)
    else { return value }
    if path.steps.contains(where: {
      if case .operation(let o) = $0.kind { o != .min && o != .max } else { false }
    }) {
      return value
    }
    return .float(Float(number))
  }

  func compare(_ a: Value, _ relation: Relation, _ b: Value, _ folds: Bool) -> Bool {
    switch relation {
    case .equal: return isEqual(a, b, folds)
    case .notEqual: return !isEqual(a, b, folds)
    case .less: return isLess(a, b, folds)
    case .greater: return isLess(b, a, folds)
    case .lessOrEqual: return isLess(a, b, folds) || (isEqual(a, b, folds) && isOrdered(a))
    case .greaterOrEqual: return isLess(b, a, folds) || (isEqual(a, b, folds) && isOrdered(a))
    case .beginsWith, .endsWith, .contains, .like: return search(a, relation, b, folds)
    }
  }

  func isOrdered(_ value: Value) -> Bool {
    switch value {
    case .null, .link: false
    default: true
    }
  }

  func isEqual(_ a: Value, _ b: Value, _ folds: Bool) -> Bool {
    if let (x, y) = numbers(a, b) { return x == y }
    if case .string(let x) = a, case .string(let y) = b {
      return scalars(x, folds).elementsEqual(scalars(y, folds))
    }
    return a == b
  }

  func isLess(_ a: Value, _ b: Value, _ folds: Bool) -> Bool {
    if let (x, y) = numbers(a, b) { return x < y }
    switch (a, b) {
    case (.string(let x), .string(let y)):
      return scalars(x, folds).lexicographicallyPrecedes(scalars(y, folds))
    case (.date(let x), .date(let y)): return x < y
    case (.bool(let x), .bool(let y)): return !x && y
    case (.data(let x), .data(let y)): return x.lexicographicallyPrecedes(y)
    default: return false
    }
  }

  /// Two numbers: with decimals few enough digits are compared that doubles distinguish them, but a
  /// float meets one with its own digits.
  private func numbers(_ a: Value, _ b: Value) -> (Double, Double)? {
    switch (a, b) {
    case (.float(let x), .decimal(let y)): return (Double("\(x)") ?? .nan, Double(y))
    case (.decimal(let x), .float(let y)): return (Double(x), Double("\(y)") ?? .nan)
    default:
      guard let x = double(a), let y = double(b) else { return nil }
      return (x, y)
    }
  }

  /// Character by character: one whose lower case is several has none.
  private func scalars(_ text: String, _ folds: Bool) -> [Unicode.Scalar] {
    text.unicodeScalars.map { scalar in
      let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
      return folds && lower.count == 1 ? lower[0] : scalar
    }
  }

  func search(_ a: Value, _ relation: Relation, _ b: Value, _ folds: Bool) -> Bool {
    guard case .string(let pattern) = b else { return relation == .like ? a.isNull : true }
    guard case .string(let text) = a else { return false }
    let (needle, hay) = (scalars(pattern, folds), scalars(text, folds))
    switch relation {
    case .beginsWith: return hay.starts(with: needle)
    case .endsWith: return hay.reversed().starts(with: needle.reversed())
    case .contains:
      return (0...hay.count).contains { hay[$0...].starts(with: needle) }
    default: return like(hay[...], needle[...])
    }
  }

  func like(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return like(text, rest) || (!text.isEmpty && like(text.dropFirst(), pattern))
    }
    return !text.isEmpty && (first == "?" || first == text.first) && like(text.dropFirst(), rest)
  }

  func aggregate(_ operation: CollectionOperation, _ values: [Value]) -> Value {
    let present = values.filter { !$0.isNull }
    switch operation {
    case .count: return .int(values.count)
    case .min: return present.min { compare($0, .less, $1, false) } ?? .null
    case .max: return present.max { compare($0, .less, $1, false) } ?? .null
    case .sum:
      let isInt = present.allSatisfy { if case .int = $0 { true } else { false } }
      let sum = present.compactMap(double).reduce(0, +)
      return isInt ? .int(Int(sum)) : .double(sum)
    case .average:
      let sum = present.compactMap(double).reduce(0, +)
      return present.isEmpty ? .null : .double(sum / Double(present.count))
    }
  }
}

extension ExpressionSyntax {
  /// Whether a literal or a list of them is here.
  fileprivate var isConstant: Bool {
    switch kind {
    case .literal, .list: true
    case .path(let path): if case .variable = path.start { path.steps.isEmpty } else { false }
    case .arithmetic, .subquery, .record, .generated, .query, .test, .projection: false
    }
  }
}
