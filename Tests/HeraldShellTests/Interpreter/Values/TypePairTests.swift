import Testing

@testable import HeraldShell

/// Language 5: numbers compare with numbers, `any` with everything and every other type with its
/// like; anything else is an error.
@Suite struct TypePairTests {
  private enum Kind: String, CaseIterable {
    case bool, int, float, double, decimal, string, data, date, uuid, objectid, any
    case link = "X"

    var isNumber: Bool { [.int, .float, .double, .decimal].contains(self) }
    var isText: Bool { self == .string || self == .data }

    func compares(with other: Kind) -> Bool {
      self == other || (isNumber && other.isNumber) || self == .any || other == .any
    }

    var property: String { "p_\(rawValue)" }

    var declaration: String {
      self == .any || self == .link ? "\(property): \(rawValue)" : "\(property): \(rawValue)?"
    }

    /// A value of the type; nil for `any`, whose values have the other types.
    var literal: String? {
      switch self {
      case .bool: "true"
      case .int: "1"
      case .float, .double, .decimal: "1.5"
      case .string: "\"s\""
      case .data: "binary(\"Zm9v\")"
      case .date: "T1:0"
      case .uuid: "uuid(\"00000000-0000-0000-0000-000000000001\")"
      case .objectid: "oid(\"000000000000000000000001\")"
      case .any: nil
      case .link: "X#1"
      }
    }
  }

  private static let schema =
    "class X { \(Kind.allCases.map(\.declaration).joined(separator: "; ")) }; add X { }\n"

  /// A statement that fails unless the result, or the error, is as expected.
  private func statement(_ predicate: String, isAllowed: Bool) -> String {
    let statement = "count X where \(predicate)"
    return isAllowed ? statement + "\n" : "expect error \"\" { \(statement) }\n"
  }

  private func check(_ statements: [String]) {
    let run = ScriptRun(TypePairTests.schema + statements.joined())
    #expect(run.errors == "")
  }

  @Test func `comparisons of types follow the reference`() {
    var statements: [String] = []
    for a in Kind.allCases {
      for b in Kind.allCases {
        for relation in ["==", "!=", "<", "<=", ">", ">="] {
          let isOrder = relation != "==" && relation != "!="
          let isOfLinks = a == .link || b == .link
          let isAllowed = a.compares(with: b) && !(isOrder && isOfLinks)
          statements.append(
            statement("\(a.property) \(relation) \(b.property)", isAllowed: isAllowed))
          guard let literal = b.literal else { continue }
          // Text in quotes is a date where a date is expected, but "s" is none.
          statements.append(statement("\(a.property) \(relation) \(literal)", isAllowed: isAllowed))
          statements.append(statement("\(literal) \(relation) \(a.property)", isAllowed: isAllowed))
        }
      }
    }
    check(statements)
  }

  @Test func `types in lists, in strings and in arithmetic follow the reference`() {
    var statements: [String] = []
    for a in Kind.allCases {
      for b in Kind.allCases {
        for sign in ["+", "-", "*", "/", "%"] {
          let areNumbers = [a, b].allSatisfy { $0.isNumber || $0 == .any }
          let areStrings = [a, b].allSatisfy { $0 == .string || $0 == .any }
          let areDates = [a, b].allSatisfy { $0 == .date || $0 == .any }
          let isDistance = sign == "-" && areDates && !areNumbers
          let joins = sign == "+" && areStrings && !areNumbers
          statements.append(
            statement(
              "\(a.property) \(sign) \(b.property) == \(joins ? "\"x\"" : "1")",
              isAllowed: areNumbers || joins || isDistance))
        }
        guard let literal = b.literal else { continue }
        let compares = a.compares(with: b)
        statements.append(statement("\(a.property) IN {\(literal)}", isAllowed: compares))
        statements.append(
          statement(
            "\(a.property) BETWEEN [\(literal), \(literal)]",
            isAllowed: compares && a != .link && b != .link))
        for word in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "CONTAINS[c]", "==[c]"] {
          let areText = b.isText && (a.isText || a == .any) && compares
          statements.append(statement("\(a.property) \(word) \(literal)", isAllowed: areText))
        }
        statements.append(
          statement(
            "\(a.property) MATCHES \(literal)",
            isAllowed: b == .string && (a == .string || a == .any)))
      }
    }
    check(statements)
  }
}
