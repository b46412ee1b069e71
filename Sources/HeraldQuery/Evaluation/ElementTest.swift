import HeraldModel

/// A test of one value against constants.
indirect enum ElementTest: Sendable {
  case constant(Bool)
  case column(ColumnTest)
  /// A comparison with a value whose type is known only at evaluation.
  case relation(Relation, Value, foldsCase: Bool)
  /// A comparison of a fractional number with values of any type.
  case number(Relation, NumberForms)
  /// A comparison of the name of a value's type with a `TypeName`.
  case type(Relation, TypeName)
  /// A comparison of a whole list, if the value is one; else a test of the value.
  case whole(Relation, [Value], foldsCase: Bool, otherwise: ElementTest)
  case any([ElementTest])
  case all([ElementTest])
  case not(ElementTest)
}

extension ElementTest {
  func accepts(_ value: Value) -> Bool {
    switch self {
    case .constant(let result): result
    case .column(let test): test.accepts(value)
    case .relation(let relation, let constant, let foldsCase):
      relation.holds(value, constant, foldsCase: foldsCase)
    case .number(let relation, let forms):
      relation.holds(value, forms.form(for: value), foldsCase: false)
    case .type(let relation, let name): name.includes(value) == (relation == .equal)
    case .whole(let relation, let constants, let foldsCase, let otherwise):
      if case .list(let values) = value {
        relation.holds(inOrder: values, constants, foldsCase: foldsCase)
      } else {
        otherwise.accepts(value)
      }
    case .any(let tests): tests.contains { $0.accepts(value) }
    case .all(let tests): tests.allSatisfy { $0.accepts(value) }
    case .not(let test): !test.accepts(value)
    }
  }

  var cost: Int {
    switch self {
    case .constant: 0
    case .column(let test): test.cost
    case .relation, .number, .type: 10
    case .whole(_, _, _, let otherwise): 10 + otherwise.cost
    case .any(let tests), .all(let tests): tests.reduce(0) { $0 + $1.cost }
    case .not(let test): test.cost
    }
  }
}

/// A number converted for comparison with values of each type: to a float at float precision, to a
/// decimal with the digits as written, exactly otherwise.
struct NumberForms: Sendable {
  private let double: Value
  private let float: Value
  private let decimal: Value

  /// Makes the forms; nil if the number is the same in every type, as integers are.
  init?(_ constant: Value) {
    guard let number = constant.number, !number.isNaN else { return nil }
    switch number {
    case .integer: return nil
    case .floating(let value):
      guard Int(exactly: value) == nil, value.isFinite else { return nil }
      double = .double(value)
    case .decimal(let value):
      guard Int(exactly: value) == nil, value.isFinite else { return nil }
      let nearest = Double(value)
      double = nearest.isFinite ? .double(nearest) : constant
    }
    decimal = .decimal(constant.shortestDecimal)
    float = .float(Float(number.asDouble))
  }

  func form(for value: Value) -> Value {
    switch value {
    case .float: float
    case .decimal: decimal
    case .null, .bool, .int, .double, .string, .data, .date, .uuid, .objectID, .link, .list, .map:
      double
    }
  }

  /// All forms.
  var all: [Value] { [double, float, decimal] }
}
