#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The seeds of a randomised test: so many, or as many times more as `HERALD_TIMES` says, or the one
/// in `HERALD_SEED`, to replay a failure.
func seeds(_ count: Int) -> [UInt64] {
  if let seed = number(in: "HERALD_SEED") { return [UInt64(seed)] }
  return (1...count * (number(in: "HERALD_TIMES") ?? 1)).map(UInt64.init)
}

private func number(in variable: String) -> Int? {
  getenv(variable).flatMap { Int(String(cString: $0)) }
}

/// Whether `HERALD_MEASURE` asks for figures.
let isMeasuring = getenv("HERALD_MEASURE") != nil
