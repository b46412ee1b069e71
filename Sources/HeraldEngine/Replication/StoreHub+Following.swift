import HeraldStorage

extension StoreHub {
  /// The position of the newest version in the stream that the store follows; nil if it follows none.
  package var position: StreamPosition? {
    get throws {
      try stored { () throws(StorageError) in
        StreamPosition(in: try environment.beginRead())
      }
    }
  }

  /// Runs `body`, which takes in commits of other machines, while no session writes.
  package func following<Result>(_ body: () throws -> Result) rethrows -> Result {
    writer.takeToFollow()
    defer { writer.leaveAfterFollowing() }
    return try body()
  }
}
