internal import CLMDB
internal import Glibc
internal import Synchronization

/// The memory shared by all who have a lock file open: LMDB's reader table, and a trailer of ours after it.
///
///     lock file := head  writer's mutex  reader{4096}  trailer
///     head      := magic:u32 format:u32 mutex transaction:u64 readers:u32     padded to 64 bytes
///     reader    := transaction:u64 process:i32 thread:u64 note                 padded to 64 bytes
///     note      := transaction:u64 since:u42 version:u21 frozen:u1 name:24 bytes   milliseconds since 1970;
///                  the low bits of the version
///     trailer   := "HERALDLK" commits:u32 in use:u32 store's id:16 bytes store's inode:u64
///                  generation:u32 refused record:u32                           native byte order
///
/// LMDB divides the length of the file by that of a reader, so up to 63 bytes after the table are
/// unused. Only `in use` and `refused record` outlive the programs that have the store open.
///
/// `@unchecked Sendable`: every word that changes is atomic, or is changed only while the store is
/// opened or closed alone (`StoreLocks.opening`), and the mapping lasts as long as the value.
package final class LockTable: @unchecked Sendable {
  /// The largest number of readers of all processes together.
  static let readerLimit = 4096

  private static let slotSize = 64
  private static let magic: UInt32 = 0xBEEF_C0DE
  /// LMDB's first layout, with locks among processes.
  private static let format: UInt32 = 0x1_0001
  private static let mutexOffset = 8
  private static let mutexSize = MemoryLayout<pthread_mutex_t>.size
  private static let transactionOffset = mutexOffset + mutexSize
  private static let headSize = roundedUp(transactionOffset + 12)
  private static let readersOffset = headSize + roundedUp(mutexSize)
  private static let trailerOffset = readersOffset + readerLimit * slotSize
  private static let trailerSize = 48
  private static let mark = [UInt8]("HERALDLK".utf8)

  private let start: UnsafeMutableRawPointer
  /// Whether the file has the length that includes our trailer.
  private let hasTrailer: Bool

  private static func roundedUp(_ size: Int) -> Int { (size + slotSize - 1) / slotSize * slotSize }

  /// Maps a lock file that LMDB has initialized; returns nil if the system refuses or if the layout
  /// is another. `isAlone`: only the caller has it open.
  init?(_ lock: OwnedDescriptor, isAlone: Bool) {
    guard let facts = FileFacts(lock.number), facts.size >= Self.readersOffset else { return nil }
    hasTrailer = facts.size == Self.trailerOffset + Self.trailerSize
    let size = Self.trailerOffset + Self.trailerSize
    guard
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, lock.number, 0),
      start != MAP_FAILED
    else { return nil }
    self.start = start
    guard start.load(as: UInt32.self) == Self.magic,
      start.load(fromByteOffset: 4, as: UInt32.self) == Self.format
    else { return nil }
    guard hasTrailer else { return }
    if isAlone {
      (start + Self.trailerOffset).copyMemory(from: Self.mark, byteCount: Self.mark.count)
    }
  }

  deinit { munmap(start, Self.trailerOffset + Self.trailerSize) }

  /// Gives a new lock file its length, before LMDB opens it; one that others have open keeps its own.
  static func prepare(_ lock: OwnedDescriptor, isAlone: Bool) {
    let size = trailerOffset + trailerSize
    if isAlone, let facts = FileFacts(lock.number), facts.size < size {
      ftruncate(lock.number, off_t(size))
    }
  }

  private func word<T: ~Copyable>(_ offset: Int, as type: T.Type) -> UnsafeMutablePointer<T> {
    (start + offset).assumingMemoryBound(to: type)
  }
}

// MARK: LMDB's table

