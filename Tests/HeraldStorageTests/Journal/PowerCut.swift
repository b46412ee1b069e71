import Glibc
import TestSupport

@testable import HeraldStorage

/// A file as a power cut may leave it: some of its last commits' meta pages have not reached the disk.
struct PowerCut {
  /// The first sectors of both meta pages, as they were before.
  private let sectors: [ArraySlice<UInt8>]

  /// Remembers the meta pages of a file.
  init(of path: String) {
    let bytes = FileTree.read(path)
    sectors = [bytes[0..<512], bytes[4096..<4608]]
  }

  /// Writes the content of a file with one or both meta pages as they were, and no lock file.
  func copy(
    _ path: String, to copy: String, withoutMetasOf transactions: [UInt64],
    _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws {
    var bytes = FileTree.read(path)
    for transaction in transactions {
      let slot = Int(transaction & 1)
      bytes.replaceSubrange(slot * 4096..<slot * 4096 + 512, with: sectors[slot])
    }
    change(&bytes)
    FileTree.removeStore(copy)
    try FileTree.save(bytes, to: copy)
  }
}

extension StorageEnvironment {
  /// The state of the newest version.
  var newestState: StoreState {
    get throws {
      let read = try beginRead()
      let state = read.state
      if let failure = read.failure { throw failure }
      return state
    }
  }
}

extension FileTree {
  /// The journal's record that the file at a path has for the commit after its newest one.
  static func pendingRecord(_ path: String) throws -> JournalRecord? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let pages = try PageFile(descriptor)
    return pages.metas.first.flatMap { pages.journalRecord(after: $0) }
  }
}
