import Herald

enum AssignmentSign: Equatable {
  case set, add, subtract, multiply, divide

  /// Takes the sign that is next; nil if it is no sign of an assignment.
  static func take(_ parser: inout StatementParser) -> AssignmentSign? {
    if parser.isSign("="), parser.character(after: 1) != "=", parser.character(after: 1) != "<",
      parser.character(after: 1) != ">"
    {
      parser.advance()
      return .set
    }
    guard case .sign = parser.token.kind, parser.character(after: 1) == "=" else { return nil }
    let sign: AssignmentSign
    switch parser.sign {
    case "+": sign = .add
    case "-": sign = .subtract
    case "*": sign = .multiply
    case "/": sign = .divide
    default: return nil
    }
    parser.move(to: parser.token.start + 2)
    return sign
  }
}

extension AssignmentSign {
  /// nil if one of the two is not a number, or an integer overflows.
  func value(_ old: Value, _ by: Value) -> Value? {
    switch (old, by) {
    case (.int(let old), .int(let by)): return integer(old, by).map(Value.int)
    case (.string(let old), .string(let by)) where self == .add: return .string(old + by)
    case (_, _): break
    }
    if old.isDecimal || by.isDecimal, let old = old.decimal, let by = by.decimal {
      return .decimal(decimal(old, by))
    }
    guard let old = old.number, let by = by.number else { return nil }
    return switch self {
    case .set: .double(by)
    case .add: .double(old + by)
    case .subtract: .double(old - by)
    case .multiply: .double(old * by)
    case .divide: .double(old / by)
    }
  }

  private func decimal(_ old: Decimal128, _ by: Decimal128) -> Decimal128 {
    switch self {
    case .set: by
    case .add: old + by
    case .subtract: old - by
    case .multiply: old * by
    case .divide: old / by
    }
  }

  private func integer(_ old: Int, _ by: Int) -> Int? {
    let (value, overflows) =
      switch self {
      case .set: (by, false)
      case .add: old.addingReportingOverflow(by)
      case .subtract: old.subtractingReportingOverflow(by)
      case .multiply: old.multipliedReportingOverflow(by: by)
      case .divide: old.dividedReportingOverflow(by: by)
      }
    return overflows ? nil : value
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .data, .date, .decimal, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  /// The operands as decimals, if one of the two is a decimal.
  fileprivate var decimal: Decimal128? {
    switch self {
    case .decimal(let value): value
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }
}
