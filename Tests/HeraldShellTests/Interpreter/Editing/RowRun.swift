import Foundation
import TestSupport

/// Random statements over rows, and what a model says that they print.
struct RowRun {
  struct Row {
    var id: Int
    var a: Int?
    var b: Int?
    /// In eighths.
    var x: Int?
    var s: String?
    /// In seconds.
    var t: Int?
  }

  /// What has no value.
  enum Fault: Error { case fault }

  var random: SplitMix64
  var rows: [Row] = []
  var script = """
    class Row { id: int primary; a: int?; b: int?; x: double?; s: string?; t: date? }
    class Key { id: int primary; n: int = 0 }
    for $i in [0, 1, 2, 3, 5] { add Key { id: $i, n: $i * 10 } }

    """
  var expected: [String] = []
  var errors = 0
  var divisions = 0

  init(_ random: SplitMix64) {
    self.random = random
    for id in 1...6 {
      let row = Row(
        id: id, a: some(self.random.below(9) - 4), b: some(self.random.below(9) - 4),
        x: some(self.random.below(41) - 20),
        s: some(self.random.pick(["", " a", "Ab", "7", "b-a "])),
        t: some(self.random.below(2000) * 3600))
      rows.append(row)
      script += "add Row { id: \(id), a: \(Self.text(row.a)), b: \(Self.text(row.b)), "
      script += "x: \(row.x.map { "\(Double($0) / 8)" } ?? "nil"), s: \(Self.quoted(row.s)), "
      script += "t: \(row.t.map(Self.date) ?? "nil") }\n"
    }
  }

  private mutating func some<T>(_ value: T) -> T? { random.chance(20) ? nil : value }

  static func text(_ value: Int?) -> String { value.map(String.init) ?? "nil" }
  static func quoted(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "nil" }
  static func date(_ seconds: Int) -> String {
    isoDate(seconds).replacing("T", with: "@").replacing("Z", with: "")
  }
  static func isoDate(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
  }

