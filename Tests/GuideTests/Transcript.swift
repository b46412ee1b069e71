import Synchronization
import Testing

/// What the listings of an article print.
enum Transcript {
  private static let lines = Mutex<[String]>([])

  static func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Waits for as many lines as are expected, which observers may print in a later turn, and compares.
  static func expect(_ expected: String) async throws {
    let expected = expected.split(separator: "\n").map(String.init)
    for _ in 0..<1000 where lines.withLock(\.count) < expected.count {
      try await Task.sleep(for: .milliseconds(2))
    }
    let printed = lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
    #expect(printed == expected)
  }
}

/// Notes what a listing prints. With the parameters of the standard library's function, which overload resolution would
/// prefer otherwise.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Transcript.note(items.map { String(describing: $0) }.joined(separator: separator))
}
