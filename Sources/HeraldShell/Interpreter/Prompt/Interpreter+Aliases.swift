import Herald

extension Interpreter {
  /// The statement with its alias replaced; nil if it begins with none.
  func expanded(_ source: Source, _ statement: SourceSpan) -> Source? {
    guard !aliases.isEmpty else { return nil }
    // The name needs something after it, because at the end it could be incomplete.
    let text = Array(source.bytes[statement.start..<statement.end]) + [Byte.newline]
    let expansion = AliasExpansion(text, aliases: aliases)
    guard !expansion.replaced.isEmpty else { return nil }
    return Source(
      name: source.name, bytes: expansion.bytes, path: source.path,
      firstLine: source.position(of: statement.start).line)
  }
}
