internal import CLMDB
internal import Glibc

/// What a look at a store's file before it is used, and `check`, find.
///
/// The pages are walked first, so that LMDB can follow every pointer; then, where the file is small or
/// everything is wanted, each record is compared with its checksum, and their sum with the store's digest.
struct StoreVerification {
  /// Files of at most so many bytes are read as a whole when they are opened: a millisecond for eight
  /// megabytes that are in memory.
  static let recordLimit = 256 << 20

  enum Scope {
    case branches, pages, records

    /// What is read of a file of a size when it is opened.
    init(size: Int, isUnclean: Bool) {
      self =
        size <= recordLimit ? .records : isUnclean ? .pages : .branches
    }
  }

  private(set) var problems: [String] = []
  /// Neither meta page is of the version that was asked for: later commits have written them.
  private(set) var isOfAnotherVersion = false

  /// Verifies the version of a store that a read transaction of LMDB holds, and that the meta page before
  /// it is the one of the commit before.
  init(
    _ descriptor: Int32, _ transaction: UInt64, _ scope: Scope
  ) throws(StorageError) {
    let file = try PageFile(descriptor)
    let metas = file.metasOfOneMoment
    guard let meta = metas.first(where: { $0.transaction == transaction }) else {
      problems = ["neither of its first pages is of the last commit"]
      isOfAnotherVersion = metas.allSatisfy { $0.transaction > transaction }
      return
    }
    problems = Self.problems(of: file, meta, scope)
    if problems.isEmpty { problems = Self.problemsOfOther(file, meta) }
  }

  /// What is wrong with one version of a file.
  static func problems(of file: PageFile, _ meta: PageFile.Meta, _ scope: Scope) -> [String] {
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
      problems.append("its first pages and its state disagree")
    }
    if let later = recount.later {
      problems.append("\(later) is of a later version than the store, \(state.version)")
    }
    if problems.isEmpty {
      for space in RecordSpace.allCases where recount.digest[space] != state.digest[space] {
        problems.append(
          "the database '\(space.name)' lacks records, or has some that were removed: their sum is another"
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
    return walk.problems + ["its state cannot be read"]
  }

  /// A bit of the newest meta page may have made it look older than the other: then the other, if it was
  /// chosen, is not the last commit. Each must lead to the state that its own commit wrote.
  private static func problemsOfOther(_ file: PageFile, _ meta: PageFile.Meta) -> [String] {
    let metas = file.metasOfOneMoment
    guard metas.count == 2 else { return ["one of its first two pages is damaged"] }
    // A writer is at work: what it has written since is sound.
    guard let other = metas.first(where: { $0 != meta }), metas.contains(meta) else { return [] }
    // A commit since, which a session has not advanced to.
    if meta.transaction &+ 1 == other.transaction { return [] }
    // What a commit that failed leaves behind (`MetaPages.restore`).
    if other.transaction == meta.transaction && other.main == meta.main { return [] }
    if other.transaction == 0 && other.main.root == PageFile.Tree.none { return [] }
    // LMDB took the newer one when it began: this one was made since.
    if other.transaction > meta.transaction { return [] }
    let state = PageSearch(file, other).state
    guard file.metas == metas || !file.metas.contains(meta) else { return [] }
    if state?.transaction != other.transaction || other.transaction &+ 1 != meta.transaction {
      return ["its first two pages are not those of its last two commits"]
    }
    return []
  }
}

/// Everything that is counted while every record is looked at once.
private final class Recount {
  private(set) var damaged: [RecordName] = []
  private(set) var digest = StoreDigest()
  /// A record of a version after that of the store: of another copy of the file.
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
