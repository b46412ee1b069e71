/// What every commit brings up to date.
///
///     state := version:u64le logged bytes:u64le         under the key "state" of `meta`
struct StoreState {
  static let key = "state"
  static let size = 16

  var version = 0
  /// The sum of the sizes of the entries of the change log.
  var loggedBytes = 0

  init() {}

  /// Nil for an entry that is none.
  init?(_ entry: UnsafeRawBufferPointer) {
    guard entry.count == Self.size else { return nil }
    version = Int(truncatingIfNeeded: entry.littleEndian(at: 0, as: UInt64.self))
    loggedBytes = Int(truncatingIfNeeded: entry.littleEndian(at: 8, as: UInt64.self))
  }

  var entry: [UInt8] { withEntry { [UInt8]($0) } }

  func withEntry<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let words = (UInt64(version).littleEndian, UInt64(loggedBytes).littleEndian)
    return try withUnsafeBytes(of: words, body)
  }
}
