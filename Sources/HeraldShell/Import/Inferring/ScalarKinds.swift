import Herald

/// What the plain values of a column look like, from which its type follows.
struct ScalarKinds: OptionSet {
  let rawValue: UInt16

  /// `true`, `false` and `yes`.
  static let bool = ScalarKinds(rawValue: 1)
  /// 0 and 1, which may also be Booleans.
  static let bit = ScalarKinds(rawValue: 1 << 1)
  static let int = ScalarKinds(rawValue: 1 << 2)
  /// Integers of 64 bits that a double cannot hold.
  static let wideInt = ScalarKinds(rawValue: 1 << 3)
  /// Numbers for which neither an int nor a double suffices.
  static let decimal = ScalarKinds(rawValue: 1 << 4)
  static let double = ScalarKinds(rawValue: 1 << 5)
  /// Infinities and NaN.
  static let special = ScalarKinds(rawValue: 1 << 6)
  static let date = ScalarKinds(rawValue: 1 << 7)
  static let uuid = ScalarKinds(rawValue: 1 << 8)
  static let objectID = ScalarKinds(rawValue: 1 << 9)
  static let text = ScalarKinds(rawValue: 1 << 10)
  /// `no`, which is also a country: a Boolean beside others only.
  static let no = ScalarKinds(rawValue: 1 << 11)

  private static let numbers: ScalarKinds = [.bit, .int, .wideInt, .decimal, .double]

  /// The type of values that are all of these kinds; nil if they have none in common.
  var element: ClassDefinition.Property.Element? {
    if isSubset(of: [.bit, .int, .wideInt]) { return .int }
    if contains(.bool) { return isSubset(of: [.bool, .no, .bit]) ? .bool : nil }
    if self == .date { return .date }
    if self == .uuid { return .uuid }
    if self == .objectID { return .objectID }
    if isSubset(of: Self.numbers) {
      return contains(.decimal) || isSuperset(of: [.wideInt, .double]) ? .decimal : .double
    }
    // Infinities are those of doubles; without a number they are words.
    let finite = subtracting(.special)
    return !finite.isEmpty && finite.isSubset(of: [.bit, .int, .double]) ? .double : nil
  }
}

// MARK: The kinds of values

extension ScalarKinds {
  /// The largest whole number up to which a double holds all of them.
  private static let exactInDoubles = 1 << 53

  private static func kind(of number: Int) -> ScalarKinds {
    number == 0 || number == 1
      ? .bit : number.magnitude <= UInt(exactInDoubles) ? .int : .wideInt
  }

  /// The kind of the text of a CSV field that is not empty. A number with leading zeros or a plus sign is a text.
  @inline(__always)
  static func kind(of bytes: CellText.Bytes) -> ScalarKinds {
    kind(ofShortNumber: bytes) ?? kind(ofAny: bytes)
  }

  /// The kind of a number of at most 15 digits, which every double keeps: with a digit before the point and one behind it, if
  /// it has one. Nil for other texts.
  @inline(__always)
  static func kind(ofShortNumber bytes: CellText.Bytes) -> ScalarKinds? {
    let start = bytes.first == UInt8(ascii: "-") ? 1 : 0
    guard bytes.count - start <= 17 else { return nil }
    var index = start
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    let digits = index - start
    guard digits > 0, digits == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    if index == bytes.count {
      guard digits <= 15 else { return nil }
      if digits == 1, bytes[start] <= UInt8(ascii: "1") { return start == 0 ? .bit : nil }
      return .int
    }
    guard bytes[index] == UInt8(ascii: "."), index + 1 < bytes.count else { return nil }
    index &+= 1
    let isBelowOne = bytes[start] == UInt8(ascii: "0")
    guard bytes.count - start <= (isBelowOne ? 17 : 16) else { return nil }
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    return index == bytes.count ? .double : nil
  }

  @inline(never)
  private static func kind(ofAny bytes: CellText.Bytes) -> ScalarKinds {
    guard let first = bytes.first else { return .text }
    if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
      return kind(ofDigits: bytes)
    }
    if bytes.count == 36 { return isUUID(bytes) ? .uuid : .text }
    if CellText.boolWord(bytes) != nil { return CellText.isWord(bytes, "no") ? .no : .bool }
    return CellText.isSpecialNumber(bytes) ? .special : .text
  }

  private static func kind(ofDigits bytes: CellText.Bytes) -> ScalarKinds {
    let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    var index = start
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    let whole = index - start
    if index == bytes.count { return kind(ofInteger: bytes, digits: whole, start) }
    let next = bytes[index]
    if start == 0, next == UInt8(ascii: "-") || bytes.count == 36 {
      if CellText.looksLikeDate(bytes) { return Timestamp(iso8601: bytes) == nil ? .text : .date }
      if isUUID(bytes) { return .uuid }
    }
    if whole > 1, bytes[start] == UInt8(ascii: "0") { return .text }
    if bytes.count <= 16, let value = CellText.double(bytes), value.isNormal { return .double }
    if CellText.isSpecialNumber(bytes) { return .special }
    if JSONValue(number: String(decoding: bytes, as: UTF8.self)) == nil { return .text }
    return kind(of: ExactNumber(bytes))
  }

  private static func kind(of number: ExactNumber) -> ScalarKinds {
    switch number {
    case .double: .double
    case .decimal: .decimal
    case .text: .text
    }
  }

  /// Whether a text is a uuid as it prints, without capitals.
  private static func isUUID(_ bytes: CellText.Bytes) -> Bool {
    UniqueID(utf8: bytes) != nil && !bytes.contains { (0x41...0x5A).contains($0) }
  }

  private static func kind(
    ofInteger bytes: CellText.Bytes, digits: Int, _ start: Int
  ) -> ScalarKinds {
    if digits == 0 || digits > 1 && bytes[start] == UInt8(ascii: "0") { return .text }
    if let number = CellText.int(bytes) {
      // A double has a negative zero.
      return number == 0 && start == 1 ? .double : kind(of: number)
    }
    return digits <= 34 ? .decimal : .text
  }

  /// The kind of a plain value of JSON, which writes dates and uuids as strings, and whose 0 and 1 are no Booleans; nil for
  /// nil, arrays and objects.
  static func kind(of value: JSONValue) -> ScalarKinds? {
    switch value {
    case .null, .array, .object: return nil
    case .bool: return .bool
    case .int(let number):
      let kind = kind(of: number)
      return kind == .bit ? .int : kind
    case .double: return .double
    case .decimal(let number):
      return ExactNumber(number.literal) == .double ? .double : .decimal
    case .digits: return .text
    case .string(var text):
      return text.withUTF8(kind(ofJSONText:))
    }
  }

  /// The kind of a string of JSON.
  static func kind(ofJSONText bytes: CellText.Bytes) -> ScalarKinds {
    if bytes.count == 36, isUUID(bytes) { return .uuid }
    let isDate = CellText.looksLikeDate(bytes) && Timestamp(iso8601: bytes) != nil
    return isDate ? .date : .text
  }
}
