import HeraldEngine
public import HeraldModel

/// Who holds a version of a store: until it lets go of it, the pages of that version and of all later ones
/// cannot be used again, and the file grows with every commit.
public struct StoreReader: Hashable, Sendable {
  /// The number of the process.
  public let process: Int
  /// The name of the session; nil where it has none, as a backup that is being made.
  public let session: String?
  /// Whether it is held by what was frozen.
  public let isFrozen: Bool
  public let version: Int
  /// When the version was taken; nil where that is not known.
  public let since: Timestamp?
  /// What commits have freed since then and cannot be used again, in bytes.
  public let bytes: Int

  init(_ holder: VersionHolder) {
    process = holder.process
    session = holder.session
    isFrozen = holder.isFrozen
    version = holder.version
    since = holder.since
    bytes = holder.bytes
  }
}

extension Store {
  /// Everybody who holds a version of the store at this moment, in this process and in others, oldest first.
  ///
  ///     for reader in try store.readers where reader.bytes > 100_000_000 {
  ///       print("process \(reader.process) has been at version \(reader.version) since \(reader.since)")
  ///     }
  ///
  /// Sessions that rest hold none. The places of programs that have died are given up before. Cost: the
  /// table of readers, and the list of free pages.
  public var readers: [StoreReader] {
    get throws { try session.readers().map(StoreReader.init) }
  }
}
