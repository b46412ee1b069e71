/// A path and the parameters after its `?`: `/live?q=Dog%20sort(name)`.
struct QueryParameters: Equatable {
  let path: String
  private var values: [String: String] = [:]

  /// nil if it is no UTF-8, has a `%` without two hexadecimal digits, or a parameter twice.
  init?(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decoded(parts[0], plusIsSpace: false) else { return nil }
    self.path = path
    guard parts.count == 2 else { return }
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0], plusIsSpace: true),
        let value = Self.decoded(sides.count == 2 ? sides[1] : "", plusIsSpace: true),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// The parameters that are not among these, in order.
  func others(than names: Set<String>) -> [String] {
    values.keys.filter { !names.contains($0) }.sorted()
  }

  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let high = digit(rest.removeFirst()),
          let low = digit(rest.removeFirst())
        else { return nil }
        bytes.append(UInt8(high << 4 | low))
      case _: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    Character(UnicodeScalar(byte)).hexDigitValue
  }
}
