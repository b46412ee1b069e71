import Herald

/// The tour for somebody who sees Herald for the first time; each step builds on those before it. All
/// steps run on one store, which is the tour's own.
package enum Tour {
  /// As much as fits on a screen.
  package struct Step: Sendable {
    package let title: String
    /// The introduction of the step.
    package let text: String
    package let moments: [Moment]
  }

  /// Statements, and a remark on their output.
  package struct Moment: Sendable {
    /// As they are typed, one a line.
    package let statements: String
    package let remark: String

    init(_ statements: String, _ remark: String) {
      self.statements = statements
      self.remark = remark
    }
  }

  package static let steps = observing + restricting + reacting
}
