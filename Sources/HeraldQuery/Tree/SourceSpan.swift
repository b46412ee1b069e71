/// A range of a source text, as byte offsets into its UTF-8.
public struct SourceSpan: Hashable, Sendable {
  public var start: Int
  public var end: Int

  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Returns the span from the start of this one to the end of `other`.
  func through(_ other: SourceSpan) -> SourceSpan { SourceSpan(start: start, end: other.end) }
}
