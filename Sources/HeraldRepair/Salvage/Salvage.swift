import Glibc
import HeraldStorage

/// The readable content of a store's file, however damaged it is.
///
///     let salvage = try Salvage(path: "pets.hdb")
///     salvage.metadata("schema")
///
/// The file is only read, and without LMDB, which trusts the pages. Of the newest version, every
/// record counts that its trees lead to and whose checksum is correct. If a page of the trees is
/// damaged, the records below it are searched for on all pages of the file: first on those that
/// belong to the version, then, as substitutes marked as old, on freed pages. The digest shows
/// whether any record is missing. Needs some bytes of memory per record.
final class Salvage {
  let path: String
  private let descriptor: OwnedDescriptor
  private let file: SalvageFile
  /// The version that is read; nil if no page records it.
  let version: Int?
  /// Whether there was a later version, of which too little is left.
  let isOutdated: Bool
  private let meta: SalvagedSpace
  let columns: SalvagedSpace
  let lists: SalvagedSpace

  /// Reads a file. No program can write to it until the salvage is deallocated. Errors:
  /// `cannotOpen`, `locked` if another process is writing to it, `newerFormat`, and `notAStore` if
  /// it contains nothing of a store.
  init(path: String) throws(StorageError) {
    self.path = path
    descriptor = try Self.open(path)
    file = try SalvageFile(descriptor.number)
    let candidates = SalvageCandidate.all(of: file)
    var chosen: Assembly?
    for candidate in candidates.prefix(Self.candidateLimit) {
      let assembly = Assembly(file, candidate)
      if chosen == nil { chosen = assembly }
      guard assembly.isAcceptable else { continue }
      chosen = assembly
      break
    }
    guard var chosen, !chosen.isEmpty else { throw .notAStore(path: path) }
    let taken = chosen.candidate
    let found = chosen.applyJournal(of: file) ?? taken.version
    version = found
    isOutdated =
      candidates.contains { $0.version ?? -1 > found ?? .max }
      || file.hasLostCommit(after: taken.transaction)
      || !taken.isNewest && OrphanedRecords.hasLater(than: taken.version, in: file)
    (meta, columns, lists) = (chosen.meta, chosen.columns, chosen.lists)
    try checkFormat()
  }

  private static let candidateLimit = 16

  /// Opens the file at a path, and locks out writers.
  private static func open(_ path: String) throws(StorageError) -> OwnedDescriptor {
    guard !StorageEnvironment.isOpen(fileAt: path) else {
      throw .cannotOpen(path: path, reason: "this program has it open")
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = Glibc.open(path, flags)
    guard number >= 0 else {
      throw .cannotOpen(path: path, reason: StorageError.message(for: errno))
    }
    let descriptor = OwnedDescriptor(number)
    switch FileFacts(number)?.kind {
    case .regular: break
    case .directory: throw .cannotOpen(path: path, reason: "it is a directory")
    case .symbolicLink, .other, nil:
      throw .cannotOpen(path: path, reason: "it is not a regular file")
    }
    guard WriterLock.byte(descriptor).take(.shared, waiting: false) else {
      throw .locked(path: path)
    }
    return descriptor
  }

  private func checkFormat() throws(StorageError) {
    let key = [UInt8](StoreFormat.key.utf8)
    var found: Int?
    key.withUnsafeBytes { key in
      meta.forEachKey(from: Array(key)) { bytes in
        let offset = bytes.baseAddress.map { $0 - file.pages.base - 8 } ?? 0
        guard StoreFormat.isKey(bytes), let record = file.record(at: offset) else { return }
        found = StoreFormat.version(in: [UInt8](record))
      }
    }
    if let found, found > StoreFormat.version {
      throw .newerFormat(path: path, found: found, supported: StoreFormat.version)
    }
    if let found, found < StoreFormat.oldest {
      throw .olderFormat(path: path, found: found, oldest: StoreFormat.oldest)
    }
  }

  /// Whether every object, value and list of the version is present and unchanged.
  var isExact: Bool { meta.isExact && columns.isExact && lists.isExact }

  // MARK: Records

  enum Record<Content> {
    /// `version`: nil if it is the newest version's content; otherwise that of the commit that
    /// wrote it, after which it may have been changed or removed.
    case found(Content, version: Int?)
    /// There is no record.
    case absent
    /// There may have been a record, which cannot be read.
    case lost
  }

  /// Returns the bytes that `setMetadata` stored under a name.
  func metadata(_ name: String) -> Record<[UInt8]> {
    StorageSnapshot.metadataKey(name).withUnsafeBytes { Record(meta.record($0)) { $0 } }
  }

  /// The numbers of the classes with any record left.
  var classes: [UInt32] {
    var found: Set<UInt32> = []
    for space in [columns, lists] {
      space.forEachKey(from: []) { key in
        if key.count >= 12 { found.insert(key.bigEndian(at: 0, as: UInt32.self)) }
      }
    }
    return found.sorted()
  }

  /// Returns the blocks of a class with any record left, in order.
  func blocks(of classID: UInt32) -> [Int] {
    var found: Set<UInt32> = []
    let prefix = withUnsafeBytes(of: classID.bigEndian) { [UInt8]($0) }
    columns.forEachKey(from: prefix) { key in
      guard key.count == 12 || key.count == 13 else { return }
      let block = key.bigEndian(at: 8, as: UInt32.self)
      if block != .max { found.insert(block) }
    }
    return found.sorted().map { Int($0) }
  }

  /// Returns the numbers of a block that are in use.
  func presence(_ classID: UInt32, block: Int) -> Record<SIMD4<UInt64>> {
    let key = FixedKey.block(ColumnID(classID: classID, propertyID: 0), block)
    return record(columns, key) { content in
      guard content.count == ClassRecord.presenceSize else { return nil }
      return content.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }
  }

  /// Returns the number of objects of a class, and the number that its next one gets.
  func classRecord(_ classID: UInt32) -> Record<(count: Int, next: Int)> {
    record(columns, .classRecord(classID)) { content in
      content.withUnsafeBytes { ClassRecord($0) }.map { ($0.count, $0.next) }
    }
  }

  /// Returns the 256 values of a block of a column.
  func block(
    _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) -> Record<SalvagedBlock> {
    record(columns, .block(column, block)) { content in
      guard let block = SalvagedBlock(content), block.kind == kind, block.count == 256 else {
        return nil
      }
      return block
    }
  }

  /// Returns a value that has a record of its own.
  func largeValue(_ column: ColumnID, _ number: Int) -> Record<[UInt8]> {
    record(columns, .largeValue(column, number >> 8, row: number & 255)) { $0 }
  }

  func record<Content>(
    _ space: SalvagedSpace, _ key: FixedKey, _ body: ([UInt8]) -> Content?
  ) -> Record<Content> {
    key.withBytes { Record(space.record($0), body) }
  }
}

extension Salvage.Record {
  /// A record that cannot be decoded counts as lost.
  init(_ record: SalvagedRecord, _ body: ([UInt8]) -> Content?) {
    switch record {
    case .found(let bytes, let version):
      self = body(bytes).map { .found($0, version: version) } ?? .lost
    case .absent: self = .absent
    case .lost: self = .lost
    }
  }
}

/// The records of one candidate, from its trees and from pages that no tree leads to.
private struct Assembly {
  let candidate: SalvageCandidate
  var meta: SalvagedSpace
  var columns: SalvagedSpace
  var lists: SalvagedSpace

