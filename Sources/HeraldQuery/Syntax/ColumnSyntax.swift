/// One of the columns of `show Dog { name, age * 7 as dogYears }`.
public struct ColumnSyntax: Sendable {
  /// The name after `as`, or else the text of the expression.
  package let name: Name
  /// What the column shows.
  public let expression: ExpressionSyntax

  package init(name: Name, expression: ExpressionSyntax) {
    self.name = name
    self.expression = expression
  }
}
