/// A point in time: seconds since 1970-01-01 00:00:00 UTC, and nanoseconds (0 ..< 1_000_000_000)
/// counted forward from them.
public struct Timestamp: Hashable, Comparable, Sendable {
  public let seconds: Int
  public let nanoseconds: Int32

  public init(seconds: Int, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}
