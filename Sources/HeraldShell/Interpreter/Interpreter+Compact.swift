import Herald

extension Interpreter {
  func compact(_ span: SourceSpan, _ context: Context) throws {
    _ = try store(context)
  }
}
