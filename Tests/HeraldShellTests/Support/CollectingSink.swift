@testable import HeraldShell

/// Collects what a run prints.
final class CollectingSink: OutputSink {
  private(set) var output = ""
  private(set) var errors = ""

  func write(_ text: String) { output += text }
  func writeError(_ text: String) { errors += text }
}
