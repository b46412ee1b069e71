/// Formats numbers with three significant digits and a unit.
enum Figures {
  static func text(_ value: Double, _ quantity: Samples.Quantity) -> String {
    switch quantity {
    case .time: time(value)
    case .memory: memory(value)
    }
  }

  /// Formats seconds, which may be a negative difference.
  static func time(_ seconds: Double) -> String {
    if seconds < 0 { return "-" + time(-seconds) }
    let nanoseconds = seconds * 1e9
    return if nanoseconds < 1e3 {
      digits(nanoseconds) + " ns"
    } else if nanoseconds < 1e6 {
      digits(nanoseconds / 1e3) + " µs"
    } else if nanoseconds < 1e9 {
      digits(nanoseconds / 1e6) + " ms"
    } else {
      digits(seconds) + " s"
    }
  }

  static func memory(_ bytes: Double) -> String {
    if bytes < 1e3 {
      digits(bytes) + " B"
    } else if bytes < 1e6 {
      digits(bytes / 1e3) + " kB"
    } else {
      digits(bytes / 1e6) + " MB"
    }
  }

  /// Formats a ratio as `2.41×`, or as `1/345×`; returns "" for the ratio to 0. It is negative where a
  /// measured difference is.
  static func ratio(_ value: Double) -> String {
    if !value.isFinite { return "" }
    if value == 0 { return "0×" }
    if value < 0 { return "-" + ratio(-value) }
    return (value < 0.1 ? "1/" + digits(1 / value) : digits(value)) + "×"
  }

  /// Formats a number as `1,000,000`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Formats a number with three significant digits.
  static func digits(_ value: Double) -> String {
    let decimals = value < 10 ? 2 : value < 100 ? 1 : 0
    let scale = [1.0, 10, 100][decimals]
    let scaled = Int((value * scale).rounded())
    guard decimals > 0 else { return grouped(scaled) }
    let fraction = String(scaled % Int(scale))
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(scaled / Int(scale)).\(zeros)\(fraction)"
  }
}
