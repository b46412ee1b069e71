import HeraldShell

/// What became of one script that was run as a test.
struct TestResult: Equatable {
  struct Failure: Equatable {
    var message: String
    /// Whether an expectation failed, and not a statement.
    var isExpectation: Bool
    /// nil where no statement is at fault.
    var place: Place?
  }

  struct Place: Equatable {
    var file: String
    var line: Int
    var column: Int
    var statement: String
  }

  var file: String
  /// The exit status that the script alone would have had.
  var status: Int32
  /// nil for a script that passed.
  var failure: Failure?
  /// What it printed.
  var output: String
  /// The failures as a script tells them.
  var errors: String

  var isInterrupted: Bool { status == ExitStatus.interrupted }
}

extension TestResult {
  init(file: String, _ interpreter: Interpreter, output: String, errors: String) {
    self.file = file
    status = interpreter.exitStatus
    self.output = output
    self.errors = errors
    guard let error = interpreter.firstFailure else { return }
    let position = error.position
    let place = Place(
      file: error.source.name, line: position.line, column: position.column,
      statement: error.excerpt)
    failure = Failure(
      message: error.message, isExpectation: status == ExitStatus.expectationFailed,
      place: error.excerpt.isEmpty ? nil : place)
  }
}