  init(_ file: SalvageFile, _ candidate: SalvageCandidate) {
    self.candidate = candidate
    let (free, newest) = (candidate.free, candidate.version)
    func space(_ space: RecordSpace) -> SalvagedSpace {
      SalvagedSpace(
        file, space, root: candidate.roots[space], free: free, newest: newest)
    }
    (meta, columns, lists) = (space(.meta), space(.columns), space(.lists))
    let digest = candidate.digest
    for pass in 0..<2 where pass == 0 || !isExact {
      var orphans =
        pass == 0
        ? nil : OrphanedRecords(file, free: free, except: [meta, columns, lists], newest: newest)
      meta.complete(orphans, digest)
      columns.complete(orphans, digest)
      // Lists of deleted objects are not missing.
      if columns.isExact { orphans?.dropLists(in: file) { self.columns.hasObject(of: $0) } }
      lists.complete(orphans, digest)
    }
  }

  var isExact: Bool { meta.isExact && columns.isExact && lists.isExact }

  /// Whether to stop searching. A version without a meta page counts only if nothing of it is
  /// missing; one without its state, if its trees can be walked.
  var isAcceptable: Bool {
    switch candidate.evidence {
    case .sound: true
    case .scanned: isExact
    case .stateless: columns.gaps.isEmpty && lists.gaps.isEmpty
    }
  }

  /// Whether nothing of a store was found.
  var isEmpty: Bool {
    [meta, columns, lists].allSatisfy { $0.current.isEmpty && $0.old.isEmpty }
      && candidate.digest == nil
  }
}

extension Assembly {
  /// Makes the changes of the commits that are in the journal alone, and returns the version of the last one; nil if
  /// there is none that follows the candidate. A record that does not follow from what is left is not changed.
  mutating func applyJournal(of file: SalvageFile) -> Int? {
    guard let meta = file.metas.first(where: { $0.transaction == candidate.transaction }) else {
      return nil
    }
    var version: Int?
    for record in file.pages.journalRecords(after: meta) {
      record.body.withUnsafeBytes { body in
        var reader = PackedReader(body)
        if let made = try? apply(&reader) { version = made }
      }
    }
    return version
  }

  private mutating func apply(_ reader: inout PackedReader) throws -> Int {
    let version = try reader.count()
    _ = try (reader.count(), reader.count())
    for _ in 0..<(try reader.count(of: 3)) { _ = try EntryChange(&reader) }
    while !reader.isAtEnd {
      let space = RecordSpace(rawValue: UInt32(try reader.byte()))
      guard let space, space.entrySize == nil else { throw PackedReader.Malformed() }
      let key = try reader.key(space)
      let change = try ContentChange(&reader)
      switch space {
      case .meta: meta.apply(change, key)
      case .columns: columns.apply(change, key)
      case .lists: lists.apply(change, key)
      case .links, .index, .log: break
      }
      if case .deleted = change { continue }
      _ = try reader.number()
    }
    return version
  }
}

extension SalvagedSpace {
  fileprivate mutating func complete(_ orphans: OrphanedRecords?, _ digest: StoreDigest?) {
    guard !isExact else { return }
    complete(
      live: orphans?.live[space] ?? [], stale: orphans?.stale[space] ?? [], digest: digest?[space])
  }
}
