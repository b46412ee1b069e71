/// An operator, accounts and users, as a server with accounts knows them, with credentials files: `ann.creds` of a user
/// and `stranger.creds` of one whose account the operator does not know.
struct NATSAccounts {
  /// What the server's configuration says of them.
  let lines: [String]
  let userSeed: String
  let strangerSeed: String

  init(_ openssl: OpenSSL) throws {
    let operation = try NKey(.operation, "operator", openssl)
    let (system, account) = (
      try NKey(.account, "system", openssl), try NKey(.account, "account", openssl)
    )
    // Streams are of the account alone; a system's account has none.
    let limits = #""subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"conn":-1,"leaf":-1"#
    let streams = #","mem_storage":-1,"disk_storage":-1,"streams":-1,"consumer":-1"#
    let tokens = try [(system, ""), (account, streams)].map { subject, more in
      try operation.token(
        Self.claims(
          by: operation, of: subject, "account",
          #""limits":{"wildcards":true,\#(limits)\#(more)}"#))
    }
    let root = try operation.token(Self.claims(by: operation, of: operation, "operator", nil))
    lines = [
      "operator: \"\(root)\"", "system_account: \(system.key)", "resolver: MEMORY",
      "resolver_preload: { \(system.key): \"\(tokens[0])\", \(account.key): \"\(tokens[1])\" }",
    ]
    userSeed = try Self.makeUser("ann", of: account, openssl)
    strangerSeed = try Self.makeUser("stranger", of: NKey(.account, "others", openssl), openssl)
  }

  private static func claims(
    by issuer: NKey, of subject: NKey, _ type: String, _ more: String?
  ) -> String {
    let own = (more.map { $0 + "," } ?? "") + #""type":"\#(type)","version":2"#
    return #"{"jti":"1","iat":1700000000,"iss":"\#(issuer.key)","name":"\#(type)","#
      + #""sub":"\#(subject.key)","nats":{\#(own)}}"#
  }

  /// Writes a credentials file, and returns the seed in it.
  private static func makeUser(
    _ name: String, of account: NKey, _ openssl: OpenSSL
  ) throws -> String {
    let user = try NKey(.user, name, openssl)
    let token = try account.token(
      claims(
        by: account, of: user, "user",
        #""pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1"#))
    let lines = [
      "-----BEGIN NATS USER JWT-----", token, "------END NATS USER JWT------", "",
      "-----BEGIN USER NKEY SEED-----", user.seed, "------END USER NKEY SEED------", "",
    ]
    try openssl.write(lines.joined(separator: "\n").utf8, to: name + ".creds")
    return user.seed
  }
}
