/// One measurement, at one or several sizes.
struct Benchmark {
  /// `group: what`, which `--filter` searches.
  let name: String
  /// The sizes, ascending. The target applies to the last.
  let sizes: [Int]
  /// The unit of a sample's work, and how the figure is reported.
  let unit: Unit
  var target: Target? = nil
  /// The maximum ratio of the figure per unit at the largest size to that at the smallest.
  var growthLimit: Double? = nil
  /// Whether `--up-to` adds sizes, and `--size` can name one beyond the last. There a figure is at most twice that at
  /// the last.
  var canGrow = false
  let measure: (_ size: Int, _ effort: Effort) throws -> Samples

  enum Unit {
    /// The sample itself is the figure.
    case none
    /// Time or memory for one of these.
    case each(String)
    /// The number of these per second.
    case perSecond(String)
  }
}

/// The target of a figure.
struct Target {
  enum Basis {
    case sample
    case unit
  }

  enum Strictness {
    /// At most the limit.
    case atMost
    /// At most 1.5 times the limit, the figure of an earlier measurement.
    case near
  }

  /// Seconds, or bytes.
  let limit: Double
  let strictness: Strictness
  let basis: Basis

  static func atMost(_ limit: Double, _ basis: Basis = .sample) -> Target {
    Target(limit: limit, strictness: .atMost, basis: basis)
  }

  static func near(_ limit: Double, _ basis: Basis = .sample) -> Target {
    Target(limit: limit, strictness: .near, basis: basis)
  }

  func isMet(by samples: Samples) -> Bool {
    let figure =
      switch basis {
      case .sample: samples.median
      case .unit: samples.medianPerUnit
      }
    return switch strictness {
    case .atMost: figure <= limit
    case .near: figure <= limit * 1.5
    }
  }
}

/// The error of a benchmark that did not do the work that it should measure.
struct WrongWork: Error, CustomStringConvertible {
  let description: String
}

/// Throws `WrongWork` if a condition is false.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw WrongWork(description: message()) }
}
