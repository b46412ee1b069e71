import Herald

extension Interpreter {
  /// Calls `body` while a file is marked as being read.
  func reading<R>(_ file: ScriptFile, _ body: () throws -> R) rethrows -> R {
    filesBeingRead.append(file)
    defer { filesBeingRead.removeLast() }
    return try body()
  }
}
