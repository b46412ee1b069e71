/// What the command needs of the interpreter, and all that the terminal knows of it.
protocol Session: AnyObject {
  /// Store and session, for the prompt.
  var promptText: String { get }

  /// True after `quit`, and in a script after the failure that ends it.
  var wantsToQuit: Bool { get }

  /// The first failure's status, or success.
  var exitStatus: ExitStatus { get }

  /// Makes the running statement fail and roll back. Called from the thread that waits for signals.
  var interrupt: @Sendable () -> Void { get }

  /// False while a bracket or string that `text` opens is not closed.
  func isComplete(_ text: String) -> Bool

  /// Runs every statement of `text`, the first of which stands on line `firstLine` of `name`.
  func run(_ text: String, named name: String, firstLine: Int)

  /// Reports what kept a script from being read, as any other error is reported.
  func report(_ problem: ScriptProblem)
}

/// What is wrong with a script before its first statement is read.
struct ScriptProblem: Error {
  let message: String
  let name: String
  /// Line and column, both from 1, where the problem has a place.
  var place: (line: Int, column: Int)?
  let status: ExitStatus
}
