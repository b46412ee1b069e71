import TestSupport
import Testing

@testable import HeraldShell

/// A store in which statements are run one after another.
final class LiveRun {
  private let sink = CollectingSink()
  private let interpreter: Interpreter
  private var seen = 0

  init(_ beginning: String) {
    var options = Interpreter.Options()
    options.mode = .json
    interpreter = Interpreter(options: options, sink: sink)
    self(beginning)
    _ = take()
  }

  func callAsFunction(_ text: String) {
    interpreter.run(Source(name: "test", text: text))
    #expect(sink.errors == "", "\(text)")
  }

  /// The lines since the last call.
  func take() -> [String] {
    let lines = sink.output.dropFirst(seen).split(separator: "\n").map(String.init)
    seen = sink.output.count
    return lines
  }

  /// What a statement prints, which is taken.
  func lines(_ statement: String) -> [String] {
    let kept = seen
    seen = sink.output.count
    self(statement)
    defer { seen = max(kept, sink.output.count) }
    return take()
  }

  /// The value of an expression, null if it cannot be computed.
  func value(_ expression: String) -> String {
    let sizes = (sink.output.count, sink.errors.count)
    interpreter.run(Source(name: "test", text: "print \(expression)"))
    if sink.errors.count > sizes.1 {
      sink.clearErrors()
      return "null"
    }
    let text = sink.output.dropFirst(sizes.0).split(separator: "\n").first ?? ""
    seen = sink.output.count
    return String(text.dropFirst("{\"result\":".count).dropLast())
  }

  func finish() { interpreter.finishChecked() }
}
