import HeraldModel
import TestSupport
import Testing

@testable import HeraldQuery

@Suite struct DatePatternTests {
  private static func read(_ text: String, _ pattern: String) throws -> Timestamp? {
    let pattern = try DatePattern(pattern)
    return Array(text.utf8).withUnsafeBufferPointer { pattern.timestamp($0) }
  }

  @Test(arguments: [
    ("31.01.2020", "dd.MM.yyyy", "2020-01-31"), ("01/31/2020", "MM/dd/yyyy", "2020-01-31"),
    ("1/2/69", "d/M/yy", "1969-02-01"), ("1/2/68", "d/M/yy", "2068-02-01"),
    ("20200131", "yyyyMMdd", "2020-01-31"), ("2020", "yyyy", "2020-01-01"),
    ("2020-01-31 7:05:09", "yyyy-MM-dd H:mm:ss", "2020-01-31T07:05:09Z"),
    ("31.1.2020 um 7 o'clock", "d.M.yyyy 'um' H 'o''clock'", nil),
    ("31.1.2020 um 7", "d.M.yyyy 'um' H", "2020-01-31T07:00:00Z"),
    ("2020'12", "yyyy''MM", "2020-12-01"), ("31.02.2020", "dd.MM.yyyy", nil),
    ("1.2.2020", "dd.MM.yyyy", nil), ("31.01.20", "dd.MM.yyyy", nil),
    ("31.01.2020 ", "dd.MM.yyyy", nil), ("", "dd.MM.yyyy", nil), ("29.02.2021", "dd.MM.yyyy", nil),
    ("29.02.2024 24:00", "dd.MM.yyyy HH:mm", nil),
    ("5-Jan-2020", "d-MMM-yyyy", "2020-01-05"), ("05 DEC 20", "dd MMM yy", "2020-12-05"),
    ("5-Jab-2020", "d-MMM-yyyy", nil), ("5-Ja", "d-MMM-yyyy", nil),
    ("january 5, 2020", "MMMM d, yyyy", "2020-01-05"), ("Mai 5, 2020", "MMMM d, yyyy", nil),
    ("May 5, 2020", "MMMM d, yyyy", "2020-05-05"), ("Jan 5, 2020", "MMMM d, yyyy", nil),
    ("1/5/2020 3:04 PM", "M/d/yyyy h:mm a", "2020-01-05T15:04:00Z"),
    ("1/5/2020 12:04 am", "M/d/yyyy h:mm a", "2020-01-05T00:04:00Z"),
    ("1/5/2020 12:04 PM", "M/d/yyyy h:mm a", "2020-01-05T12:04:00Z"),
    ("1/5/2020 03:04:05AM", "M/d/yyyy hh:mm:ssa", "2020-01-05T03:04:05Z"),
    ("1/5/2020 13:04 PM", "M/d/yyyy h:mm a", nil), ("1/5/2020 0:04 PM", "M/d/yyyy h:mm a", nil),
    ("1/5/2020 3:04", "M/d/yyyy h:mm a", nil), ("1/5/2020 3:04 P", "M/d/yyyy h:mm a", nil),
  ])
  func `a text is read by its form`(text: String, pattern: String, date: String?) throws {
    #expect(try Self.read(text, pattern) == date.flatMap { Timestamp(iso8601: $0) })
  }

  @Test(arguments: [
    ("dd.MM", "a form of dates needs a year, yyyy or yy"),
    ("", "a form of dates needs a year, yyyy or yy"),
    ("yyyy MM M", "'M' stands twice in the form of dates"),
    ("yyyy-MMMMM", "unknown 'MMMMM' in the form of dates"), ("yyyy aa", "unknown 'aa' in the form"),
    ("yyyy hhh", "unknown 'hhh' in the form of dates"), ("yyyy MMM M", "'M' stands twice"),
    ("yyyy h", "'h' and 'a', AM or PM, stand together"), ("yyyy a", "'h' and 'a', AM or PM, stand"),
    ("yyyy HH h a", "'h' and 'a', AM or PM, stand together"),
    ("y", "unknown 'y' in the form of dates"),
    ("yyyy Q", "unknown 'Q' in the form of dates"),
    ("yyyy 'um", "a quote of the form of dates is never closed"),
  ])
  func `what is no form of dates says why`(pattern: String, reason: String) {
    #expect {
      _ = try DatePattern(pattern)
    } throws: { error in
      (error as? DatePattern.Invalid)?.reason.hasPrefix(reason) ?? false
    }
  }

  @Test(arguments: (0..<UInt64(40)).map { firstSeed + $0 })
  func `dates that are written in a form are read by it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let (year, month, day) = (
        1969 + random.below(100), 1 + random.below(12), 1 + random.below(28)
      )
      let (hour, minute, second) = (random.below(24), random.below(60), random.below(60))
      func padded(_ number: Int, _ count: Int = 2) -> String {
        String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
      }
      let parts = [
        random.pick([("yyyy", padded(year, 4)), ("yy", padded(year % 100))]),
        random.pick([("MM", padded(month)), ("M", String(month))]),
        random.pick([("dd", padded(day)), ("d", String(day))]),
        random.pick([("HH", padded(hour)), ("H", String(hour))]), ("mm", padded(minute)),
        ("ss", padded(second)),
      ].shuffled(using: &random)
      let sign = random.pick([".", "/", "-", " ", "é"])
      let date = parts.map(\.1).joined(separator: sign)
      let pattern = parts.map(\.0).joined(separator: sign)
      let iso8601 =
        "\(padded(year, 4))-\(padded(month))-\(padded(day))T"
        + "\(padded(hour)):\(padded(minute)):\(padded(second))Z"
      let expected = try #require(Timestamp(iso8601: iso8601))
      #expect(try Self.read(date, pattern) == expected, "seed \(seed): \(date) as \(pattern)")
    }
  }
}
