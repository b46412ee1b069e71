import Glibc

/// Returns the time of the monotonic clock in seconds.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The measurements of one benchmark at one size.
struct Samples {
  /// The measured quantity.
  enum Quantity {
    /// Seconds.
    case time
    /// Bytes of memory.
    case memory
  }

  /// The values, ascending.
  private(set) var values: [Double]
  let quantity: Quantity
  /// The number of units of work per sample.
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

/// The effort of a measurement: it ends when there are enough samples or the time is up.
struct Effort {
  /// The factor for the number of samples.
  let share: Double
  /// The time for one benchmark at one size, in seconds.
  let budget: Double

  static let full = Effort(share: 1, budget: 4)
  static let quick = Effort(share: 0.2, budget: 0.5)

  /// The minimum number of samples, for a median.
  private static let minimumCount = 3

  /// Takes up to `count` samples, the values that `sample` returns.
  func samples(
    _ count: Int, units: Int = 1, quantity: Samples.Quantity = .time,
    _ sample: (_ iteration: Int) throws -> Double
  ) rethrows -> Samples {
    let end = now() + budget
    let wanted = Swift.max(Self.minimumCount, Int(Double(count) * share))
    var values: [Double] = []
    while values.count < wanted && (values.count < Self.minimumCount || now() < end) {
      values.append(try sample(values.count))
    }
    return Samples(values, quantity: quantity, units: units)
  }

  /// Times `work` up to `count` times, after one warm-up run.
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
