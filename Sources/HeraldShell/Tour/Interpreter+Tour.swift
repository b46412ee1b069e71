import Herald

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
