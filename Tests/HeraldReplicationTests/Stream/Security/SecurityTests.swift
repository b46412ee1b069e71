import Glibc
import HeraldReplication
import TestSupport
import Testing

/// Servers that require authentication, each with a real configuration.
@Suite(.serialized)
struct SecurityTests {
  private static let secret = "open-sesame-4711"

  @Test func `a user with a password`() throws {
    let servers = try NATSServers(
      lines: ["authorization { user: ann, password: \"\(Self.secret)\" }"])
    var stream = servers.stream("pets")
    stream.identity = .user("ann", password: Self.secret)
    try Self.expectAccess(stream)
    stream.identity = .user("ann", password: Self.secret + "1")
    try Self.expectRefusal(stream)
    stream.identity = .anybody
    try Self.expectRefusal(stream)
    // In the addresses of a program, too.
    stream.servers = ["nats://ann:\(Self.secret)@127.0.0.1:\(servers.ports[0])"]
    try Self.expectAccess(stream)
    stream.servers = ["nats://ann:\(Self.secret)2@127.0.0.1:\(servers.ports[0])"]
    try Self.expectRefusal(stream)
  }

  @Test func `a token`() throws {
    let servers = try NATSServers(lines: ["authorization { token: \"\(Self.secret)\" }"])
    var stream = servers.stream("pets")
    stream.identity = .token(Self.secret)
    try Self.expectAccess(stream)
    stream.identity = .token(Self.secret + "1")
    try Self.expectRefusal(stream)
  }

  @Test func `an NKey`() throws {
    try withFolder { folder in
      let openssl = OpenSSL(folder: folder)
      let ann = try NKey(.user, "ann", openssl)
      let bob = try NKey(.user, "bob", openssl)
      try openssl.write(ann.seed.utf8, to: "ann.seed")
      try openssl.write(bob.seed.utf8, to: "bob.seed")
      let servers = try NATSServers(lines: ["authorization { users: [ { nkey: \(ann.key) } ] }"])
      var stream = servers.stream("pets")
      stream.identity = .key(ann.key, seedFile: openssl.path("ann.seed"))
      try Self.expectAccess(stream, secrets: [ann.seed])
      // Another user, another's seed, and a seed that does not exist.
      stream.identity = .key(bob.key, seedFile: openssl.path("bob.seed"))
      try Self.expectRefusal(stream, secrets: [bob.seed])
      stream.identity = .key(ann.key, seedFile: openssl.path("bob.seed"))
      try Self.expectRefusal(stream, secrets: [bob.seed])
      stream.identity = .key(ann.key, seedFile: openssl.path("none.seed"))
      try Self.expectRefusal(stream, secrets: [ann.seed])
    }
  }

  @Test func `a credentials file`() throws {
    try withFolder { folder in
      let openssl = OpenSSL(folder: folder)
      let accounts = try NATSAccounts(openssl)
      let servers = try NATSServers(lines: accounts.lines)
      var stream = servers.stream("pets")
      stream.identity = .credentials(file: openssl.path("ann.creds"))
      try Self.expectAccess(stream, secrets: [accounts.userSeed])
      stream.identity = .credentials(file: openssl.path("stranger.creds"))
      try Self.expectRefusal(stream, secrets: [accounts.strangerSeed])
      stream.identity = .credentials(file: openssl.path("none.creds"))
      try Self.expectRefusal(stream)
    }
  }

  @Test func `TLS with an authority of one's own`() throws {
    try withFolder { folder in
      let openssl = OpenSSL(folder: folder)
      try openssl.makeAuthority("ours")
      try openssl.makeAuthority("theirs")
      try openssl.makeCertificate("server", by: "ours")
      let servers = try NATSServers(lines: [
        "tls { cert_file: \"\(openssl.path("server.pem"))\", key_file: \"\(openssl.path("server.key"))\" }"
      ])
      var stream = servers.stream("pets")
      for host in ["localhost", "127.0.0.1"] {
        stream.servers = ["tls://\(host):\(servers.ports[0])"]
        stream.security = .init(authorities: openssl.path("ours.pem"))
        try Self.expectAccess(stream)
        stream.security = .init(authorities: openssl.path("theirs.pem"))
        try Self.expectRefusal(stream)
        // The system's authorities do not know it.
        stream.security = .init()
        try Self.expectRefusal(stream)
      }
    }
  }

