import HeraldModel

extension CollectionOperation {
  /// Returns the result over the values of a path. Ignores nil, and NaN except in sums and averages, which it makes
  /// NaN. For no values, the sum is 0 and every other result nil.
  func apply(to path: OperandPath, of element: ElementType, _ scope: EvaluationScope) -> Value {
    if let value = applyToColumn(at: path, of: element, scope.reader) { return value }
    switch self {
    case .count: return .int(path.count(scope))
    case .min, .max:
      var best = Value.null
      let wanted = self == .min ? -1 : 1
      _ = path.forEachValue(scope) { value in
        guard !value.isNull, value.number?.isNaN != true else { return true }
        if best.isNull || Value.order(value, best).signum() == wanted { best = value }
        return !scope.reader.isInterrupted
      }
      return best
    case .sum, .average:
      var total = ExactSum(of: element)
      _ = path.forEachValue(scope) { value in
        total.add(value)
        return !scope.reader.isInterrupted
      }
      return self == .sum ? total.sum : total.average
    }
  }
}
