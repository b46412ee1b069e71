package import HeraldModel

/// A property derived from one value.
package enum ValueMeasure: Sendable, Equatable {
  /// The length of a string in bytes of UTF-8 or of data, or the number of elements of a list or a map
  /// in an `any`; nil for other values.
  case length
  /// The length of a list's element: of a string in code points, of data in bytes; 0 for nil.
  case elementLength
  /// Of a string; nil for other values.
  case lower, upper, trim, codePoints
  /// Of a date, in UTC; nil for other values.
  case year, month, day, hour, minute
  /// The week of ISO 8601, the day of the week from 1, Monday, and the midnight of a date; nil for other values.
  case week, weekday, date
  /// The name of its type; see `TypeName`.
  case type
  /// A random number of an object, which no other of its class has and which is the same for equal seeds.
  case shuffled(seed: UInt64)

  package func apply(to value: Value) -> Value {
    switch self {
    case .type: return .string(TypeName(of: value).rawValue)
    case .shuffled(let seed):
      guard case .link(let object) = value else { return .null }
      return .int(shuffled(object.number, seed))
    case .length: return length(of: value)
    case .elementLength:
      switch value {
      case .null: return .int(0)
      case .string(let text): return .int(text.unicodeScalars.count)
      case .data: return length(of: value)
      case .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list, .map:
        return .null
      }
    case .lower, .upper, .trim, .codePoints:
      guard case .string(let text) = value else { return .null }
      return part(of: text)
    case .week, .weekday, .date:
      guard case .date(let date) = value else { return .null }
      return part(of: date)
    case .year, .month, .day, .hour, .minute:
      guard case .date(let date) = value, let parts = date.calendarParts else { return .null }
      return .int(part(of: parts))
    }
  }

  private func part(of text: String) -> Value {
    switch self {
    case .lower: .string(text.lowercased())
    case .upper: .string(text.uppercased())
    case .trim: .string(text.trimmed)
    default: .int(text.unicodeScalars.count)
    }
  }

  private func part(of date: Timestamp) -> Value {
    switch self {
    case .week: date.week.map(Value.int) ?? .null
    case .weekday: .int(date.weekday)
    default: .date(date.midnight)
    }
  }

  private func part(of date: Timestamp.CalendarParts) -> Int {
    switch self {
    case .year: date.year
    case .month: date.month
    case .day: date.day
    case .hour: date.hour
    case .minute: date.minute
    case .length, .elementLength, .type, .shuffled, .lower, .upper, .trim, .codePoints, .week,
      .weekday, .date:
      0
    }
  }

  /// Makes the measure that a name after a string or a date means; nil for any other name.
  package init?(_ name: String, of element: ElementType?) {
    switch (element, name) {
    case (.string, "lower"): self = .lower
    case (.string, "upper"): self = .upper
    case (.string, "trim"): self = .trim
    case (.string, "length"): self = .codePoints
    case (.date, "year"): self = .year
    case (.date, "month"): self = .month
    case (.date, "day"): self = .day
    case (.date, "hour"): self = .hour
    case (.date, "minute"): self = .minute
    case (.date, "week"): self = .week
    case (.date, "weekday"): self = .weekday
    case (.date, "date"): self = .date
    default: return nil
    }
  }

  /// The name in queries.
  package var name: String {
    switch self {
    case .lower: "lower"
    case .upper: "upper"
    case .length, .elementLength, .codePoints: "length"
    case .year: "year"
    case .month: "month"
    case .day: "day"
    case .hour: "hour"
    case .minute: "minute"
    case .trim: "trim"
    case .week: "week"
    case .weekday: "weekday"
    case .date: "date"
    case .type: "@type"
    case .shuffled: "shuffled"
    }
  }

  /// The names of the measures of a type.
  package static func names(of element: ElementType) -> [String] {
    switch element {
    case .string: ["lower", "upper", "trim", "length"]
    case .date: ["year", "month", "day", "hour", "minute", "week", "weekday", "date"]
    case .bool, .int, .float, .double, .data, .decimal, .uuid, .objectID, .any, .link: []
    }
  }

  /// The name that may follow a value of a type and is nearest to a mistyped one; nil without a near one.
  static func nearestName(to name: String, of element: ElementType?) -> String? {
    element.flatMap { HeraldModel.nearestName(to: name, in: names(of: $0)) }
  }

  /// The type of the result.
  var element: ElementType {
    switch self {
    case .type, .lower, .upper, .trim: .string
    case .date: .date
    case .length, .elementLength, .codePoints, .year, .month, .day, .hour, .minute, .week,
      .weekday, .shuffled:
      .int
    }
  }

  /// The bits of a number mixed as SplitMix64 mixes them, which gives no two numbers the same.
  private func shuffled(_ number: ObjectNumber, _ seed: UInt64) -> Int {
    var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ seed
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits ^ (bits >> 31))
  }

  private func length(of value: Value) -> Value {
    switch value {
    case .string(let text): .int(text.utf8.count)
    case .data(let bytes): .int(bytes.count)
    case .list(let values): .int(values.count)
    case .map(let entries): .int(entries.count)
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: .null
    }
  }
}

extension String {
  /// The text without white space at both ends.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
