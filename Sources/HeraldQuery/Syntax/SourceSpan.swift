/// A range of a source text, as byte offsets into its UTF-8.
public struct SourceSpan: Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// The byte after the last one.
  public var end: Int

  /// The bytes from one to another.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Returns the span from the start of this one to the end of `other`.
  func through(_ other: SourceSpan) -> SourceSpan { SourceSpan(start: start, end: other.end) }
}
