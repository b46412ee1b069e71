import Glibc
import Herald

/// What `add` statements have in common that differ only in their literals: the text around these.
///
/// The parser has read one such statement. Another one means the same but for the values of its literals: it needs
/// no parser, and no tree in memory.
final class AdditionShape: Sendable {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  let className: Name
  /// The name of the property of each literal.
  let properties: [String]
  /// The number of blocks and brackets around the statement that was parsed.
  let depth: Int
  /// The texts before each literal and after the last one, one after the other.
  private let text: [UInt8]
  /// The range of each of these texts.
  private let parts: [Range<Int>]
  /// How far after the start of a statement its record begins, and how far before its end that ends.
  private let recordMargins: (before: Int, after: Int)

  /// Returns nil if the statement does not add one record of literals.
  init?(_ statement: Statement, _ bytes: [UInt8], depth: Int) {
    guard let addition = statement.form as? AddStatement,
      !addition.isUpsert, addition.variable == nil,
      addition.records.count == 1, let record = addition.records.first, !record.entries.isEmpty
    else { return nil }
    var text: [UInt8] = []
    var parts: [Range<Int>] = []
    var end = statement.span.start
    for entry in record.entries {
      let span = entry.value.span
      guard case .literal = entry.value.kind, Self.isLiteral(bytes, span) else { return nil }
      parts.append(text.count..<text.count + span.start - end)
      text += bytes[end..<span.start]
      end = span.end
    }
    parts.append(text.count..<text.count + statement.span.end - end)
    text += bytes[end..<statement.span.end]
    // Whatever literal is before a part ends there.
    for part in parts.dropFirst() where !Self.endsLiteral(text[part.lowerBound]) { return nil }
    className = addition.className
    properties = record.entries.map(\.name.text)
    self.depth = depth
    self.text = text
    self.parts = parts
    recordMargins = (record.span.start - statement.span.start, statement.span.end - record.span.end)
  }

  private static func isLiteral(_ bytes: [UInt8], _ span: SourceSpan) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var value = PlainValue.null
      return literal(in: bytes, from: span.start, to: bytes.count, &value) == span.end
    }
  }

  private static func endsLiteral(_ byte: UInt8) -> Bool {
    Byte.isBlank(byte) || byte == Byte.newline || byte == Byte.comma || byte == Byte.closeBrace
  }

  /// The span of the record in a statement of this shape.
  func record(in statement: SourceSpan) -> SourceSpan {
    SourceSpan(
      start: statement.start + recordMargins.before, end: statement.end - recordMargins.after)
  }
}

// MARK: Statements of the shape

extension AdditionShape {
  /// Returns the end of the statement that begins at `start`, and stores its values; nil if it has another shape, or
  /// more follows on its line.
  @inline(__always)
  func end(
    of bytes: Bytes, from start: Int, to limit: Int, _ values: UnsafeMutablePointer<PlainValue>
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    return text.withUnsafeBufferPointer { text in
      guard let text = text.baseAddress else { return nil }
      var offset = start
      for place in parts.indices {
        let part = parts[place]
        guard part.count < limit - offset,
          memcmp(base + offset, text + part.lowerBound, part.count) == 0
        else { return nil }
        offset += part.count
        if place == parts.count - 1 { break }
        guard let end = Self.literal(in: bytes, from: offset, to: limit, &values[place]) else {
          return nil
        }
        offset = end
      }
      return Self.isAtEndOfLine(bytes, offset, limit) ? offset : nil
    }
  }

