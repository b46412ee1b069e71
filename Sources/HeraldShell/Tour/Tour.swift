import Herald

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

extension Interpreter {
  /// Runs the tour in an interpreter and a store of its own: this one keeps its store, its variables
  /// and its observers. Between two steps whoever reads is asked whether to go on.
  func tour(_ span: SourceSpan, _ context: Context) throws {
    output.flush()
    var options = Options()
    options.echoes = true
    options.window = self.options.window
    let guide = Interpreter(options: options, sink: sink)
    guide.mode = mode
    defer { guide.finish() }
    for (index, step) in Tour.steps.enumerated() {
      let title = "\(index + 1) of \(Tour.steps.count): \(step.title)"
      guide.emit(.step(title: title, text: step.text))
      for moment in step.moments {
        try checkInterruption(context, span)
        guide.show(moment)
      }
      guide.output.flush()
      if index + 1 < Tour.steps.count, self.options.goesOn?() == false { return }
    }
    guide.emit(.remark(Tour.farewell))
  }

  private func show(_ moment: Tour.Moment) {
    run(Source(name: "tour", text: moment.statements))
    emit(.remark(moment.remark))
  }
}
