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

extension Context {
  /// Runs the tour in an interpreter and a store of its own, so that this one keeps its store, its
  /// variables and its observers. It asks for confirmation between two steps.
  func tour(_ span: SourceSpan) throws {
    shell.output.flush()
    var options = Interpreter.Options()
    options.echoes = true
    if !shell.isRedirected { options.window = shell.options.window }
    let guide = Interpreter(options: options, sink: shell.output.sink)
    guide.mode = shell.mode
    defer { guide.finish() }
    for (index, step) in Tour.steps.enumerated() {
      let title = "\(index + 1) of \(Tour.steps.count): \(step.title)"
      guide.emit(.step(title: title, text: step.text))
      for moment in step.moments {
        try checkInterruption(span)
        guide.show(moment)
      }
      guide.output.flush()
      guard index + 1 < Tour.steps.count, !shell.isRedirected else { continue }
      if shell.options.shouldContinue?() == false { return }
    }
    guide.emit(.remark(Tour.farewell))
  }
}

extension Interpreter {
  fileprivate func show(_ moment: Tour.Moment) {
    run(Source(name: "tour", text: moment.statements))
    emit(.remark(moment.remark))
  }
}
