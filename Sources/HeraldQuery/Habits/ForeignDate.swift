/// Dates as other languages and countries write them.
package enum ForeignDate {
  /// The end of a message about a text that is no date: how it is written, if the text may be one; empty if it may not.
  package static func advice(_ text: String) -> String {
    guard let date = text.firstMatch(of: #/^([0-9]+)([-.\/])([0-9]+)[-.\/]([0-9]+)/#),
      let month = Int(date.output.3), let day = Int(date.output.4)
    else { return "" }
    let (year, sign) = (date.output.1, date.output.2)
    guard year.count == 4, (1...12).contains(month), (1...31).contains(day) else {
      return year.count == 4 && sign == "-"
        ? "" : "; a date is written year-month-day, as in 2026-02-28"
    }
    let digits = [year, date.output.3, date.output.4].map { $0.count < 2 ? "0\($0)" : String($0) }
    let written = digits.joined(separator: "-")
    if text.hasPrefix(written) { return "" }
    return sign == "-"
      ? "; month and day have two digits: \(written)"
      : "; a date is written year-month-day: \(written)"
  }
}
