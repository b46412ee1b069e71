internal import Glibc

/// A store's file that cannot be opened, looked at without LMDB: what is wrong with it.
package struct DamagedFile {
  /// What is wrong with its pages and records, as far as they can be reached; empty where nothing is found.
  package let problems: [String]
  /// The bytes of the metadata that was asked for; nil where they cannot be read.
  package let metadata: [UInt8]?

  /// Nil where the file cannot be read. Changes nothing. Cost: the file is read once.
  package init?(_ path: String, metadata name: String) {
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
