import HeraldModel

extension Binder {
  /// The test of one value against the constants at the right side. An `any` that holds a list is
  /// compared with a list as a whole.
  func wholeTest(
    _ left: BoundSide, _ relation: Relation, _ right: BoundSide, foldsCase: Bool
  ) -> ElementTest {
    let test = test(left, relation, right, foldsCase: foldsCase)
    guard let constants = right.constants, left.element == .any, left.quantifier == nil,
      right.quantifier == nil, !left.isCollection, !relation.searchesText
    else { return test }
    return .whole(relation, constants, foldsCase: foldsCase, otherwise: test)
  }

  func test(
    _ left: BoundSide, _ relation: Relation, _ right: BoundSide, foldsCase: Bool
  ) -> ElementTest {
    if let constant = right.constant {
      return test(left, relation, constant, foldsCase: foldsCase)
    }
    let constants = right.constants ?? []
    let quantifier = right.quantifier ?? .any
    if quantifier == .any, relation == .equal, !foldsCase, !left.isDynamic, !left.isTypes,
      let element = left.element, element.hasColumnTests,
      let test = ColumnTest.membership(element, constants.filter { $0.isComparable(with: element) })
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
    _ left: BoundSide, _ relation: Relation, _ constant: Value, foldsCase: Bool
  ) -> ElementTest {
    if left.isTypes, case .string(let text) = constant, let name = TypeName(rawValue: text) {
      return .type(relation, name)
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
    // Only nil is left: it is found everywhere, is like itself, and has no order.
    if relation == .like { return .column(.isNull(true)) }
    return .constant(relation.searchesText)
  }

  // MARK: Indexes

  /// The values under which an index of an `any` has what equals one of these; nil where it cannot
  /// tell.
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
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      guard let number = value.number else { return [value] }
      return NumberForms(value)?.all ?? number.asInteger.map(\.allForms)
    }
  }
}

extension Number {
  /// The int of the same value; nil where there is none.
  fileprivate var asInteger: Int? {
    switch self {
    case .integer(let value): value
    case .floating(let value): Int(exactly: value)
    case .decimal(let value): Int(exactly: value)
    }
  }
}

extension Int {
  /// The number in every type of numbers that holds it.
  fileprivate var allForms: [Value] {
    var forms: [Value] = [.int(self), .decimal(Decimal128(self))]
    if let double = Double(exactly: self) { forms.append(.double(double)) }
    if let float = Float(exactly: self) { forms.append(.float(float)) }
    return forms
  }
}

extension Value {
  /// Whether the value can be compared with values of a type; nil can with all.
  fileprivate func isComparable(with element: ElementType) -> Bool {
    ElementType(of: self)?.isComparable(with: element) ?? true
  }
}
