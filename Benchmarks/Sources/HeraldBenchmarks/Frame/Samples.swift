import Glibc

/// Seconds of the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// What was measured of one benchmark at one size.
struct Samples {
  /// What the values are.
  enum Quantity {
    /// Seconds.
    case time
    /// Bytes of memory.
    case memory
  }

  /// Ascending.
  private(set) var values: [Double]
  let quantity: Quantity
  /// How many units of work one sample did.
  let units: Int

  init(_ values: [Double], quantity: Quantity = .time, units: Int = 1) {
    self.values = values.sorted()
    self.quantity = quantity
    self.units = units
  }

  var median: Double { values[values.count / 2] }
  var min: Double { values[0] }
  var medianPerUnit: Double { median / Double(units) }
}

/// How long to measure: samples are taken until there are enough of them or the time is up.
struct Effort {
  /// Scales the number of samples.
  let share: Double
  /// Seconds for one benchmark at one size.
  let budget: Double

  static let full = Effort(share: 1, budget: 4)
  static let quick = Effort(share: 0.2, budget: 0.5)

  /// Never fewer, so that there is a median.
  private static let fewest = 3

  /// Takes up to `count` samples of what `sample` answers, in seconds.
  func samples(
    _ count: Int, units: Int = 1, quantity: Samples.Quantity = .time,
    _ sample: (_ iteration: Int) throws -> Double
  ) rethrows -> Samples {
    let end = now() + budget
    let wanted = Swift.max(Self.fewest, Int(Double(count) * share))
    var values: [Double] = []
    while values.count < wanted && (values.count < Self.fewest || now() < end) {
      values.append(try sample(values.count))
    }
    return Samples(values, quantity: quantity, units: units)
  }

  /// Times `work` up to `count` times, after one run that is not counted.
  func times(_ count: Int, units: Int = 1, _ work: () throws -> Void) rethrows -> Samples {
    try work()
    return try samples(count, units: units) { _ in try seconds(work) }
  }
}

func seconds(_ work: () throws -> Void) rethrows -> Double {
  let start = now()
  try work()
  return now() - start
}
