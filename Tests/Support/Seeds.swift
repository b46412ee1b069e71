#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The seeds of a randomised test: so many, or as many times more as `HERALD_TIMES` says, or the one
/// in `HERALD_SEED`, to run a failure again.
package func seeds(_ count: Int) -> [UInt64] {
  if let seed = givenSeed { return [seed] }
  return (1...max(1, count * (environmentNumber("HERALD_TIMES") ?? 1))).map(UInt64.init)
}

/// The seed in `HERALD_SEED`, which runs a failure again.
package var givenSeed: UInt64? { environmentText("HERALD_SEED").flatMap { UInt64($0) } }

/// A number from the environment.
package func environmentNumber(_ name: String) -> Int? {
  environmentText(name).flatMap { Int($0) }
}

/// Whether `HERALD_MEASURE` asks for figures.
package var isMeasuring: Bool { environmentText("HERALD_MEASURE") != nil }

private func environmentText(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
