#if canImport(Glibc)
  import Glibc
#endif

extension CommandLine {
  /// A number from the environment.
  static func environmentNumber(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }
}
