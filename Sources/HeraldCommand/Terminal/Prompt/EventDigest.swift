/// What is shown of events above a half-typed line: all of them, unless they would flood the screen.
enum EventDigest {
  /// As many lines at once are shown.
  static let limit = 200

  static func text(of events: String) -> String {
    let count = events.utf8.count { $0 == UInt8(ascii: "\n") }
    return count <= limit ? events : "\(count) lines of events: 'events' shows them\n"
  }
}
