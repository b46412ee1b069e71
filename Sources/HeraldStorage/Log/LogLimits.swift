/// How many of its newest entries the log keeps: as many as every limit allows, and at least one.
package struct LogLimits: Sendable {
  /// The size of all entries, in bytes.
  package var bytes: Int
  package var entries: Int
  /// Whether an entry is too old; nil to keep entries of any age.
  package var isExpired: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

  package init(
    bytes: Int = .max, entries: Int = .max / 2,
    isExpired: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
  ) {
    self.bytes = bytes
    self.entries = entries
    self.isExpired = isExpired
  }
}
