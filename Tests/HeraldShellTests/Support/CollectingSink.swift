@testable import HeraldShell

/// Collects what a run prints.
final class CollectingSink: OutputSink {
  private(set) var output = ""
  private(set) var errors = ""

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    output += text
    return text.endIndex
  }
  func writeError(_ text: String) { errors += text }
  func clearErrors() { errors = "" }
}