  /// A statement that changes all rows, and what it leaves.
  mutating func step() {
    let (a, b, x, s, t) = (int(3), int(3), eighths(2), string(2), date(2))
    let isSwap = random.chance(33)
    let texts =
      "a: \(isSwap ? "b" : a.text), b: \(isSwap ? "a" : b.text), x: \(x.text), s: \(s.text), t: \(t.text)"
    do {
      var changed: [Row] = []
      for row in rows {
        changed.append(
          Row(
            id: row.id, a: isSwap ? row.b : try a.value(row), b: isSwap ? row.a : try b.value(row),
            x: try x.value(row), s: try s.value(row), t: try t.value(row)))
      }
      rows = changed
      script += "set Row { \(texts) }\n"
    } catch {
      errors += 1
      let first = rows.first { row in
        (try? (
          isSwap ? row.b : a.value(row), isSwap ? row.a : b.value(row), x.value(row), s.value(row),
          t.value(row)
        )) == nil
      }
      script += "expect error \"Row#\(first?.id ?? 0): \" { set Row { \(texts) } }\n"
    }
    script += "show Row { a, b, x, s, t }\n"
    let shown = rows.map { row in
      "{\"a\":\(row.a.map(String.init) ?? "null"),\"b\":\(row.b.map(String.init) ?? "null"),"
        + "\"x\":\(row.x.map { "\(Double($0) / 8)" } ?? "null"),\"s\":\(row.s.map { "\"\($0)\"" } ?? "null"),"
        + "\"t\":\(row.t.map { "\"\(Self.isoDate($0))\"" } ?? "null")}"
    }
    expected.append("{\"result\":[\(shown.joined(separator: ","))]}")
    // In a predicate what has no value is nil.
    let (left, right) = (int(2), int(2))
    do {
      let equal = try rows.filter { try Self.present(left, $0) == Self.present(right, $0) }
      script += "count Row where \(left.text) == \(right.text)\n"
      expected.append("{\"result\":\(equal.count)}")
    } catch {
      divisions += 1
    }
  }

  private static func present<T>(_ expression: Expression<T>, _ row: Row) throws -> T? {
    do {
      return try expression.value(row)
    } catch let error as DivisionByZero { throw error } catch { return nil }
  }

  typealias Expression<T> = (text: String, value: (Row) throws -> T?)

  private mutating func int(_ depth: Int) -> Expression<Int> {
    guard depth > 0 else {
      switch random.below(4) {
      case 0: return ("a", { $0.a })
      case 1: return ("b", { $0.b })
      case 2: return ("id", { $0.id })
      default:
        let number = random.below(7)
        return ("\(number)", { _ in number })
      }
    }
    switch random.below(11) {
    case 0, 1:
      let (left, right) = (int(depth - 1), int(depth - 1))
      return (
        "(\(left.text) + \(right.text))",
        { row in
          let (left, right) = (try left.value(row), try right.value(row))
          guard let left, let right else { return nil }
          return left + right
        }
      )
    case 2:
      let (left, right) = (int(depth - 1), int(depth - 1))
      return (
        "(\(left.text) - \(right.text)) % 1000",
        { row in
          let (left, right) = (try left.value(row), try right.value(row))
          guard let left, let right else { return nil }
          return (left - right) % 1000
        }
      )
    case 3:
      let (left, right) = (int(depth - 1), int(0))
      return (
        "\(left.text) / (\(right.text) + 4)",
        { row in
          let (left, right) = (try left.value(row), try right.value(row))
          guard let left, let right else { return nil }
          if right == -4 { throw DivisionByZero() }
          return left / (right + 4)
        }
      )
    case 4:
      let (first, other) = (int(depth - 1), int(depth - 1))
      return (
        "(\(first.text) ?? \(other.text))",
        { row in try Self.known(first, row) ?? other.value(row) }
      )
    case 5:
      let inner = eighths(depth - 1)
      return ("int(\(inner.text))", { row in try inner.value(row).map { $0 / 8 } })
    case 6:
      // What is no int in every row is an error of the statement, of no row.
      let inner = random.chance(50) ? ("s", { $0.s }) : ofRow()
      return (
        "int(\(inner.text))",
        { row in
          guard let text = try inner.value(row) else { return nil }
          guard let number = Int(text) else { throw Fault.fault }
          return number
        }
      )
    case 7:
      let inner = string(depth - 1)
      return (
        "(\(inner.text)).trim.length",
        { row in
          try inner.value(row)?.trimmingCharacters(in: .whitespaces).count
        }
      )
    case 8:
      let inner = date(depth - 1)
      return (
        "(\(inner.text) + 0s).weekday",
        { row in
          try inner.value(row).map {
            ((Int((Double($0) / 86_400).rounded(.down)) + 3) % 7 + 7) % 7 + 1
          }
        }
      )
    case 9:
      let part = int(depth - 1)
      let key: Expression<Int> = (
        "id + \(part.text)", { row in try part.value(row).map { $0 + row.id } }
      )
      let isLenient = random.chance(50)
      return (
        "(Key#(\(key.text)).n\(isLenient ? " ?? -1" : "") + 0)",
        { row in
          do {
            guard let key = try key.value(row) else { return isLenient ? -1 : nil }
            guard [0, 1, 2, 3, 5].contains(key) else { throw Missing() }
            return key * 10
          } catch is Missing where isLenient { return -1 }
        }
      )
    default:
      let inner = int(depth - 1)
      return ("abs(\(inner.text))", { row in try inner.value(row).map(abs) })
    }
  }

  private struct Missing: Error {}
  /// In a predicate infinite.
  private struct DivisionByZero: Error {}

  /// The value before `??`: nil where an object is missing.
  private static func known<T>(_ expression: Expression<T>, _ row: Row) throws -> T? {
    do { return try expression.value(row) } catch is Missing { return nil }
  }

  /// A text that differs from row to row.
  private mutating func ofRow() -> Expression<String> {
    let inner = int(1)
    return (
      "string(id + \(inner.text))", { row in try inner.value(row).map { "\($0 + row.id)" } }
    )
  }

  private mutating func eighths(_ depth: Int) -> Expression<Int> {
    guard depth > 0 else {
      if random.chance(50) { return ("x", { $0.x }) }
      let number = random.below(33) - 16
      return ("(0.0 + \(Double(number) / 8))", { _ in number })
    }
    switch random.below(4) {
    case 0:
      let (left, right) = (eighths(depth - 1), eighths(depth - 1))
      return (
        "(\(left.text) - \(right.text))",
        { row in
          let (left, right) = (try left.value(row), try right.value(row))
          guard let left, let right else { return nil }
          return left - right
        }
      )
    case 1:
      let inner = eighths(depth - 1)
      return (
        "round(\(inner.text))",
        { row in
          try inner.value(row).map { ($0.magnitude + 4).asInt / 8 * 8 * $0.signum() }
        }
      )
    case 2:
      let inner = eighths(depth - 1)
      let isUp = random.chance(50)
      return (
        "\(isUp ? "ceil" : "floor")(\(inner.text))",
        { row in
          try inner.value(row).map { value in
            var result = value
            while result % 8 != 0 { result += isUp ? 1 : -1 }
            return result
          }
        }
      )
    default:
      let inner = int(depth - 1)
      return ("double(\(inner.text))", { row in try inner.value(row).map { $0 * 8 } })
    }
  }

  private mutating func string(_ depth: Int) -> Expression<String> {
    guard depth > 0 else {
      let literal = random.pick(["12", "a", "-3"])
      return random.chance(50) ? ("s", { $0.s }) : ("\"\(literal)\"", { _ in literal })
    }
    switch random.below(4) {
    case 0:
      let inner = int(depth - 1)
      return ("string(\(inner.text))", { row in try inner.value(row).map { "\($0)" } })
    case 1:
      let inner = string(depth - 1)
      return (
        "(\(inner.text) + \"\").replace(\"a\", \"-\")",
        { row in
          try inner.value(row).map { $0.replacing("a", with: "-") }
        }
      )
    case 2:
      let (first, other) = (string(depth - 1), string(0))
      return (
        "(\(first.text) ?? \(other.text))",
        { row in try Self.known(first, row) ?? other.value(row) }
      )
    default:
      let inner = string(depth - 1)
      return (
        "(\(inner.text) + \"\").trim.upper",
        { row in
          try inner.value(row)?.trimmingCharacters(in: .whitespaces).uppercased()
        }
      )
    }
  }

  private mutating func date(_ depth: Int) -> Expression<Int> {
    guard depth > 0 else { return ("t", { $0.t }) }
    switch random.below(4) {
    case 0:
      let hours = random.below(50)
      let inner = date(depth - 1)
      return (
        "(\(inner.text) + \(hours / 24)d\(hours % 24)h)",
        { row in
          try inner.value(row).map { $0 + hours * 3600 }
        }
      )
    case 1:
      let inner = date(depth - 1)
      return ("(\(inner.text) - 1w)", { row in try inner.value(row).map { $0 - 604_800 } })
    case 2:
      let inner = date(depth - 1)
      return (
        "(\(inner.text) + 0s).date",
        { row in
          try inner.value(row).map { Int((Double($0) / 86_400).rounded(.down)) * 86_400 }
        }
      )
    default:
      let inner = date(depth - 1)
      return (
        "(\(inner.text) ?? date(\"1.2.1971\", \"d.M.yyyy\"))",
        { row in
          try Self.known(inner, row) ?? 34_214_400
        }
      )
    }
  }
}

extension UInt {
  fileprivate var asInt: Int { Int(self) }
}
