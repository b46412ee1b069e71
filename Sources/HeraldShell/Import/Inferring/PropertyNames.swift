import Herald

/// Names of properties and classes for the names of columns, which may be anything.
struct PropertyNames {
  private static let longest = 100

  private var taken: Set<String> = []
  /// The number that was last given to each name.
  private var numbers: [String: Int] = [:]

  /// A valid name for the column at a position, which no other one has.
  mutating func take(_ name: String, position: Int) -> String {
    let valid = Self.valid(name)
    let first = valid.isEmpty ? "column\(position + 1)" : valid
    var candidate = first
    var number = numbers[first, default: 1]
    while !taken.insert(candidate).inserted {
      number += 1
      let end = "_\(number)"
      candidate = Self.cut(first, to: Self.longest - end.utf8.count) + end
    }
    numbers[first] = number
    return candidate
  }

  /// The name with `_` for what a name cannot contain, and before a digit at its start, and after a word that
  /// a query takes for a value; empty if nothing is left.
  static func valid(_ name: String) -> String {
    var text = ""
    var isGap = false
    for scalar in name.unicodeScalars.prefix(longest) {
      if isNamePart(scalar) {
        if isGap, !text.isEmpty { text += "_" }
        isGap = false
        text.unicodeScalars.append(scalar)
      } else {
        isGap = true
      }
    }
    if let first = text.unicodeScalars.first, !isNameStart(first) {
      text = "_" + cut(text, to: longest - 1)
    }
    return isReserved(text) ? text + "_" : text
  }

  private static func cut(_ text: String, to count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? Byte.isNameStart(UInt8(scalar.value)) : scalar.properties.isXIDStart
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? Byte.isNamePart(UInt8(scalar.value)) : scalar.properties.isXIDContinue
  }

  private static func isReserved(_ name: String) -> Bool {
    [
      "and", "or", "not", "true", "false", "nil", "null", "inf", "infinity", "nan",
    ].contains(name.lowercased())
  }
}
