internal import Glibc

/// What can still be read of a store's file, however damaged it is.
///
///     let salvage = try Salvage(path: "pets.hdb")
///     salvage.metadata("schema")
///
/// The file is only read, and by our own reads alone: LMDB, which trusts what pages say, has no part in
/// it. Of the newest version every record counts that its trees lead to and whose checksum holds. Where a
/// page of the trees is damaged, the records below are looked for on all pages of the file: first on those
/// that belong to the version, then, as stand-ins that are said to be old, on pages that were freed. A sum
/// over all records tells whether nothing is missing. Needs some bytes of memory for each record.
package final class Salvage {
  package let path: String
  private let descriptor: OwnedDescriptor
  private let file: SalvageFile
  /// The version that is read; nil where no page tells it.
  package let version: Int?
  /// Whether there was a later version, of which too little is left.
  package let isOutdated: Bool
  private let meta: SalvagedSpace
  let columns: SalvagedSpace
  let lists: SalvagedSpace

  /// Reads a file. No program writes to it until the salvage is given up. Errors: `cannotOpen`,
  /// `locked` where somebody is writing to it, `newerFormat`, and `notAStore` where nothing of a store is
  /// found in it.
  package init(path: String) throws(StorageError) {
    self.path = path
    descriptor = try Self.open(path)
    file = try SalvageFile(descriptor.number)
    let candidates = SalvageCandidate.all(of: file)
    var chosen: Assembly?
    for candidate in candidates.prefix(Self.tries) {
      let assembly = Assembly(file, candidate)
      if chosen == nil { chosen = assembly }
      guard assembly.isAcceptable else { continue }
      chosen = assembly
      break
    }
    guard let chosen, !chosen.isEmpty else { throw .notAStore(path: path) }
    let taken = chosen.candidate
    version = taken.version
    isOutdated =
      candidates.contains { $0.version ?? -1 > taken.version ?? .max }
      || file.hasLost(after: taken.transaction)
      || !taken.isNewest && StrayRecords.hasLater(than: taken.version, in: file)
    (meta, columns, lists) = (chosen.meta, chosen.columns, chosen.lists)
    try checkFormat()
  }

  private static let tries = 16

  /// The file at a path, which nobody writes to from now on.
  private static func open(_ path: String) throws(StorageError) -> OwnedDescriptor {
    guard !StorageEnvironment.isOpen(fileAt: path) else {
      throw .cannotOpen(path: path, reason: "this program has it open")
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = Glibc.open(path, flags)
    guard number >= 0 else {
      throw .cannotOpen(path: path, reason: StorageError.words(for: errno))
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
        let place = bytes.baseAddress.map { $0 - file.pages.base - 8 } ?? 0
        guard StoreFormat.isKey(bytes), let record = file.record(at: place) else { return }
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

  /// Whether every object, value and list of the version is there as it was.
  package var isExact: Bool { meta.isExact && columns.isExact && lists.isExact }

  // MARK: Records

  package enum Record<Content> {
    /// `version`: nil where it is what the newest version has; else the one that wrote it, after which it
    /// may have been changed or removed.
    case found(Content, version: Int?)
    /// There is none.
    case absent
    /// There may have been one, which cannot be read.
    case lost
  }

  /// What `setMetadata` put under a name.
  package func metadata(_ name: String) -> Record<[UInt8]> {
    StorageSnapshot.metadataKey(name).withUnsafeBytes { Record(meta.record($0)) { $0 } }
  }

  /// The numbers of the classes that anything is left of.
  package var classes: [UInt32] {
    var found: Set<UInt32> = []
    for space in [columns, lists] {
      space.forEachKey(from: []) { key in
        if key.count >= 12 { found.insert(key.bigEndian(at: 0, as: UInt32.self)) }
      }
    }
    return found.sorted()
  }

  /// The blocks of a class that anything is left of, in order.
  package func blocks(of classID: UInt32) -> [Int] {
    var found: Set<UInt32> = []
    let prefix = withUnsafeBytes(of: classID.bigEndian) { [UInt8]($0) }
    columns.forEachKey(from: prefix) { key in
      guard key.count == 12 || key.count == 13 else { return }
      let block = key.bigEndian(at: 8, as: UInt32.self)
      if block != .max { found.insert(block) }
    }
    return found.sorted().map { Int($0) }
  }

  /// Which numbers of a block are in use.
  package func presence(_ classID: UInt32, block: Int) -> Record<SIMD4<UInt64>> {
    let key = FixedKey.block(ColumnID(classID: classID, propertyID: 0), block)
    return record(columns, key) { content in
      guard content.count == ClassRecord.presenceSize else { return nil }
      return content.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }
  }

  /// How many objects a class has, and the number that its next one gets.
  package func classRecord(_ classID: UInt32) -> Record<(count: Int, next: Int)> {
    record(columns, .classRecord(classID)) { content in
      content.withUnsafeBytes { ClassRecord($0) }.map { ($0.count, $0.next) }
    }
  }

  /// The 256 values of a block of a column.
  package func block(
    _ column: ColumnID, _ kind: ColumnKind, _ block: Int
  ) -> Record<SalvagedBlock> {
    record(columns, .block(column, block)) { content in
      guard let block = SalvagedBlock(content), block.kind == kind, block.count == 256 else {
        return nil
      }
      return block
    }
  }

  /// A value that has a record of its own.
  package func largeValue(_ column: ColumnID, _ number: Int) -> Record<[UInt8]> {
    record(columns, .largeValue(column, number >> 8, row: number & 255)) { $0 }
  }

  func record<Content>(
    _ space: SalvagedSpace, _ key: FixedKey, _ body: ([UInt8]) -> Content?
  ) -> Record<Content> {
    key.withBytes { Record(space.record($0), body) }
  }
}

extension Salvage.Record {
  /// What cannot be understood counts as lost.
  init(_ record: SalvagedRecord, _ body: ([UInt8]) -> Content?) {
    switch record {
    case .found(let bytes, let version):
      self = body(bytes).map { .found($0, version: version) } ?? .lost
    case .absent: self = .absent
    case .lost: self = .lost
    }
  }
}

/// One candidate's records, from its trees and from pages that no tree leads to.
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
      var strays =
        pass == 0
        ? nil : StrayRecords(file, free: free, except: [meta, columns, lists], newest: newest)
      meta.complete(strays, digest)
      columns.complete(strays, digest)
      // Lists of objects that are gone are not missing.
      if columns.isExact { strays?.dropLists(in: file) { self.columns.hasObject(of: $0) } }
      lists.complete(strays, digest)
    }
  }

  var isExact: Bool { meta.isExact && columns.isExact && lists.isExact }

  /// Whether to look no further. Versions that no meta page tells of count only where nothing of them is
  /// missing; one without its state, where its trees can be walked.
  var isAcceptable: Bool {
    switch candidate.standing {
    case .sound: true
    case .found: isExact
    case .stateless: columns.gaps.isEmpty && lists.gaps.isEmpty
    }
  }

  /// Whether nothing of a store was found.
  var isEmpty: Bool {
    [meta, columns, lists].allSatisfy { $0.current.isEmpty && $0.old.isEmpty }
      && candidate.digest == nil
  }
}

extension SalvagedSpace {
  fileprivate mutating func complete(_ strays: StrayRecords?, _ digest: StoreDigest?) {
    guard !isExact else { return }
    complete(
      live: strays?.live[space] ?? [], stale: strays?.stale[space] ?? [], digest: digest?[space])
  }
}
