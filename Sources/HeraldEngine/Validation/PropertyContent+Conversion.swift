import HeraldModel

// The conversion of values when a property is altered to another type. Numbers round to `float`, `double`
// and `decimal` as in an assignment; an `int` takes whole numbers only. A scalar becomes a string as it
// prints, and a string becomes everything that it can be parsed as.

extension PropertyContent {
  /// Returns the content converted for a property of a type; nil if it cannot be converted.
  func converted(to type: PropertyType) -> PropertyContent? {
    switch (self, type.shape) {
    case (.value(let value), .single): value.converted(to: type).map { .value($0) }
    case (.value(.null), .list), (.value(.null), .set): .list([])
    case (.value(.null), .map): .map([:])
    case (.value(.list(let values)), .list), (.value(.list(let values)), .set):
      PropertyContent.list(values).converted(to: type)
    case (.value(.map(let entries)), .map): PropertyContent.map(entries).converted(to: type)
    case (.value(let value), .list), (.value(let value), .set):
      value.converted(to: type).map { .list([$0]) }
    case (.list(let values), .list): converted(values, to: type)
    case (.list(let values), .set): distinct(values, in: type)
    case (.list(let values), .single): single(values, as: type)
    case (.map(let entries), .map): converted(entries, to: type)
    case (.map(let entries), .single):
      ofAny(.map(entries), type)
    case (.value, .map), (.list, .map), (.map, .list), (.map, .set), (_, .backlinks): nil
    }
  }

  private func converted(_ values: [Value], to type: PropertyType) -> PropertyContent? {
    var converted: [Value] = []
    converted.reserveCapacity(values.count)
    for value in values {
      guard let value = value.converted(to: type) else { return nil }
      converted.append(value)
    }
    return .list(converted)
  }

  private func converted(_ entries: MapEntries, to type: PropertyType) -> PropertyContent? {
    var converted: MapEntries = [:]
    for (key, value) in entries {
      guard let value = value.converted(to: type) else { return nil }
      converted[key] = value
    }
    return .map(converted)
  }

  /// Converts to a set; nil if that would lose values that become equal.
  private func distinct(_ values: [Value], in type: PropertyType) -> PropertyContent? {
    guard case .list(let converted)? = converted(values, to: type),
      Set(converted).count == values.count
    else { return nil }
    return .list(converted)
  }

  private func ofAny(_ value: Value, _ type: PropertyType) -> PropertyContent? {
    type.element == .any && !value.isDeeper(than: nestingLimit) ? .value(value) : nil
  }

  private func single(_ values: [Value], as type: PropertyType) -> PropertyContent? {
    if type.element == .any { return ofAny(.list(values), type) }
    switch values.count {
    case 0: return type.isOptional ? .value(.null) : nil
    case 1: return values[0].converted(to: type).map { .value($0) }
    case _: return nil
    }
  }
}

extension Value {
  /// Returns the value converted to a type; nil if it cannot be converted.
  fileprivate func converted(to type: PropertyType) -> Value? {
    if isNull { return type.isOptional ? .null : nil }
    switch type.element {
    case .any: return self
    case .bool: return asBool.map { .bool($0) }
    case .int: return asInt.map { .int($0) }
    case .float: return asFloat.map { .float($0) }
    case .double: return asNumber.map { .double($0) }
    case .decimal: return asExactNumber.map { .decimal($0) }
    case .string: return asText.map { .string($0) }
    case .data: return asData.map { .data($0) }
    case .date, .uuid, .objectID, .link: return coerced(to: type.element)
    }
  }

  private var asBool: Bool? {
    switch self {
    case .bool(let value): value
    case .int(0), .string("false"): false
    case .int(1), .string("true"): true
    case .null, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID, .link,
      .list, .map:
      nil
    }
  }

  private var asInt: Int? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .float(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    case .decimal(let value): Int(exactly: value)
    case .string(let text): Int(text)
    case .null, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  private var asNumber: Double? {
    if case .string(let text) = self { return Double(text) }
    guard case .double(let number)? = coerced(to: .double) else { return nil }
    return number
  }

  private var asFloat: Float? {
    guard let number = asNumber else { return nil }
    let rounded = Float(number)
    return rounded.isInfinite && number.isFinite ? nil : rounded
  }

  private var asExactNumber: Decimal128? {
    if case .string(let text) = self { return Decimal128(text) }
    guard case .decimal(let number)? = coerced(to: .decimal) else { return nil }
    return number
  }

  private var asText: String? {
    switch self {
    case .string(let text): text
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    case .date(let date): date.iso8601
    case .uuid(let value): value.description
    case .objectID(let value): value.description
    case .bool, .int, .float, .double, .decimal: literal { _ in "" }
    case .null, .link, .list, .map: nil
    }
  }

  private var asData: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Array(text.utf8)
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list,
      .map:
      nil
    }
  }
}
