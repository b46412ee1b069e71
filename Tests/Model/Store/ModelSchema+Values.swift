import HeraldModel
import TestSupport

extension ModelSchema.Property {
  /// A value for the property (an element, for a collection), from few, so that equal ones meet
  /// often; never a link.
  func randomValue(_ random: inout SplitMix64) -> Value {
    if isOptional && random.chance(25) { return .null }
    if let samples { return random.pick(samples) }
    if let range { return value(random.below(range), &random) }
    switch element {
    case .bool: return .bool(random.chance(50))
    case .int:
      return .int(random.chance(8) ? random.pick([-1, 70_000, .min, .max]) : random.below(7))
    case .float: return .float(random.chance(20) ? 0.1 : Float(random.below(5)) / 2)
    case .double: return .double(Double(random.below(7)) / 2 - 1)
    case .string: return .string(random.pick(Self.words))
    case .data: return .data([UInt8(random.below(3))])
    case .date:
      return .date(
        Timestamp(seconds: random.below(4), nanoseconds: random.chance(30) ? 500 : 0))
    case .decimal: return .decimal(Decimal128(random.pick([0, 0.1, 0.5, 1, 2.5, 3])))
    case .uuid, .objectID: return value(random.below(4), &random)
    case .any:
      switch random.below(5) {
      case 0: return .int(random.below(4))
      case 1: return .double(random.pick([0.1, 0.5, 1, 2.5]))
      case 2: return .decimal(Decimal128(random.pick([0.1, 0.5, 1, 3])))
      case 3: return .bool(random.chance(50))
      default: return .string(random.pick(Self.words))
      }
    case .link: return .null
    }
  }

  private static let words = [
    "", "a", "b", "ab", "B", "é", "zé", "A", "Ab", "É", "e\u{301}", "İ", "b*", "longer than eight",
    "a\u{0}", "a\u{0}\u{0}",
  ]

  /// The value of a number, or one of few such values.
  func value(_ number: Int, _ random: inout SplitMix64) -> Value {
    switch element {
    case .bool: .bool(number % 2 == 0)
    case .int: .int(number - 3)
    case .float: .float(Float(number) / 4 - 1)
    case .double: .double(Double(number) / 4 - 1)
    case .decimal:
      .decimal(Decimal128(random.chance(50) ? "\(number).50" : "-\(number).5") ?? .zero)
    case .string:
      .string(random.pick(["", "a", "ab", "a long beginning ", "é"]) + String(number))
    case .date: .date(Timestamp(seconds: number * 1000, nanoseconds: Int32(number % 2)))
    case .uuid: .uuid(UniqueID(bits: (UInt64(number % 3), UInt64(number))))
    case .objectID: .objectID(DocumentID(bits: (UInt64(number % 3), UInt32(number))))
    case .data, .any, .link: .null
    }
  }
}
