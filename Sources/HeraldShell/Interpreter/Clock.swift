import Glibc

/// The time of day.
enum Clock {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  static var seconds: Int { time(nil) }

  /// Seconds since some moment, whatever happens to the time of day.
  static var uptime: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Lets some milliseconds go by.
  static func pause() { usleep(5_000) }
}
