import Herald

extension Interpreter {
  /// The window in which rows are written; nil if the output does not go to a window.
  var window: Window? { isRedirected ? nil : options.window?() }
}
