/// The tour: what is shown to somebody who sees Herald for the first time, in an order in which each
/// step builds on those before it. All of its steps run on one store, which is the tour's own.
package enum Tour {
  /// As much as fits on a screen.
  package struct Step: Sendable {
    package let title: String
    /// What the step is about.
    package let text: String
    package let moments: [Moment]
  }

  /// Statements, and what to see in what they print.
  package struct Moment: Sendable {
    /// As they are typed, one a line.
    package let statements: String
    package let remark: String

    init(_ statements: String, _ remark: String) {
      self.statements = statements
      self.remark = remark
    }
  }

  package static let steps = listening + restricting + answering
}
