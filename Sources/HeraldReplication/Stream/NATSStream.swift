import HeraldModel

/// A stream of NATS JetStream, in which the commits of a store are in one order for all machines.
///
///     let stream = NATSStream("pets", servers: ["nats://one:4222", "nats://two:4222"])
///     let store = try Store(replicated: stream, cache: "/var/lib/pets.hdb")
///
/// A stream that does not exist is created. Its messages are under the subject `herald.NAME`; snapshots are in a
/// second stream, `NAME-snapshots`.
public struct NATSStream: Sendable {
  /// Who a program is to the servers.
  public enum Identity: Sendable {
    case anybody
    case user(String, password: String)
    case token(String)
    /// A file with a JWT and the seed of its NKey.
    case credentials(file: String)
    /// A public NKey, and the file with its seed.
    case key(String, seedFile: String)
  }

  /// How the connection is secured by TLS; the files are in PEM.
  public struct Security: Sendable {
    /// The authorities that are trusted; nil for those of the system.
    public var authorities: String?
    /// The certificate of this program, and its key.
    public var certificate: String?
    public var key: String?

    public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
      self.key = key
    }
  }

  /// The name: letters, digits, `-` and `_`.
  public var name: String
  /// The addresses of servers, such as `nats://host:4222`; others of their cluster are found.
  public var servers: [String]
  public var identity: Identity
  /// Nil for a connection without TLS, unless a server asks for it.
  public var security: Security?
  /// On how many servers a new stream is stored: a commit is acknowledged by the majority of them. With 1, what that
  /// server loses is lost.
  public var replicas = 3
  /// After how many commits some machine makes a snapshot.
  public var snapshotInterval = 10_000
  /// Whether the commits before the last snapshot but one are removed from the stream when a snapshot is made;
  /// otherwise the limits of the stream decide what it keeps.
  public var removesOldCommits = true
  /// For how many seconds a commit waits for its confirmation, over failures of servers.
  public var patience = 15.0

  public init(
    _ name: String, servers: [String], identity: Identity = .anybody, security: Security? = nil,
    replicas: Int = 3
  ) {
    self.name = name
    self.servers = servers
    self.identity = identity
    self.security = security
    self.replicas = replicas
  }

  var subject: String { "herald." + name }
  var snapshots: String { name + "-snapshots" }
  var chunkSubject: String { "herald-snapshots." + name + ".chunk" }
  var manifestSubject: String { "herald-snapshots." + name + ".manifest" }

  /// Throws if the name cannot be that of a stream.
  func checkName() throws {
    let isValid =
      !name.isEmpty && name.utf8.count <= 200
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        case _: false
        }
      }
    guard isValid else { throw HeraldError.invalidName(name) }
  }
}

// What shows a stream, in messages and logs, shows no secret.

extension NATSStream: CustomStringConvertible, CustomReflectable {
  /// The address, without a user or password in it.
  public var description: String { address }

  /// The address, as `init(address:)` reads it.
  var address: String { shown + (replicas == 3 ? "" : "?replicas=\(replicas)") }

  /// The address of a stream on a single server.
  var alone: String { shown + "?replicas=1" }

  private var shown: String {
    let parts = servers.map { $0.split(separator: "/", omittingEmptySubsequences: true) }
    let hosts = parts.map { $0.last?.split(separator: "@").last.map(String.init) ?? "" }
    let scheme = parts.first.flatMap { $0.count > 1 ? $0[0] + "//" : nil } ?? ""
    return scheme + hosts.joined(separator: ",") + "/" + name
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["address": description, "identity": identity])
  }
}

extension NATSStream.Identity: CustomStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .anybody: "anybody"
    case .user(let name, _): "user \(name)"
    case .token: "a token"
    case .credentials(let file): "the credentials in \(file)"
    case .key(let key, _): "key \(key)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
