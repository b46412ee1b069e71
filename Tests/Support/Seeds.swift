#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the seeds of a randomised test: `count` of them, multiplied by `HERALD_TIMES`, or only the one in
/// `HERALD_SEED`, to repeat a failure.
package func seeds(_ count: Int) -> [UInt64] {
  if let seed = givenSeed { return [seed] }
  return (1...max(1, count * (environmentNumber("HERALD_TIMES") ?? 1))).map(UInt64.init)
}

/// The seed in `HERALD_SEED`, to repeat a failure.
package var givenSeed: UInt64? { environmentText("HERALD_SEED").flatMap { UInt64($0) } }

/// The first seed of random cases that differ in each run: `HERALD_SEED`, or a random number.
package let firstSeed = givenSeed ?? UInt64.random(in: 0..<1_000_000_000)

/// Returns a number from the environment.
package func environmentNumber(_ name: String) -> Int? {
  environmentText(name).flatMap { Int($0) }
}

/// Whether `HERALD_MEASURE` requests figures.
package var isMeasuring: Bool { environmentText("HERALD_MEASURE") != nil }

private func environmentText(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
