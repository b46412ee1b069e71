/// A function of values: `round(age / 7, 1)`, or behind its first argument `name.replace("a", "b")`, `(name + "x").lower`.
package struct CallSyntax: Sendable {
  package let function: Name
  /// Whether the first argument stands before the function.
  package let isSuffix: Bool
  package var arguments: [ExpressionSyntax]
  /// The function, if the program brings it.
  package var ofProgram: ProgramFunction?
}

extension CallSyntax: CustomStringConvertible {
  package var description: String {
    guard isSuffix, let first = arguments.first else {
      return "\(function.text)(\(Self.text(arguments[...])))"
    }
    let isOpen =
      switch first.kind {
      case .path, .call, .literal: first.quantifier != nil
      case .list, .arithmetic, .subquery, .fallback, .duration, .record, .generated, .query, .test,
        .projection:
        true
      }
    let receiver = isOpen ? "(\(first))" : "\(first)"
    let rest = arguments.count > 1 ? "(\(Self.text(arguments.dropFirst())))" : ""
    return "\(receiver).\(function.text)\(rest)"
  }

  private static func text(_ arguments: ArraySlice<ExpressionSyntax>) -> String {
    arguments.map(\.description).joined(separator: ", ")
  }
}
