import FoundationEssentials
import HeraldModel

extension Value {
  /// Returns an aggregate as the type that the program wants: rounded to a type of floating point, without its fraction
  /// as an integer. Nil for nil, for what is out of the type's range, and for a value of another kind.
  package func aggregate<Result>() -> Result? {
    if let type = Result.self as? any FixedWidthInteger.Type { return integer(type) as? Result }
    if let value = double as? Result { return value }
    if let value = double.map({ Float($0) }) as? Result { return value }
    if let value = decimal as? Result { return value }
    if case .date(let date) = self { return Date(date) as? Result }
    return nil
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    if case .int(let number) = self { return Number(exactly: number) }
    return double.flatMap { Number(exactly: $0.rounded(.towardZero)) }
  }

  private var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(number)
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  private var decimal: Decimal128? {
    switch self {
    case .int(let number): Decimal128(number)
    case .float(let number): Decimal128(number)
    case .double(let number): Decimal128(number)
    case .decimal(let number): number
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }
}
