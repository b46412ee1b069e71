/// The number of changes in each of the last seconds.
struct ChangeRate: Equatable {
  /// The counts of one second.
  private struct Bin: Equatable {
    var events = 0
    var rows = 0
  }

  /// The number of seconds that are kept.
  static let span = 20
  /// The number of seconds over which the rate of events is averaged.
  static let window = 5

  /// The second of the last bin.
  private var second = 0
  private var bins = Array(repeating: Bin(), count: ChangeRate.span)

  /// Records an event with a number of changed rows.
  mutating func note(rows: Int, at now: Duration) {
    advance(to: now)
    bins[bins.count - 1].events += 1
    bins[bins.count - 1].rows += rows
  }

  /// Advances the time; returns whether anything changed.
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

  /// Whether all bins are empty, so that the rate stays 0.
  var isQuiet: Bool { bins.allSatisfy { $0.events == 0 } }

  /// The start of the next second; nil while the rate stays 0.
  var nextSecond: Duration? { isQuiet ? nil : .seconds(second + 1) }

  /// Events a second, with one decimal.
  var rate: String {
    let tenths = bins.suffix(Self.window).reduce(0) { $0 + $1.events } * 10 / Self.window
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The number of rows changed in each second, as a sparkline.
  var spark: String {
    let bars = Array("▁▂▃▄▅▆▇█")
    let most = max(1, bins.map(\.rows).max() ?? 1)
    return String(
      bins.map { bin in bin.rows == 0 ? bars[0] : bars[1 + (bin.rows * (bars.count - 2)) / most] })
  }
}
