internal import CLMDB
internal import Glibc

/// The verification of a store's file before it is used, and for `check`.
///
/// The pages are walked first, so that LMDB can follow every pointer; then, if the file is small or
/// the check is complete, each record is compared with its checksum, and their sum with the store's digest.
package struct StoreVerification {
  /// The largest file, in bytes, that is read completely when it is opened: a millisecond for eight
  /// megabytes that are in memory.
  static let recordLimit = 256 << 20

  package enum Scope {
    case branches, pages, records

    /// The scope for opening a file of a given size.
    init(size: Int, isUnclean: Bool) {
      self =
        size <= recordLimit ? .records : isUnclean ? .pages : .branches
    }
  }

  package private(set) var problems: [String] = []
  /// Whether neither meta page is of the requested version, because later commits have written both.
  package private(set) var isOfAnotherVersion = false

  /// Verifies the version of a store that an LMDB read transaction holds, and that the other meta
  /// page is that of the commit before.
  package init(
    _ descriptor: Int32, _ transaction: UInt64, _ scope: Scope
  ) throws(StorageError) {
    let file = try PageFile(descriptor)
    let metas = file.consistentMetas
    guard let meta = metas.first(where: { $0.transaction == transaction }) else {
      problems = ["neither of its meta pages is of the last commit"]
      isOfAnotherVersion = metas.allSatisfy { $0.transaction > transaction }
      return
    }
    problems = Self.problems(of: file, meta, scope)
    // The journal leads to the last commit; the other meta page is then that of an earlier one, whose pages later
    // commits have overwritten.
    if problems.isEmpty, file.journalRecord(after: meta) == nil {
      problems = Self.problemsOfOther(file, meta)
    }
  }

  /// Returns the problems of one version of a file.
  package static func problems(of file: PageFile, _ meta: PageFile.Meta, _ scope: Scope) -> [String]
  {
    if case .records = scope { return problemsOfRecords(file, meta) }
    var isBranches = false
    if case .branches = scope { isBranches = true }
    var walk = PageWalk(file, meta, isBranches ? .branches : .pages)
    walk.walk { _, _, _ in }
    return walk.problems
  }

  private static func problemsOfRecords(_ file: PageFile, _ meta: PageFile.Meta) -> [String] {
    guard let state = PageSearch(file, meta).state else { return problemsWithoutState(file, meta) }
    let recount = Recount(newest: state.version)
    var walk = PageWalk(file, meta)
    walk.walk(recount.take)
    var problems = walk.problems
    problems += recount.damaged.prefix(PageWalk.limit).map { "\($0) is damaged" }
    guard walk.problems.isEmpty else { return problems }
    if state.transaction != meta.transaction {
      problems.append("its meta pages and its state record disagree")
    }
    if let later = recount.later {
      problems.append("\(later) is of a later version than the store, \(state.version)")
    }
    if problems.isEmpty {
      for space in RecordSpace.allCases where recount.digest[space] != state.digest[space] {
        problems.append(
          "the database '\(space.name)' lacks records, or has some that were removed: their digest differs"
        )
      }
    }
    return problems
  }

  private static func problemsWithoutState(
    _ file: PageFile, _ meta: PageFile.Meta
  ) -> [String] {
    var walk = PageWalk(file, meta)
    walk.walk { _, _, _ in }
    return walk.problems + ["its state record cannot be read"]
  }

  /// A flipped bit may make the newest meta page look older than the other: the other, if LMDB
  /// chose it, is then not the last commit. Each must lead to the state that its own commit wrote.
  private static func problemsOfOther(_ file: PageFile, _ meta: PageFile.Meta) -> [String] {
    let metas = file.consistentMetas
    guard metas.count == 2 else { return ["one of its meta pages is damaged"] }
    // A writer is active: what it has written since is valid.
    guard let other = metas.first(where: { $0 != meta }), metas.contains(meta) else { return [] }
    // A later commit, to which a session has not advanced.
    if meta.transaction &+ 1 == other.transaction { return [] }
    // The result of a failed commit (`MetaPages.restore`).
    if other.transaction == meta.transaction && other.main == meta.main { return [] }
    if other.transaction == 0 && other.main.root == PageFile.Tree.none { return [] }
    // LMDB chose the newer page at that time: this one was written later.
    if other.transaction > meta.transaction { return [] }
    let state = PageSearch(file, other).state
    guard file.metas == metas || !file.metas.contains(meta) else { return [] }
    if state?.transaction != other.transaction || other.transaction &+ 1 != meta.transaction {
      return ["its meta pages are not those of its last two commits"]
    }
    return []
  }
}

/// The counts that are taken while every record is read once.
private final class Recount {
  private(set) var damaged: [RecordName] = []
  private(set) var digest = StoreDigest()
  /// A record with a version after the store's: from another copy of the file.
  private(set) var later: RecordName?
  private let newest: Int

  init(newest: Int) { self.newest = newest }

  func take(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer
  ) {
    if space.entrySize != nil {
      digest[space] &+= StoreDigest.share(space, key, record)
      return
    }
    if space == .meta, StoreFormat.isKey(key) || key.elementsEqual(StoreState.key.utf8) { return }
    guard record.isIntact(space, key) else {
      if damaged.count < PageWalk.limit { damaged.append(RecordName(space, key)) }
      return
    }
    let trailer = RecordTrailer(endOf: record)
    digest[space] &+= trailer.digest
    if later == nil && !trailer.isWritten(by: newest) { later = RecordName(space, key) }
  }
}
