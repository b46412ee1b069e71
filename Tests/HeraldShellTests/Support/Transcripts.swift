import TestSupport

enum Transcripts {
  static let folder = "Tests/Transcripts"

  /// The scripts by name, such as `language/2-alter`. A name begins with the number of the rule that it holds.
  static let names = ["observation", "language"].flatMap { part in
    names(in: "\(folder)/\(part)").map { "\(part)/\($0)" }
  }

  private static func names(in folder: String) -> [String] {
    FileTree.names(in: Recording.path(folder)).filter { $0.hasSuffix(".herald") }
      .map { String($0.dropLast(7)) }.sorted()
  }
}
