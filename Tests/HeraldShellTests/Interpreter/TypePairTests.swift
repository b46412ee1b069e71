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

  /// A statement that asks, and fails unless the answer, or the refusal, is as told.
  private func question(_ predicate: String, isAllowed: Bool) -> String {
    let statement = "count X where \(predicate)"
    return isAllowed ? statement + "\n" : "expect error \"\" { \(statement) }\n"
  }

  private func check(_ questions: [String]) {
    let run = Run(TypePairTests.schema + questions.joined())
    #expect(run.errors == "")
  }

  @Test func `types meet in comparisons as the page says`() {
    var questions: [String] = []
    for a in Kind.allCases {
      for b in Kind.allCases {
        for relation in ["==", "!=", "<", "<=", ">", ">="] {
          let isOrder = relation != "==" && relation != "!="
          let isOfLinks = a == .link || b == .link
          let isAllowed = a.compares(with: b) && !(isOrder && isOfLinks)
          questions.append(
            question("\(a.property) \(relation) \(b.property)", isAllowed: isAllowed))
          guard let literal = b.literal else { continue }
          // Text in quotes is a date where a date is expected, but "s" is none.
          questions.append(question("\(a.property) \(relation) \(literal)", isAllowed: isAllowed))
          questions.append(question("\(literal) \(relation) \(a.property)", isAllowed: isAllowed))
        }
      }
    }
    check(questions)
  }

  @Test func `types meet in lists, in text and in arithmetic as the page says`() {
    var questions: [String] = []
    for a in Kind.allCases {
      for b in Kind.allCases {
        for sign in ["+", "-", "*", "/"] {
          let areNumbers = [a, b].allSatisfy { $0.isNumber || $0 == .any }
          questions.append(
            question("\(a.property) \(sign) \(b.property) == 1", isAllowed: areNumbers))
        }
        guard let literal = b.literal else { continue }
        let compares = a.compares(with: b)
        questions.append(question("\(a.property) IN {\(literal)}", isAllowed: compares))
        questions.append(
          question(
            "\(a.property) BETWEEN [\(literal), \(literal)]",
            isAllowed: compares && a != .link && b != .link))
        for word in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "CONTAINS[c]", "==[c]"] {
          let areText = b.isText && (a.isText || a == .any) && compares
          questions.append(question("\(a.property) \(word) \(literal)", isAllowed: areText))
        }
      }
    }
    check(questions)
  }
}
