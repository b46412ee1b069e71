internal import Glibc

extension Timestamp {
  /// The system's clock, in microseconds.
  package static var now: Timestamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(seconds: now.tv_sec, nanoseconds: Int32(now.tv_nsec / 1_000 * 1_000))
  }

  /// The moment so many seconds later; nil beyond what can be represented.
  package func advanced(bySeconds count: Int) -> Timestamp? {
    let (sum, overflow) = seconds.addingReportingOverflow(count)
    return overflow ? nil : Timestamp(seconds: sum, nanoseconds: nanoseconds)
  }

  /// The seconds since an earlier moment, negative since a later one.
  package func seconds(since other: Timestamp) -> Double {
    let (whole, overflow) = seconds.subtractingReportingOverflow(other.seconds)
    let rest = Int(nanoseconds) - Int(other.nanoseconds)
    // Rounded once where the nanoseconds are so many that a double has each.
    if !overflow, abs(whole) < 9_000_000 { return Double(whole * 1_000_000_000 + rest) / 1e9 }
    return (overflow ? Double(seconds) - Double(other.seconds) : Double(whole)) + Double(rest) / 1e9
  }

  /// In UTC, rounded down.
  var daysSince1970: Int { seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1 }

  /// The beginning of the day, in UTC.
  package var midnight: Timestamp {
    let (start, overflow) = daysSince1970.multipliedReportingOverflow(by: 86_400)
    return Timestamp(seconds: overflow ? .min : start)
  }

  /// The day of the week, from 1, Monday, to 7.
  package var weekday: Int { ((daysSince1970 % 7) + 10) % 7 + 1 }

  /// The week of ISO 8601, from 1 to 53: that of the Thursday of the same week. nil beyond the calendar's years.
  package var week: Int? {
    guard calendarParts != nil else { return nil }
    let thursday = Timestamp(seconds: (daysSince1970 - weekday + 4) * 86_400)
    guard let year = thursday.calendarParts?.year, let first = Timestamp(year: year) else {
      return nil
    }
    return (thursday.daysSince1970 - first.daysSince1970) / 7 + 1
  }
}
