import Glibc
import HeraldModel

extension Timestamp {
  /// The system's clock, in microseconds.
  static var now: Timestamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(seconds: now.tv_sec, nanoseconds: Int32(now.tv_nsec / 1_000 * 1_000))
  }
}
