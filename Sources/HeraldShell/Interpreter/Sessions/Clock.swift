import Glibc

/// The time of day.
enum Clock {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  static var seconds: Int { time(nil) }

  /// In the user's time zone: `16:05:09`.
  static var timeOfDay: String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { number in
      number < 10 ? "0\(number)" : "\(number)"
    }.joined(separator: ":")
  }

  /// A monotonic clock, in seconds since an arbitrary moment.
  static var uptime: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Sleeps for half a millisecond, about the time of a commit.
  static func pause() { usleep(500) }
}
