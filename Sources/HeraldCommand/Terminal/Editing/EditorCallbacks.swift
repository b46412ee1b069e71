/// The callbacks of the shell that an editor reads lines for.
struct EditorCallbacks {
  /// Runs the turns due after others' commits and returns the output to show above the line.
  var takeTurns: () -> String = { "" }
  /// Stops the statement that runs, or the next one.
  var interrupt: () -> Void = {}
  /// Clears an interruption that had nothing to stop.
  var forgetInterruption: () -> Void = {}
}
