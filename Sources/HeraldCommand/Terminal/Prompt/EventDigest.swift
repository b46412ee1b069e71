/// The text of events above a half-typed line, or their number if they would flood the screen.
enum EventDigest {
  /// The maximum number of lines shown at once.
  static let limit = 200

  static func text(of events: String) -> String {
    let count = events.utf8.count { $0 == UInt8(ascii: "\n") }
    return count <= limit ? events : "\(count) lines of events: 'events' shows them\n"
  }
}
