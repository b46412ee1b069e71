import Herald

extension Interpreter {
  func emit(_ line: OutputLine) {
    switch mode {
    case .text, .line, .csv, .markdown, .jsonl:
      TextRenderer(mode: mode, window: window).write(line, &output)
    case .json: JSONRenderer.write(line, &output)
    }
  }

  /// Confirms a change, only at the prompt; for a file that is read there, confirms only the file.
  func confirm(_ text: () -> String) {
    guard options.isInteractive, mode != .json, filesBeingRead.isEmpty, !isRedirected else {
      return
    }
    emit(.confirmation(text()))
  }

  /// The window in which rows are written; nil if the output does not go to a window.
  var window: Window? { isRedirected ? nil : options.window?() }
}
