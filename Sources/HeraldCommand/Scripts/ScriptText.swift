/// Bytes of a script as text, or the place of the first byte that is not UTF-8.
enum ScriptText {
  /// - Parameter firstLine: the line of `name` on which `bytes` begin.
  static func decode(
    _ bytes: ArraySlice<UInt8>, named name: String, firstLine: Int
  ) throws(ScriptProblem) -> String {
    var bytes = bytes
    if firstLine == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw ScriptProblem(
      message: "this byte is not UTF-8", name: name,
      place: firstInvalid(in: bytes, firstLine: firstLine), status: .statementFailed)
  }

  private static func firstInvalid(
    in bytes: ArraySlice<UInt8>, firstLine: Int
  ) -> (line: Int, column: Int) {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var line = firstLine
    var column = 1
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column)
  }
}
