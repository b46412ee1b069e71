import TestSupport
import Testing

@testable import HeraldQuery

/// `CONTAINS` and `LIKE` against searches that try everything, and at sizes at which these would not end.
struct TextSearchTests {
  private func contains(_ needle: String, _ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { Needle(Array(needle.utf8)).end(in: $0, from: 0) != nil }
  }

  private func matches(_ pattern: String, _ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { LikePattern(Array(pattern.utf8)).matches($0) }
  }

  /// What `LIKE` means, character by character.
  private func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch sign {
    case "*": return text.indices.contains { isLike(text[$0...], rest) } || isLike([], rest)
    case "?": return !text.isEmpty && isLike(text.dropFirst(), rest)
    case _: return text.first == sign && isLike(text.dropFirst(), rest)
    }
  }

  private func randomText(
    of signs: [String], atMost length: Int, _ generator: inout SplitMix64
  ) -> String {
    (0..<Int.random(in: 0...length, using: &generator))
      .map { _ in signs[Int.random(in: 0..<signs.count, using: &generator)] }.joined()
  }

  @Test(arguments: seeds(8))
  func `a substring is found where a search at every position finds it`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let text = randomText(of: ["a", "b", "é"], atMost: 40, &generator)
      let needle = randomText(of: ["a", "b", "é"], atMost: 6, &generator)
      let (bytes, sought) = (Array(text.utf8), Array(needle.utf8))
      let first = (0...bytes.count).first { bytes[$0...].starts(with: sought) }
      let end = bytes.withUnsafeBytes { Needle(sought).end(in: $0, from: 0) }
      #expect(end == first.map { $0 + sought.count }, "'\(needle)' in '\(text)'")
    }
  }

  /// Long enough for the linear search to take over, with parts that nearly fit.
  @Test(arguments: seeds(4))
  func `so it is in long texts of few letters`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let text = Array(
        (0..<4_000).map { _ in Int.random(in: 0..<50, using: &generator) == 0 ? "b" : "a" }.joined()
          .utf8)
      let start = Int.random(in: 0..<3_500, using: &generator)
      let length = Int.random(in: 40..<400, using: &generator)
      let sought = Array(text[start..<start + length])
      let first = (0...start).first { text[$0...].starts(with: sought) }
      let end = text.withUnsafeBytes { Needle(sought).end(in: $0, from: 0) }
      #expect(end == first.map { $0 + length })
    }
  }

  @Test(arguments: seeds(8))
  func `LIKE means what it means character by character`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let text = randomText(of: ["a", "b", "é", "日", "🐶"], atMost: 9, &generator)
      let pattern = randomText(of: ["a", "b", "é", "日", "🐶", "?", "*", "*"], atMost: 7, &generator)
      #expect(
        matches(pattern, text)
          == isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...]),
        "'\(text)' LIKE '\(pattern)'")
    }
  }

  @Test func `a backslash takes a sign for itself`() {
    #expect(matches("a\\*b", "a*b"))
    #expect(!matches("a\\*b", "axb"))
    #expect(matches("*\\?", "what?"))
    #expect(matches("\\\\*", "\\x"))
  }

  /// A search at every position would compare 40,000,000,000 bytes here.
  @Test func `the worst substrings and patterns are found in the time of one pass`() {
    let many = String(repeating: "a", count: 400_000)
    let half = String(repeating: "a", count: 200_000)
    #expect(!contains(half + "b", many))
    #expect(contains(half + "b", many + "b"))
    #expect(!contains("b" + half, many))
    #expect(!matches("*\(half)b*", many))
    #expect(matches("*\(half)b", many + "b"))
    #expect(!matches(String(repeating: "*a", count: 100_000) + "b", many))
    #expect(matches(String(repeating: "a*", count: 100_000), many))
    #expect(!matches("*" + String(repeating: "?a", count: 32) + "b*", many))
  }
}
