#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The seeds of a randomised test: those given, or the one in `HERALD_SEED`, to replay a failure.
func seeds(_ count: Int) -> [UInt64] {
  if let text = getenv("HERALD_SEED"), let seed = UInt64(String(cString: text)) { return [seed] }
  return (1...count).map(UInt64.init)
}
