/// Where the shell's output goes: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Text of one or more whole lines.
  func write(_ text: String)
  func writeError(_ text: String)
}

/// Collects output until a turn ends.
struct OutputBuffer {
  private static let limit = 1 << 16

  let sink: any OutputSink
  private var text = ""

  init(sink: any OutputSink) { self.sink = sink }

  mutating func write(line: String) {
    text += line
    text += "\n"
    if text.utf8.count > OutputBuffer.limit { flush() }
  }

  mutating func flush() {
    if text.isEmpty { return }
    let whole = text
    text = ""
    sink.write(whole)
  }
}
