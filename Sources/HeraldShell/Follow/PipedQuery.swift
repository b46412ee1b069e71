import Herald

/// The query of `herald live`, in which the class of the lines need not be named: `group by status { n: @count }`,
/// `where ms > 100 sort(ms desc)`, `value @count`.
struct PipedQuery {
  /// The query as `follow` takes it.
  let text: String
  /// Whether it is one of a value, which needs no table.
  let isValue: Bool

  /// - Parameter isName: whether a word is the name of a class, a projection or a query, so that none is missing.
  init(_ text: String, of className: String, isName: (String) -> Bool) {
    let words = text.split(whereSeparator: \.isWhitespace).prefix(2).map(String.init)
    let first = words.first ?? ""
    isValue = first == "value"
    if first == "group", ["by", "where"].contains(words.last) {
      self.text = "group \(className)" + text.dropPrefix("group")
    } else if isValue {
      self.text = "value" + Self.naming(className, in: text.dropPrefix("value"))
    } else if first == "group" || isName(String(first.prefix(while: Self.isNamePart))) {
      self.text = text
    } else {
      self.text = "\(className) \(text)"
    }
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The expression with the class before each aggregate that is one of nothing: `@count - 1` is `(Request).@count - 1`.
  private static func naming(_ className: String, in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var quote: UInt8?
    for (index, byte) in bytes.enumerated() {
      if let open = quote {
        if byte == open, bytes[index - 1] != Byte.backslash { quote = nil }
      } else if byte == Byte.doubleQuote || byte == Byte.singleQuote {
        quote = byte
      } else if byte == Byte.at, index + 1 < bytes.count, Byte.isNameStart(bytes[index + 1]),
        index == 0 || bytes[index - 1] != Byte.dot
      {
        result += Array("(\(className)).".utf8)
      }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension String {
  /// The text behind a prefix and the blanks before it.
  fileprivate func dropPrefix(_ prefix: String) -> String {
    String(drop(while: \.isWhitespace).dropFirst(prefix.count))
  }
}
