import Herald

extension Context {
  /// Calls `body` to write a file that replaces the one at `path` if all succeeds.
  func writeFile(_ path: Name, _ body: (OutputFile) throws -> Void) throws {
    try writing(path) {
      let file = try OutputFile(path.text)
      try body(file)
      try file.finish()
    }
  }

  /// Reports a failure to write the file at `path` there in the statement.
  func writing<R>(_ path: Name, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let failure as File.Failure {
      throw self.failure(.cannotWrite(path: path.text, reason: failure.reason), at: path.span)
    }
  }
}