extension LockTable {
  /// The number of the newest transaction, according to LMDB.
  var transaction: UInt64 {
    word(Self.transactionOffset, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
  }

  private var usedReaders: Int {
    let count = word(Self.transactionOffset + 8, as: Atomic<UInt32>.self).pointee
      .load(ordering: .acquiring)
    return min(Int(count), Self.readerLimit)
  }

  private func reader(_ number: Int) -> Int { Self.readersOffset + number * Self.slotSize }

  /// The oldest transaction that is being read, nil if there is none.
  var oldestRead: UInt64? {
    (0..<usedReaders).compactMap { number -> UInt64? in
      let offset = reader(number)
      let process = word(offset + 8, as: Atomic<Int32>.self).pointee.load(ordering: .acquiring)
      let transaction = word(offset, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
      return process == 0 || transaction == .max ? nil : transaction
    }.min()
  }

  /// Returns the index of the slot at an offset in the file; nil if there is none.
  static func slot(at offset: Int) -> Int? {
    let (number, rest) = (offset - readersOffset).quotientAndRemainder(dividingBy: slotSize)
    return rest == 0 && (0..<readerLimit).contains(number) ? number : nil
  }

  /// Every version that is held, with its holder's note.
  package var readers: [(process: Int32, transaction: UInt64, note: ReaderNote?)] {
    (0..<usedReaders).compactMap { number in
      let offset = reader(number)
      let process = word(offset + 8, as: Atomic<Int32>.self).pointee.load(ordering: .acquiring)
      let transaction = word(offset, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
      guard process != 0, transaction != .max else { return nil }
      return (process, transaction, note(at: offset, of: transaction))
    }
  }

  private static let noteOffset = 24
  private static let sinceMask: UInt64 = 1 << 42 - 1

  /// Writes a note beside a reader's slot, where LMDB leaves forty bytes free. To be called by the
  /// owner of the slot.
  func note(_ note: ReaderNote, inSlot number: Int) {
    let offset = reader(number) + Self.noteOffset
    let transaction = word(offset, as: Atomic<UInt64>.self)
    // A concurrent reader of the note sees none.
    transaction.pointee.store(.max, ordering: .releasing)
    let since =
      UInt64(note.since) & Self.sinceMask | UInt64(note.version & ReaderNote.versionMask) << 42
      | (note.label.isFrozen ? 1 << 63 : 0)
    (start + offset).storeBytes(of: since, toByteOffset: 8, as: UInt64.self)
    let name = UnsafeMutableRawBufferPointer(
      start: start + offset + 16, count: ReaderLabel.nameSize)
    name.initializeMemory(as: UInt8.self, repeating: 0)
    name.copyBytes(from: note.label.name.utf8)
    transaction.pointee.store(note.transaction, ordering: .releasing)
  }

  /// Returns nil if the slot has no note, or that of another version.
  private func note(at reader: Int, of transaction: UInt64) -> ReaderNote? {
    let offset = reader + Self.noteOffset
    let noted = word(offset, as: Atomic<UInt64>.self)
    guard noted.pointee.load(ordering: .acquiring) == transaction else { return nil }
    let since = (start + offset).load(fromByteOffset: 8, as: UInt64.self)
    let name = UnsafeRawBufferPointer(start: start + offset + 16, count: ReaderLabel.nameSize)
    let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    guard noted.pointee.load(ordering: .acquiring) == transaction else { return nil }
    return ReaderNote(
      transaction: transaction, version: Int(since >> 42) & ReaderNote.versionMask,
      since: Int(since & Self.sinceMask),
      label: ReaderLabel(text, isFrozen: since >> 63 == 1))
  }

  /// Clears the slots of a process that has died and whose number a new process has now: LMDB would
  /// assign them to the new one.
  func clearReaders(of process: pid_t) {
    for number in 0..<usedReaders {
      let holder = word(reader(number) + 8, as: Atomic<Int32>.self)
      _ = holder.pointee.compareExchange(
        expected: process, desired: 0, ordering: .acquiringAndReleasing)
    }
  }
}

// MARK: The trailer

extension LockTable {
  private var commits: UnsafeMutablePointer<Atomic<UInt32>>? {
    hasTrailer ? word(Self.trailerOffset + 8, as: Atomic<UInt32>.self) : nil
  }

  /// A number that every commit changes, nil if the file has no field for it.
  var commitCount: UInt32? { commits?.pointee.load(ordering: .acquiring) }

  /// Wakes everyone who waits for a commit.
  func announceCommit() {
    commits?.pointee.wrappingAdd(1, ordering: .releasing)
    wake()
  }

  /// Makes everyone who waits for a commit check again.
  func wake() {
    guard let commits else { return }
    herald_futex_wake(UnsafeRawPointer(commits).assumingMemoryBound(to: UInt32.self))
  }

  /// Waits until `commitCount` changes, or a time limit has passed.
  func awaitCommit(after count: UInt32, seconds: Int) {
    guard let commits else { return }
    var limit = timespec(tv_sec: seconds, tv_nsec: 0)
    _ = herald_futex_wait(
      UnsafeRawPointer(commits).assumingMemoryBound(to: UInt32.self), count, &limit)
  }

  /// Whether a process that could write had the store open when this was last set, and none has
  /// closed it since.
  var isInUse: Bool {
    get { hasTrailer && word(Self.trailerOffset + 12, as: UInt32.self).pointee != 0 }
    set {
      if hasTrailer { word(Self.trailerOffset + 12, as: UInt32.self).pointee = newValue ? 1 : 0 }
    }
  }

  /// The id of the store that the lock file belongs to; nil if the file has no field for it.
  var storeID: StoreID? {
    get { hasTrailer ? word(Self.trailerOffset + 16, as: StoreID.self).pointee : nil }
    set {
      if hasTrailer, let newValue {
        word(Self.trailerOffset + 16, as: StoreID.self).pointee = newValue
      }
    }
  }

  private var inode: UnsafeMutablePointer<Atomic<UInt64>>? {
    hasTrailer ? word(Self.trailerOffset + 32, as: Atomic<UInt64>.self) : nil
  }

  private var generations: UnsafeMutablePointer<Atomic<UInt32>>? {
    hasTrailer ? word(Self.trailerOffset + 40, as: Atomic<UInt32>.self) : nil
  }

  /// The inode of the store's file: after `compact`, processes that had it open before know another
  /// one. Nil if the file has no field for it.
  package var storeInode: UInt64? {
    get { inode?.pointee.load(ordering: .acquiring) }
    set { if let newValue { inode?.pointee.store(newValue, ordering: .releasing) } }
  }

  /// The number of times that the store was moved to another file while it was open.
  var generation: UInt32 { generations?.pointee.load(ordering: .acquiring) ?? 0 }

  package func beginGeneration() { generations?.pointee.wrappingAdd(1, ordering: .releasing) }

  /// The mark of the journal's record of a commit that failed, if the disk has refused to erase the record; 0 if there
  /// is none.
  var refusedRecord: UInt32 {
    get { hasTrailer ? word(Self.trailerOffset + 44, as: UInt32.self).pointee : 0 }
    set { if hasTrailer { word(Self.trailerOffset + 44, as: UInt32.self).pointee = newValue } }
  }

  /// Returns the `storeInode` of a lock file that is not mapped; nil if its layout is not ours.
  static func storeInode(in lock: OwnedDescriptor) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: trailerSize)
    guard let facts = FileFacts(lock.number), facts.size == trailerOffset + trailerSize,
      pread(lock.number, &bytes, trailerSize, off_t(trailerOffset)) == trailerSize,
      bytes.starts(with: mark)
    else { return nil }
    return bytes.withUnsafeBytes { $0.load(fromByteOffset: 32, as: UInt64.self) }
  }
}
