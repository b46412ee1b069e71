import HeraldModel

/// The text of a comparison with places for its bounds, or for its string: `weight >= … AND weight < …`.
final class ShapeText: Sendable {
  enum Kind: Sendable { case integers, doubles, texts }

  /// What a place has.
  private enum Place: Sendable {
    /// A bound, or the integer next to it, since `age > 5` begins at 6.
    case integer(isLower: Bool, offset: Int)
    /// A bound; `isInteger`: whether it is written as an integer.
    case double(isLower: Bool, isInteger: Bool)
    case string

    static func all(_ kind: Kind) -> [Place] {
      switch kind {
      case .integers:
        [0, -1, 1].flatMap { offset in
          [true, false].map { Place.integer(isLower: $0, offset: offset) }
        }
      case .doubles:
        [false, true].flatMap { isInteger in
          [true, false].map { Place.double(isLower: $0, isInteger: isInteger) }
        }
      case .texts: [.string]
      }
    }

    /// Returns what it has; nil where that cannot be written so.
    func text(_ lower: Int, _ upper: Int) -> String? {
      switch self {
      case .integer(let isLower, let offset):
        let (number, overflows) = (isLower ? lower : upper).addingReportingOverflow(offset)
        return overflows ? nil : Value.int(number).literalText
      case .double(let isLower, let isInteger):
        let number = Double(intervalKey: isLower ? lower : upper)
        if isInteger { return Int(exactly: number).map { Value.int($0).literalText } }
        return Value.double(number).literalText
      case .string: return Value.string(ShortText(lower, upper).text).literalText
      }
    }
  }

  /// The text before each place.
  private let pieces: [(before: String, place: Place)]
  private let rest: String

  /// Finds bounds, by their keys, in the text of a comparison. Literals that are none remain as they are.
  init(_ text: String, _ bounds: (lower: Int, upper: Int), _ kind: Kind) {
    let places = Place.all(kind)
    var pieces: [(before: String, place: Place)] = []
    var before = ""
    for (part, isLiteral) in text.split(at: kind == .texts ? .string : .number) {
      if isLiteral,
        let place = places.first(where: { $0.text(bounds.lower, bounds.upper) == part })
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

  /// Whether no place was found.
  var isFixed: Bool { pieces.isEmpty }

  /// Returns the text with other bounds, by their keys.
  func text(_ lower: Int, _ upper: Int) -> String {
    var text = ""
    for (before, place) in pieces {
      text += before
      text += place.text(lower, upper) ?? ""
    }
    return text + rest
  }
}

extension String {
  /// The literals of a kind in the text, numbers with their signs, and the parts between them.
  fileprivate func split(at kind: Token.Kind) -> [(part: String, isLiteral: Bool)] {
    var parts: [(part: String, isLiteral: Bool)] = []
    var lexer = Lexer(Array(utf8))
    var start = 0
    func add(_ end: Int, isLiteral: Bool) {
      if start < end {
        parts.append((String(decoding: lexer.bytes[start..<end], as: UTF8.self), isLiteral))
      }
      start = end
    }
    while case let token = lexer.next(), token.kind != .end {
      guard token.kind == kind else { continue }
      let isSigned =
        kind == .number && token.start > start && lexer.bytes[token.start - 1] == Byte.minus
      add(isSigned ? token.start - 1 : token.start, isLiteral: false)
      add(token.end, isLiteral: true)
    }
    add(lexer.bytes.count, isLiteral: false)
    return parts
  }
}
