import Glibc

/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
package struct ListenAddress: Equatable, Sendable {
  package let host: String
  package let port: Int

  /// Errors: it is not a host and a port.
  package init(_ text: String) throws(ServerFailure) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port), colon > text.startIndex
    else {
      throw ServerFailure("'\(text)' is not an address with a port, as 127.0.0.1:8080 is")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.host = String(host)
    self.port = port
  }

  /// Whether only programs of this machine can connect.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && Self.isIPv4(host)
  }

  /// Whether it is every address of this machine.
  static func isWildcard(_ host: String) -> Bool { host == "0.0.0.0" || host == "::" }

  static func isIPv4(_ host: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1
  }

  static func isIPv6(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, host, &address) == 1
  }
}
