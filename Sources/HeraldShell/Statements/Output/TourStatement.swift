import Herald

/// `tour`: runs the tour in an interpreter and a store of its own, so that this one keeps its store, its
/// variables and its observers. It asks for confirmation between two steps.
struct TourStatement: StatementForm {
  static let command = Command(
    "tour", ["tour"], "learn in five minutes what can be observed, step by step",
    [
      "It runs on a store of its own and explains each event. At the prompt Enter continues with "
        + "the next step and q leaves; a script runs all steps."
    ], parse: { _ in Self() })

  func run(in context: Context) throws {
    let shell = context.shell
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
        try context.checkInterruption(context.span)
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
