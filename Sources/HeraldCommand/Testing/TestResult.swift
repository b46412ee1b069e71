import HeraldShell

/// The result of one script that was run as a test.
struct TestResult: Equatable {
  struct Failure: Equatable {
    var message: String
    /// Whether an expectation failed rather than a statement.
    var isExpectation: Bool
    /// The statement that failed; nil if none did.
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
  /// Nil for a script that passed.
  var failure: Failure?
  /// The output of the script.
  var output: String
  /// The messages of the failures, as a script prints them.
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
      statement: error.statementText)
    failure = Failure(
      message: error.message, isExpectation: status == ExitStatus.expectationFailed,
      place: error.statementText.isEmpty ? nil : place)
  }
}