  /// Returns the end of the statements of this shape from `start` on, one a line; nil if there is none.
  func endOfStatements(
    in bytes: [UInt8], from start: Int, to limit: Int, atMost count: Int
  ) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      withUnsafeTemporaryAllocation(of: PlainValue.self, capacity: properties.count) { values in
        guard let values = values.baseAddress else { return nil }
        var last: Int?
        var (next, left) = (start, count)
        while left > 0, let end = end(of: bytes, from: next, to: limit, values) {
          left -= 1
          last = end
          next = Self.startOfStatement(bytes, after: end, limit)
        }
        return last
      }
    }
  }

  /// The start of what follows a statement that ends at `end`, without blanks and newlines.
  static func startOfStatement(_ bytes: Bytes, after end: Int, _ limit: Int) -> Int {
    var offset = end
    while offset < limit, Byte.isBlank(bytes[offset]) || bytes[offset] == Byte.newline {
      offset += 1
    }
    return offset
  }

  private static func isAtEndOfLine(_ bytes: Bytes, _ end: Int, _ limit: Int) -> Bool {
    var offset = end
    while offset < limit, Byte.isBlank(bytes[offset]) { offset += 1 }
    return offset < limit && bytes[offset] == Byte.newline
  }
}

// MARK: Literals

extension AdditionShape {
  /// Reads a literal without escapes, exponents and the like; returns its end, or nil if there is no such literal.
  @inline(__always)
  private static func literal(
    in bytes: Bytes, from start: Int, to limit: Int, _ value: inout PlainValue
  ) -> Int? {
    guard start < limit else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return text(in: bytes, start, limit, &value)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return number(in: bytes, start, limit, &value)
    case UInt8(ascii: "t"): return word("true", .bool(true), in: bytes, start, limit, &value)
    case UInt8(ascii: "f"): return word("false", .bool(false), in: bytes, start, limit, &value)
    case UInt8(ascii: "n"): return word("nil", .null, in: bytes, start, limit, &value)
    default: return nil
    }
  }

  @inline(__always)
  private static func text(
    in bytes: Bytes, _ start: Int, _ limit: Int, _ value: inout PlainValue
  ) -> Int? {
    let quote = bytes[start]
    var offset = start + 1
    var bits: UInt8 = 0
    while offset < limit {
      let byte = bytes[offset]
      if byte == quote { break }
      if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\n") { return nil }
      bits |= byte
      offset += 1
    }
    guard offset < limit else { return nil }
    let content = Bytes(rebasing: bytes[start + 1..<offset])
    if bits >= 0x80, String(validating: content, as: UTF8.self) == nil { return nil }
    value = .text(UnsafeRawBufferPointer(content))
    return offset + 1
  }

  /// Reads a number of at most 15 digits, which a double keeps.
  @inline(__always)
  private static func number(
    in bytes: Bytes, _ start: Int, _ limit: Int, _ value: inout PlainValue
  ) -> Int? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var (offset, point, whole) = (first, -1, 0)
    while offset < limit {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      if digit < 10 {
        whole = whole &* 10 &+ Int(digit)
      } else if bytes[offset] == UInt8(ascii: "."), point < 0 {
        point = offset
      } else {
        break
      }
      offset += 1
      if offset - first > 16 { return nil }
    }
    guard point >= 0 else {
      guard offset > first else { return nil }
      value = .int(isNegative ? -whole : whole)
      return offset
    }
    let fraction = offset - point - 1
    guard point > first, fraction > 0, offset - first <= 16 else { return nil }
    // Both are exact, so that the quotient is the double nearest to the text.
    let double = Double(whole) / powersOfTen[fraction]
    value = .double(isNegative ? -double : double)
    return offset
  }

  private static let powersOfTen: [Double] = (1...15).reduce(into: [1]) { powers, exponent in
    powers.append(powers[exponent - 1] * 10)
  }

  private static func word(
    _ word: StaticString, _ meaning: PlainValue, in bytes: Bytes, _ start: Int, _ limit: Int,
    _ value: inout PlainValue
  ) -> Int? {
    let count = word.utf8CodeUnitCount
    guard count < limit - start, let base = bytes.baseAddress,
      memcmp(base + start, word.utf8Start, count) == 0
    else { return nil }
    value = meaning
    return start + count
  }
}
