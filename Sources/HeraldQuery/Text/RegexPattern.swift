import Synchronization

/// A compiled pattern of `MATCHES`, by the rules of Swift's `Regex`; a text matches as a whole.
final class RegexPattern: @unchecked Sendable {
  let pattern: String
  let foldsCase: Bool
  // Never changed, and its own caches are atomic, so that several threads may match with it.
  private let regex: Regex<AnyRegexOutput>

  private init(_ pattern: String, foldsCase: Bool) throws {
    self.pattern = pattern
    self.foldsCase = foldsCase
    let regex = try Regex(pattern)
    self.regex = foldsCase ? regex.ignoresCase() : regex
  }

  func matches(_ text: String) -> Bool { (try? regex.wholeMatch(in: text)) != nil }

  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    matches(String(decoding: bytes, as: UTF8.self))
  }

  /// The last pattern: that of the query that is bound, or of the row before.
  private static let last = Mutex<RegexPattern?>(nil)

  /// Returns a compiled pattern, the last one if it is the same. Errors: those of `Regex`, for an invalid pattern.
  static func compiled(_ pattern: String, foldsCase: Bool) throws -> RegexPattern {
    let known = last.withLock { $0 }
    if let known, known.pattern == pattern, known.foldsCase == foldsCase { return known }
    let compiled = try RegexPattern(pattern, foldsCase: foldsCase)
    last.withLock { $0 = compiled }
    return compiled
  }
}
