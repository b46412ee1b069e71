/// How much changed in each of the last seconds.
struct ChangeRate: Equatable {
  /// One second.
  private struct Bin: Equatable {
    var events = 0
    var rows = 0
  }

  /// So many seconds are known.
  static let span = 20
  /// The events a second are those of so many seconds.
  static let window = 5

  /// The second that the last bin stands for.
  private var second = 0
  private var bins = Array(repeating: Bin(), count: ChangeRate.span)

  /// Notes an event that told of so many rows.
  mutating func note(rows: Int, at now: Duration) {
    advance(to: now)
    bins[bins.count - 1].events += 1
    bins[bins.count - 1].rows += rows
  }

  /// Lets seconds pass. Whether that changed anything.
  @discardableResult
  mutating func advance(to now: Duration) -> Bool {
    let passed = Int(now.components.seconds) - second
    guard passed > 0 else { return false }
    second += passed
    if isQuiet { return false }
    let kept = bins.dropFirst(passed)
    bins = kept + Array(repeating: Bin(), count: Self.span - kept.count)
    return true
  }

  /// Nothing happened in all of these seconds: time makes no difference.
  var isQuiet: Bool { bins.allSatisfy { $0.events == 0 } }

  /// When the next second begins; nil while time makes no difference.
  var nextSecond: Duration? { isQuiet ? nil : .seconds(second + 1) }

  /// Events a second, with one decimal.
  var rate: String {
    let tenths = bins.suffix(Self.window).reduce(0) { $0 + $1.events } * 10 / Self.window
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The rows that changed in each second, as a line of bars.
  var spark: String {
    let bars = Array("▁▂▃▄▅▆▇█")
    let most = max(1, bins.map(\.rows).max() ?? 1)
    return String(
      bins.map { bin in
        bin.rows == 0 ? bars[0] : bars[1 + (bin.rows * (bars.count - 2)) / most]
      })
  }
}
