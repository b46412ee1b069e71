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
  /// The numbers in the text, as literals write them, and the parts between them.
  fileprivate var splitAtNumbers: [(part: String, isNumber: Bool)] {
    var parts: [(part: String, isNumber: Bool)] = []
    let bytes = Array(utf8)
    var (start, index) = (0, 0)
    func add(_ end: Int, isNumber: Bool) {
      if start < end {
        parts.append((String(decoding: bytes[start..<end], as: UTF8.self), isNumber))
      }
      start = end
    }
    while index < bytes.count {
      guard bytes.beginsNumber(at: index) else {
        index += 1
        continue
      }
      add(index, isNumber: false)
      index += 1
      while index < bytes.count, bytes[index].isInNumber || bytes.isSignOfExponent(at: index) {
        index += 1
      }
      add(index, isNumber: true)
    }
    add(index, isNumber: false)
    return parts
  }
}

extension [UInt8] {
  fileprivate func beginsNumber(at index: Int) -> Bool {
    let isSigned = self[index] == UInt8(ascii: "-")
    let first = isSigned ? index + 1 : index
    guard first < count, self[first].isDigit else { return false }
    return index == 0 || !self[index - 1].isInWord
  }

  fileprivate func isSignOfExponent(at index: Int) -> Bool {
    (self[index] == UInt8(ascii: "-") || self[index] == UInt8(ascii: "+"))
      && self[index - 1] == UInt8(ascii: "e")
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  fileprivate var isInNumber: Bool {
    isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "e")
  }
  /// Whether it may be part of a name.
  fileprivate var isInWord: Bool {
    isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: ".") || self >= 0x80
      || self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")
  }
}