  @Test func `TLS with certificates of the programs`() throws {
    try withFolder { folder in
      let openssl = OpenSSL(folder: folder)
      try openssl.makeAuthority("ours")
      try openssl.makeAuthority("theirs")
      for name in ["server", "client"] { try openssl.makeCertificate(name, by: "ours") }
      try openssl.makeCertificate("stranger", by: "theirs")
      let files = [
        "cert_file: \"server.pem\"", "key_file: \"server.key\"", "ca_file: \"ours.pem\"",
      ]
      .map { $0.replacing("\"s", with: "\"\(folder)/s").replacing("\"o", with: "\"\(folder)/o") }
      let servers = try NATSServers(
        lines: ["tls { \(files.joined(separator: ", ")), verify: true }"])
      var stream = servers.stream("pets")
      stream.servers = ["tls://localhost:\(servers.ports[0])"]
      stream.security = .init(
        authorities: openssl.path("ours.pem"), certificate: openssl.path("client.pem"),
        key: openssl.path("client.key"))
      try Self.expectAccess(stream)
      stream.security = .init(
        authorities: openssl.path("ours.pem"), certificate: openssl.path("stranger.pem"),
        key: openssl.path("stranger.key"))
      try Self.expectRefusal(stream)
      stream.security = .init(authorities: openssl.path("ours.pem"))
      try Self.expectRefusal(stream)
    }
  }

  @Test func `the shell shows no secret: not as argument, in status or in errors`() throws {
    let servers = try NATSServers(
      lines: ["authorization { user: ann, password: \"\(Self.secret)\" }"])
    let folder = try TemporaryFolder()
    for password in [Self.secret, Self.secret + "1"] {
      let shell = try ShellProcess(
        [servers.address + "/pets?replicas=1", "--cache", folder.path + "/\(password.count).hdb"],
        ["HERALD_NATS_USER": "ann", "HERALD_NATS_PASSWORD": password])
      let arguments = shell.arguments()
      #expect(arguments.contains(servers.address))
      #expect(!arguments.contains(Self.secret))
      let output = shell.end(
        input: "class Dog { name: string }\nadd Dog { name: 'Max' }\nstatus\nshow Dog\n")
      #expect(!output.contains(Self.secret))
      let isRefused = output.contains("Authorization Violation")
      #expect(isRefused == (password != Self.secret), "\(output)")
      #expect(output.contains("Max") != isRefused, "\(output)")
    }
    withExtendedLifetime(servers) {}
  }

  /// Two machines write and follow.
  private static func expectAccess(_ stream: NATSStream, secrets: [String] = []) throws {
    try withFolder { folder in
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      let two = try DynamicStore(replicated: stream, cache: folder + "/two.hdb")
      if one.schema.classSchema(named: "Dog") == nil {
        try one.declare(ReplicatedStoreTests.dog)
      }
      try one.write { _ = try one.add("Dog", [("name", .value(.string("Max")))]) }
      try two.await(version: one.version)
      #expect(try two.dump() == one.dump())
      let texts = ["\(stream)", "\(stream.identity)", String(reflecting: stream)]
      var dumped = ""
      Swift.dump(stream, to: &dumped)
      for text in texts + [dumped] {
        for secret in secrets + [secret] { #expect(!text.contains(secret), "\(text)") }
      }
    }
  }

  /// Expects that opening fails, with a message without secrets and without positions in the source of libnats.
  private static func expectRefusal(_ stream: NATSStream, secrets: [String] = []) throws {
    try withFolder { folder in
      let error = #expect(throws: HeraldError.self) {
        _ = try DynamicStore(replicated: stream, cache: folder + "/store.hdb")
      }
      guard let error else { return }
      for text in [error.message, "\(error)", String(reflecting: error)] {
        for secret in secrets + [secret] { #expect(!text.contains(secret), "\(text)") }
        #expect(!text.contains(".c:"), "\(text)")
      }
    }
  }
}
