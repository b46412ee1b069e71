import Herald

/// Names of properties and classes for the names of columns, which may be anything.
struct PropertyNames {
  private static let longest = 100

  private var taken: Set<String>
  /// The number that was last given to each name.
  private var numbers: [String: Int] = [:]

  /// Returns a valid name for each column that is not given one: its own, if that is valid and not given to another column;
  /// else the valid one made of it, with a number where that is taken, in the order of the columns.
  static func names(of columns: [(name: String, given: String?)]) -> [String] {
    var names = PropertyNames(taken: Set(columns.compactMap(\.given)))
    let own: [String?] = columns.map { column in
      if let given = column.given { return given }
      let isValid = !column.name.isEmpty && column.name.hasSameBytes(as: valid(column.name))
      return isValid && names.taken.insert(column.name).inserted ? column.name : nil
    }
    return zip(columns, own).enumerated().map { position, column in
      column.1 ?? names.take(valid(column.0.name, at: position))
    }
  }

  /// The valid name that is made of that of the column at a position.
  static func valid(_ name: String, at position: Int) -> String {
    let valid = valid(name)
    return valid.isEmpty ? "column\(position + 1)" : valid
  }

  private mutating func take(_ first: String) -> String {
    var candidate = first
    var number = numbers[first, default: 1]
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = Self.numbered(first, number)
    }
    numbers[first] = number
    return candidate
  }

  /// The name with a number behind it, which it has where several columns have one valid name.
  static func numbered(_ name: String, _ number: Int) -> String {
    let end = "_\(number)"
    return cut(name, to: longest - end.utf8.count) + end
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
