import HeraldModel

/// The text of a comparison with places for its bounds: `weight >= … AND weight < …`.
final class ShapeText: Sendable {
  /// What a place has: a bound, or the integer next to it, since `age > 5` begins at 6.
  private struct Place: Sendable {
    let isLower: Bool
    let offset: Int
    /// Whether a bound that is a double is written as an integer.
    let isInteger: Bool
  }

  private let isOfDoubles: Bool
  /// The text before each place.
  private let pieces: [(before: String, place: Place)]
  private let rest: String

  /// Finds bounds, by their keys, in the text of a comparison. Numbers that are none remain as they are.
  init(_ text: String, _ bounds: (lower: Int, upper: Int), isOfDoubles: Bool) {
    self.isOfDoubles = isOfDoubles
    var pieces: [(before: String, place: Place)] = []
    var before = ""
    for (part, isNumber) in text.splitAtNumbers {
      if isNumber,
        let place = Self.places.first(where: {
          Self.text($0, bounds.lower, bounds.upper, isOfDoubles) == part
        })
      {
        pieces.append((before, place))
        before = ""
      } else {
        before += part
      }
    }
    self.pieces = pieces
    rest = before
  }

  /// Returns the text with other bounds, by their keys.
  func text(_ lower: Int, _ upper: Int) -> String {
    var text = ""
    for (before, place) in pieces {
      text += before
      text += Self.text(place, lower, upper, isOfDoubles) ?? ""
    }
    return text + rest
  }

  private static let places: [Place] = [false, true].flatMap { isInteger in
    [0, -1, 1].flatMap { offset in
      [true, false].map { Place(isLower: $0, offset: offset, isInteger: isInteger) }
    }
  }

  /// Returns the text of a place; nil where a bound cannot be written so.
  private static func text(
    _ place: Place, _ lower: Int, _ upper: Int, _ isOfDoubles: Bool
  ) -> String? {
    let key = place.isLower ? lower : upper
    guard isOfDoubles else {
      let (number, overflows) = key.addingReportingOverflow(place.offset)
      return overflows || place.isInteger ? nil : Value.int(number).literalText
    }
    guard place.offset == 0 else { return nil }
    let number = Double(intervalKey: key)
    if place.isInteger { return Int(exactly: number).map { Value.int($0).literalText } }
    return Value.double(number).literalText
  }
}

extension String {
  /// The numbers in the text, with their signs, and the parts between them.
  fileprivate var splitAtNumbers: [(part: String, isNumber: Bool)] {
    var parts: [(part: String, isNumber: Bool)] = []
    var lexer = Lexer(Array(utf8))
    var start = 0
    func add(_ end: Int, isNumber: Bool) {
      if start < end {
        parts.append((String(decoding: lexer.bytes[start..<end], as: UTF8.self), isNumber))
      }
      start = end
    }
    while case let token = lexer.next(), token.kind != .end {
      guard token.kind == .number else { continue }
      let isSigned = token.start > start && lexer.bytes[token.start - 1] == Byte.minus
      add(isSigned ? token.start - 1 : token.start, isNumber: false)
      add(token.end, isNumber: true)
    }
    add(lexer.bytes.count, isNumber: false)
    return parts
  }
}
