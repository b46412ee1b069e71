/// The limits of the log. It keeps the newest entries, as many as all limits allow, and always the last one.
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
