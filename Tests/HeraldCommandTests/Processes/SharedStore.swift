import TestSupport

/// A store in a file, and a program between two pipes that writes to it while another looks.
final class SharedStore {
  let home: TemporaryFolder
  let path: String
  let writer: Conversation

  /// - Parameter script: has run when this returns.
  init(_ script: String) throws {
    home = try TemporaryFolder()
    path = home.path + "/walk.hdb"
    writer = try Conversation([path])
    try writer.send(script + "print \"ready\"\n")
    _ = try writer.read(until: "ready\n")
  }
}
