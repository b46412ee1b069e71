import HeraldShell

/// The statements typed at the prompt and the shell's output: a real run, on a store in memory.
struct RecordedSession {
  struct Exchange {
    let prompt: String
    let statement: String
    /// The lines of the output, with the colours of a terminal.
    let output: [String]
  }

  let exchanges: [Exchange]
  /// The prompt at the end.
  let lastPrompt: String

  /// Runs a script: one statement per line; empty lines and comments are not typed. Files in `Documentation` are
  /// found from `root`, a folder.
  init(script: String, root: String = ".") {
    let screen = RecordedScreen()
    var options = Interpreter.Options()
    options.isInteractive = true
    options.window = { Window(columns: 100, rows: 40, isColored: true) }
    let interpreter = Interpreter(options: options, sink: screen)
    var exchanges: [Exchange] = []
    for line in script.split(separator: "\n") where !line.hasPrefix("#") {
      let prompt = interpreter.promptText
      let text = String(line).replacing("Documentation/", with: root + "/Documentation/")
      interpreter.run(Source(name: "prompt", text: text))
      exchanges.append(
        Exchange(prompt: prompt, statement: String(line), output: screen.takeLines()))
    }
    self.exchanges = exchanges
    lastPrompt = interpreter.promptText
    interpreter.finish()
  }
}

/// Records the shell's output until `takeLines` is called.
private final class RecordedScreen: OutputSink {
  private var text = ""

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    self.text += text
    return text.endIndex
  }
  func writeError(_ text: String) { self.text += text }

  func takeLines() -> [String] {
    defer { text = "" }
    return text.split(separator: "\n").map(String.init)
  }
}
