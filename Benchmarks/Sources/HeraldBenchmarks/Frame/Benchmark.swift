/// One thing that is measured, at one or several sizes.
struct Benchmark {
  /// `group: what`, which `--filter` looks into.
  let name: String
  /// Ascending. The target is that of the last.
  let sizes: [Int]
  /// What one unit of a sample is called, and how it is told.
  let unit: Unit
  var target: Target? = nil
  /// How many times the smallest size's figure for a unit the largest size's may be.
  var growthLimit: Double? = nil
  let measure: (_ size: Int, _ effort: Effort) throws -> Samples

  enum Unit {
    /// The sample itself is the figure.
    case none
    /// Time or memory for one of these.
    case each(String)
    /// How many of these in a second.
    case perSecond(String)
  }
}

/// What a figure ought to be.
struct Target {
  enum Basis {
    case sample
    case unit
  }

  enum Strictness {
    /// No more than the limit.
    case atMost
    /// The figure of a trial to stay near: half as much again is still near.
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

/// A benchmark that did not do the work that it was to measure.
struct WrongWork: Error, CustomStringConvertible {
  let description: String
}

/// Throws where a benchmark did not do what it is said to measure.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw WrongWork(description: message()) }
}
