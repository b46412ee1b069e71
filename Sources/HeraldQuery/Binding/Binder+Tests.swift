import HeraldModel

extension Binder {
  /// Returns the test of one value against the constants on the right. An `any` that holds a list is
  /// compared with a whole list.
  func wholeTest(
    _ left: BoundOperand, _ relation: Relation, _ right: BoundOperand, foldsCase: Bool
  ) -> ElementTest {
    let test = test(left, relation, right, foldsCase: foldsCase)
    guard let constants = right.constants, left.element == .any, left.quantifier == nil,
      right.quantifier == nil, !left.isCollection, !relation.searchesText
    else { return test }
    return .whole(relation, constants, foldsCase: foldsCase, otherwise: test)
  }

  func test(
    _ left: BoundOperand, _ relation: Relation, _ right: BoundOperand, foldsCase: Bool
  ) -> ElementTest {
    if let constant = right.constant {
      return test(left, relation, constant, foldsCase: foldsCase)
    }
    let constants = right.constants ?? []
    let quantifier = right.quantifier ?? .any
    if quantifier == .any, relation == .equal, !foldsCase, !left.isDynamic, !left.isTypes,
      let element = left.element, element.hasColumnTests,
      let test = ColumnTest.membership(
        element, constants.filter { $0.isComparable(with: element) && !$0.isNewObject })
    {
      return .column(test)
    }
    let tests = constants.map { test(left, relation, $0, foldsCase: foldsCase) }
    switch quantifier {
    case .any: return .any(tests)
    case .all: return .all(tests)
    case .none: return .not(.any(tests))
    }
  }

  func test(
    _ left: BoundOperand, _ relation: Relation, _ constant: Value, foldsCase: Bool
  ) -> ElementTest {
    if relation == .matches, left.element == .string {
      return matchesTest(constant, foldsCase: foldsCase)
    }
    if left.isTypes, case .string(let text) = constant, let name = TypeName(rawValue: text) {
      return .type(relation, name)
    }
    // An object that is not in the store equals none that is.
    if case .link(let object) = constant, object.number < 0, !left.isConstant {
      return .constant(relation == .notEqual)
    }
    if let element = left.element, !constant.isComparable(with: element) {
      return .constant(relation == .notEqual)
    }
    guard let element = left.element, !left.isDynamic, element.hasColumnTests else {
      if left.element == .any, let forms = NumberForms(constant) {
        return .number(relation, forms)
      }
      return .relation(relation, constant, foldsCase: foldsCase)
    }
    if let test = ColumnTest.comparing(element, relation, constant, foldsCase: foldsCase) {
      return .column(test)
    }
    // Only nil remains: every text contains it, it is like itself, and it is unordered.
    if relation == .like { return .column(.isNull(true)) }
    return .constant(relation.searchesText)
  }

  /// The test of `MATCHES` against a pattern that was checked before.
  private func matchesTest(_ constant: Value, foldsCase: Bool) -> ElementTest {
    guard case .string(let pattern) = constant else { return .column(.isNull(true)) }
    guard let compiled = try? RegexPattern.compiled(pattern, foldsCase: foldsCase) else {
      return .constant(false)
    }
    return .column(.bytes(null: false) { compiled.matches($0) })
  }

  // MARK: Indexes

  /// Returns the keys under which an index of an `any` has the values equal to these; nil if it cannot
  /// find them.
  func lookups(_ values: [Value?]?) -> [Value]? {
    guard let values else { return nil }
    var all: [Value] = []
    for value in values {
      guard let value, let forms = lookups(value) else { return nil }
      all += forms
    }
    return all
  }

  private func lookups(_ value: Value) -> [Value]? {
    switch value {
    case .list, .map: return nil
    case .link(let object) where object.number < 0: return nil
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      guard let number = value.number else { return [value] }
      return NumberForms(value)?.all ?? number.asInteger.map(\.allForms)
    }
  }
}

extension Number {
  /// The int of the same value; nil if there is none.
  var asInteger: Int? {
    switch self {
    case .integer(let value): value
    case .floating(let value): Int(exactly: value)
    case .decimal(let value): Int(exactly: value)
    }
  }
}

extension Int {
  /// The number in every numeric type that represents it exactly.
  fileprivate var allForms: [Value] {
    var forms: [Value] = [.int(self), .decimal(Decimal128(self))]
    if let double = Double(exactly: self) { forms.append(.double(double)) }
    if let float = Float(exactly: self) { forms.append(.float(float)) }
    return forms
  }
}

extension Value {
  fileprivate var isNewObject: Bool {
    if case .link(let object) = self { object.number < 0 } else { false }
  }

  /// Returns whether the value is comparable with values of a type; nil is with all.
  fileprivate func isComparable(with element: ElementType) -> Bool {
    ElementType(of: self)?.isComparable(with: element) ?? true
  }
}
