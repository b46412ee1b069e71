import Glibc
import HeraldModel

extension NATSStream {
  private static let schemes = ["nats://", "tls://"]

  /// Whether a text is meant to be the address of a stream.
  public static func isAddress(_ text: String) -> Bool {
    schemes.contains { text.hasPrefix($0) }
  }

  /// Reads an address: `nats://host:4222,host2/pets`, or with TLS `tls://host/pets`. With `?replicas=1` at its end, a new
  /// stream is stored on one server instead of three.
  ///
  /// Secrets are not part of it, as it is shown in messages and lists of processes. They come from `environment`:
  /// `HERALD_NATS_USER` and `HERALD_NATS_PASSWORD`, `HERALD_NATS_TOKEN`, `HERALD_NATS_CREDENTIALS` (a file),
  /// `HERALD_NATS_NKEY` and `HERALD_NATS_SEED` (a file); for TLS `HERALD_NATS_CA`, `HERALD_NATS_CERT` and
  /// `HERALD_NATS_KEY` (files). `HERALD_NATS_REPLICAS` is for addresses without `?replicas=`.
  ///
  /// Errors: `cannotOpen`, which does not repeat a password.
  public init(address: String, environment: (String) -> String? = NATSStream.variable) throws {
    guard let scheme = Self.schemes.first(where: { address.hasPrefix($0) }) else {
      throw HeraldError.cannotOpen(path: address, reason: "it is not the address of a stream")
    }
    let halves = address.dropFirst(scheme.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = halves[0]
    guard !address.contains("@") else {
      throw HeraldError.cannotOpen(
        path: scheme + "…",
        reason: "an address has no user or password; set HERALD_NATS_USER and HERALD_NATS_PASSWORD")
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw HeraldError.cannotOpen(
        path: address,
        reason: "an address is '\(scheme)HOST[:PORT][,HOST…]/STREAM[?replicas=COUNT]'")
    }
    var hosts: [String] = []
    for host in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard !host.isEmpty else {
        throw HeraldError.cannotOpen(path: address, reason: "a host is missing")
      }
      hosts.append(scheme + (host.contains(":") ? String(host) : host + ":4222"))
    }
    self.init(String(parts[1]), servers: hosts, identity: Self.identity(environment))
    let files = ["CA", "CERT", "KEY"].map { environment("HERALD_NATS_" + $0) }
    if scheme == "tls://" || files.contains(where: { $0 != nil }) {
      security = Security(authorities: files[0], certificate: files[1], key: files[2])
    }
    if let text = environment("HERALD_NATS_REPLICAS") {
      replicas = try Self.replicas(text, "HERALD_NATS_REPLICAS", of: address)
    }
    if halves.count > 1 { try take(options: halves[1], of: address) }
    try checkName()
  }

  private mutating func take(options: Substring, of address: String) throws {
    for option in options.split(separator: "&", omittingEmptySubsequences: false) {
      guard option.hasPrefix("replicas=") else {
        throw HeraldError.cannotOpen(
          path: address,
          reason: "'\(option)' is no option of an address; there is 'replicas=COUNT'")
      }
      replicas = try Self.replicas(String(option.dropFirst(9)), "'replicas'", of: address)
    }
  }

  private static func replicas(_ text: String, _ name: String, of address: String) throws -> Int {
    guard let count = Int(text), 1...5 ~= count else {
      throw HeraldError.cannotOpen(
        path: address, reason: "\(name) is '\(text)'; it is a number from 1 to 5")
    }
    return count
  }

  private static func identity(_ environment: (String) -> String?) -> Identity {
    if let file = environment("HERALD_NATS_CREDENTIALS") { return .credentials(file: file) }
    if let key = environment("HERALD_NATS_NKEY") {
      return .key(key, seedFile: environment("HERALD_NATS_SEED") ?? "")
    }
    if let token = environment("HERALD_NATS_TOKEN") { return .token(token) }
    if let user = environment("HERALD_NATS_USER") {
      return .user(user, password: environment("HERALD_NATS_PASSWORD") ?? "")
    }
    return .anybody
  }

  /// Returns a variable of the process's environment; nil if it is not set, or empty.
  public static func variable(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }
}
