import Herald
import Testing

@testable import HeraldShell

/// What a run of a script printed and left.
struct ScriptRun {
  var output: String
  var errors: String
  var status: Int32

  init(_ text: String, named name: String = "test", _ options: Interpreter.Options = .init()) {
    self.init([Source(name: name, text: text)], options)
  }

  /// Runs the pieces of a script one after the other, as they come through a pipe.
  init(_ pieces: [Source], _ options: Interpreter.Options = .init()) {
    let sink = CollectingSink()
    let interpreter = Interpreter(options: options, sink: sink)
    for piece in pieces {
      if !interpreter.run(piece) { break }
    }
    interpreter.finishChecked()
    (output, errors, status) = (sink.output, sink.errors, interpreter.exitStatus)
  }
}

extension Interpreter {
  /// Finishes, and records every inconsistency that a recount of the store finds.
  func finishChecked() {
    // A defined query may name an object that a script has deleted, which is no inconsistency.
    for problem in main.store?.check() ?? [] {
      if problem.hasPrefix("query '"), problem.hasSuffix(", which does not exist") { continue }
      Issue.record("the store: \(problem)")
    }
    finish()
  }
}
