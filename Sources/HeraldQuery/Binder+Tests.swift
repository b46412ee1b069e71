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
    if quantifier == .any, relation == .equal, !foldsCase, !left.isDynamic,
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

  /// The values to look up in an index; nil where there is none, or not for these values.
  func lookups(
    _ property: PropertyID, of classID: ClassID, _ values: [Value?]?
  ) -> [Value]? {
    guard let values, let found = schema.classSchema(classID)?.property(property),
      found.isPrimaryKey || found.isIndexed
    else { return nil }
    var all: [Value] = []
    for value in values {
      guard let value, !value.isNull, let forms = lookups(value, in: found.type.element) else {
        return nil
      }
      all += forms
    }
    return all
  }

  /// The values of a type that equal a constant; nil where an index cannot tell.
  private func lookups(_ value: Value, in element: ElementType) -> [Value]? {
    switch (element, value) {
    case (.float, _), (.double, _): return nil
    case (.int, _): return value.number.map { $0.asInteger.map { [.int($0)] } ?? [] }
    case (.decimal, _): return value.number.flatMap(\.exactDecimal).map { [.decimal($0)] }
    case (.any, .list), (.any, .map): return nil
    case (.any, _):
      guard let number = value.number else { return [value] }
      return NumberForms(value)?.all ?? number.asInteger.map(\.allForms)
    case (.bool, _), (.string, _), (.data, _), (.date, _), (.uuid, _), (.objectID, _), (.link, _):
      return [value]
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

  /// The decimal of the same value; nil for what is not whole and no decimal.
  fileprivate var exactDecimal: Decimal128? {
    switch self {
    case .integer(let value): Decimal128(value)
    case .floating(let value): Decimal128(exactly: value)
    case .decimal(let value): value
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
