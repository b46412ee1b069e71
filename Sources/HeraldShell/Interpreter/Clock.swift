import Glibc

/// The time of day.
enum Clock {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  static var seconds: Int { time(nil) }
}
