import Glibc
import HeraldShell

/// The statements typed in earlier runs, in libedit's own format. Several shells may write it at the same
/// time: each adds to the file's current content.
struct HistoryFile {
  let path: String

  /// The maximum number of entries.
  static let limit = 10_000

  /// Returns `$XDG_STATE_HOME/herald/history`; nil without a home.
  static func ofUser(environment: Environment) -> HistoryFile? {
    guard let folder = environment.folder("XDG_STATE_HOME", orInHome: ".local/state") else {
      return nil
    }
    return HistoryFile(path: folder + "/herald/history")
  }

  /// Returns the entries, oldest first; empty if there is no file or it is not a history.
  func load() -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var input = InputBytes(descriptor: descriptor)
    do {
      while try input.readMore() {}
    } catch { return [] }
    return HistoryFormat.decode(input.bytes)
  }

  /// Appends an entry to the file's current content, and removes earlier equal ones.
  ///
  /// It writes a new file beside the old one and renames it, so that a crash leaves one or the other.
  func add(_ entry: String) throws(SystemFailure) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try Self.makeFolder(folder)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw SystemFailure(code: errno) }
    defer { close(lock) }
    flock(lock, LOCK_EX)
    try replace(with: HistoryFormat.encode(Self.merge(load(), with: entry)))
  }

  static func merge(_ entries: [String], with entry: String) -> [String] {
    var kept = entries.filter { $0 != entry }
    kept.append(entry)
    return Array(kept.suffix(limit))
  }

  private func replace(with bytes: [UInt8]) throws(SystemFailure) {
    let temporary = path + ".\(getpid())"
    // A killed shell may have had this process's number.
    unlink(temporary)
    let descriptor: Int32
    do {
      descriptor = try File.make(temporary)
    } catch { throw SystemFailure(code: errno) }
    do {
      defer { close(descriptor) }
      try OutputBytes.write(bytes, to: descriptor)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw SystemFailure(code: code)
    }
  }

  /// Creates every missing folder of a path, for this user only.
  private static func makeFolder(_ path: String) throws(SystemFailure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let parent = path.lastIndex(of: "/"), parent > path.startIndex else {
      throw SystemFailure(code: errno)
    }
    try makeFolder(String(path[..<parent]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure(code: errno) }
  }
}
