internal import Glibc
import HeraldStorage

/// The diagnosis, without LMDB, of a store's file that cannot be opened.
package struct DamagedFile {
  /// The problems of its pages and records, as far as they can be reached; empty if none were found.
  package let problems: [String]
  /// The bytes of the requested metadata; nil if they cannot be read.
  package let metadata: [UInt8]?

  /// Returns nil if the file cannot be read, or this process has it open: closing a second descriptor would
  /// drop LMDB's locks. Reads the whole file once, and changes nothing.
  package init?(_ path: String, metadata name: String) {
    guard !StorageEnvironment.isOpen(fileAt: path) else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(descriptor)
    guard let facts = FileFacts(file.number), case .regular = facts.kind,
      let pages = try? PageFile(file.number)
    else { return nil }
    let metas = pages.metas
    metadata = metas.lazy.compactMap { PageSearch(pages, $0).metadata(name) }.first
    problems = metas.first.map { StoreVerification.problems(of: pages, $0, .records) } ?? []
  }
}

extension PageSearch {
  /// Returns the metadata under a name; nil if there is none, or it is damaged or long.
  fileprivate func metadata(_ name: String) -> [UInt8]? {
    let key = StorageSnapshot.metadataKey(name)
    guard let entry = value(of: [UInt8](RecordSpace.meta.name.utf8), in: meta.main),
      entry.count == PageFile.Tree.size,
      let record = value(of: key, in: PageFile.Tree(entry)), record.count >= RecordTrailer.size
    else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: record.dropLast(RecordTrailer.size))
    let found = RecordTrailer(endOf: record)
    let expected = key.withUnsafeBytes {
      RecordTrailer(.meta, $0, content, version: found.version)
    }
    return found.checksum == expected.checksum ? [UInt8](content) : nil
  }
}
