import NIOCore

/// What waits for a reader who is slow. Bytes that the system takes at once do not wait.
struct EventBacklog {
  private var bytes = 0
  /// When the reader last took all that waited.
  private var since = NIODeadline.now()

  /// Whether the reader has fallen too far behind to be sent so many bytes more.
  mutating func isExceeded(
    by count: Int, _ channel: any Channel, _ limits: ServerSettings.Limits
  ) -> Bool {
    if channel.isWritable {
      (bytes, since) = (0, .now())
      return false
    }
    bytes += count
    return bytes > limits.backlog || NIODeadline.now() - since > .milliseconds(Int64(limits.stall))
  }
}
