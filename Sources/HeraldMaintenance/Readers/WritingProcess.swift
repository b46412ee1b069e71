internal import Glibc
package import HeraldStorage

/// The process that holds the writer lock of a store.
package struct WritingProcess: Hashable, Sendable {
  package let id: Int
  /// The name of its program, at most fifteen characters; empty if it is not known.
  package let name: String
}

extension StorageEnvironment {
  /// The other process that holds the writer lock now; nil if none does, or if this user may not see it.
  ///
  /// The kernel does not say who holds a lock of an open file, but lists the locks of each descriptor in
  /// `/proc`: reads these files of all processes, some milliseconds.
  package var writingProcess: WritingProcess? {
    guard let store = file.files?.store, let facts = FileFacts(store.number) else { return nil }
    for name in FileFacts.names(in: "/proc") {
      guard let id = Int(name), id != Int(getpid()) else { continue }
      let folder = "/proc/\(id)/fdinfo"
      for descriptor in FileFacts.names(in: folder)
      where Self.holdsWriterLock("\(folder)/\(descriptor)", inode: facts.identity.inode) {
        let name = FileFacts.text(of: "/proc/\(id)/comm").prefix { $0 != "\n" }
        return WritingProcess(id: id, name: String(name))
      }
    }
    return nil
  }

  /// Whether a line of the file is `lock: 1: OFDLCK ADVISORY WRITE -1 08:01:4711 0 0`.
  private static func holdsWriterLock(_ path: String, inode: UInt) -> Bool {
    FileFacts.text(of: path).split(separator: "\n").contains { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.first == "lock:" && words.contains("WRITE") && words.suffix(2) == ["0", "0"]
        && words.dropLast(2).last?.hasSuffix(":\(inode)") ?? false
    }
  }
}
