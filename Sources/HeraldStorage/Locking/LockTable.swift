internal import CLMDB
internal import Glibc
internal import Synchronization

/// The memory that all who have a lock file open share: LMDB's table of readers, and a trailer of
/// ours behind it.
///
///     lock file := head  writer's mutex  reader{4096}  trailer
///     head      := magic:u32 format:u32 mutex transaction:u64 readers:u32     padded to 64 bytes
///     reader    := transaction:u64 process:i32 thread:u64 note                 padded to 64 bytes
///     note      := transaction:u64 since:u63 frozen:u1 name:24 bytes           milliseconds since 1970
///     trailer   := "HERALDLK" commits:u32 in use:u32 store's id:16 bytes store's inode:u64
///                  generation:u32 0:u32                                        numbers as the machine's
///
/// LMDB divides the length of the file by that of a reader, so up to 63 bytes behind the table are
/// nobody's. All of it is for the programs that have the store open, and means nothing without them,
/// but for `in use`.
///
/// `@unchecked Sendable`: every word that changes is atomic, or changed by who opens or closes the
/// store alone (`Meeting.opening`), and the mapping lasts as long as the value.
final class LockTable: @unchecked Sendable {
  /// Readers of all processes together.
  static let readerLimit = 4096

  private static let line = 64
  private static let magic: UInt32 = 0xBEEF_C0DE
  /// LMDB's first layout, with locks for processes.
  private static let format: UInt32 = 0x1_0001
  private static let mutexPlace = 8
  private static let mutexSize = MemoryLayout<pthread_mutex_t>.size
  private static let transactionPlace = mutexPlace + mutexSize
  private static let headSize = roundedUp(transactionPlace + 12)
  private static let readersPlace = headSize + roundedUp(mutexSize)
  private static let trailerPlace = readersPlace + readerLimit * line
  private static let trailerSize = 48
  private static let mark = [UInt8]("HERALDLK".utf8)

  private let start: UnsafeMutableRawPointer
  /// Whether the file is as long as ours are.
  private let hasTrailer: Bool

  private static func roundedUp(_ size: Int) -> Int { (size + line - 1) / line * line }

  /// Maps a lock file that LMDB has made its own, nil where the system refuses or where it is not
  /// laid out as above. `isAlone`: nobody but the caller has it open.
  init?(_ lock: OwnedDescriptor, isAlone: Bool) {
    guard let facts = FileFacts(lock.number), facts.size >= Self.readersPlace else { return nil }
    hasTrailer = facts.size == Self.trailerPlace + Self.trailerSize
    let size = Self.trailerPlace + Self.trailerSize
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
      (start + Self.trailerPlace).copyMemory(from: Self.mark, byteCount: Self.mark.count)
    }
  }

  deinit { munmap(start, Self.trailerPlace + Self.trailerSize) }

  /// Gives a new lock file its length, before LMDB opens it; others that have it open keep theirs.
  static func prepare(_ lock: OwnedDescriptor, isAlone: Bool) {
    let size = trailerPlace + trailerSize
    if isAlone, let facts = FileFacts(lock.number), facts.size < size {
      ftruncate(lock.number, off_t(size))
    }
  }

  private func word<T: ~Copyable>(_ place: Int, as type: T.Type) -> UnsafeMutablePointer<T> {
    (start + place).assumingMemoryBound(to: type)
  }
}

// MARK: LMDB's table

extension LockTable {
  /// The transaction that LMDB takes for the newest one.
  var transaction: UInt64 {
    word(Self.transactionPlace, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
  }

  private var usedReaders: Int {
    let count = word(Self.transactionPlace + 8, as: Atomic<UInt32>.self).pointee
      .load(ordering: .acquiring)
    return min(Int(count), Self.readerLimit)
  }

  private func reader(_ number: Int) -> Int { Self.readersPlace + number * Self.line }

  /// The oldest transaction that somebody reads, nil where nobody reads any.
  var oldestRead: UInt64? {
    (0..<usedReaders).compactMap { number -> UInt64? in
      let place = reader(number)
      let process = word(place + 8, as: Atomic<Int32>.self).pointee.load(ordering: .acquiring)
      let transaction = word(place, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
      return process == 0 || transaction == .max ? nil : transaction
    }.min()
  }

  /// The number of the line that lies so many bytes into the file; nil where none does.
  static func number(ofLineAt place: Int) -> Int? {
    let (number, rest) = (place - readersPlace).quotientAndRemainder(dividingBy: line)
    return rest == 0 && (0..<readerLimit).contains(number) ? number : nil
  }

  /// Every version that somebody holds, with who has said so.
  var readers: [(process: pid_t, transaction: UInt64, note: ReaderNote?)] {
    (0..<usedReaders).compactMap { number in
      let place = reader(number)
      let process = word(place + 8, as: Atomic<Int32>.self).pointee.load(ordering: .acquiring)
      let transaction = word(place, as: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
      guard process != 0, transaction != .max else { return nil }
      return (process, transaction, note(at: place, of: transaction))
    }
  }

  private static let notePlace = 24

  /// Writes beside a reader's line, where LMDB leaves forty bytes free, who it is. To be called by who has
  /// the line.
  func note(_ note: ReaderNote, inLine number: Int) {
    let place = reader(number) + Self.notePlace
    let transaction = word(place, as: Atomic<UInt64>.self)
    // Whoever reads it meanwhile sees none.
    transaction.pointee.store(.max, ordering: .releasing)
    let since = UInt64(note.since) | (note.label.isFrozen ? 1 << 63 : 0)
    (start + place).storeBytes(of: since, toByteOffset: 8, as: UInt64.self)
    let name = UnsafeMutableRawBufferPointer(
      start: start + place + 16, count: ReaderLabel.nameSize)
    name.initializeMemory(as: UInt8.self, repeating: 0)
    name.copyBytes(from: note.label.name.utf8)
    transaction.pointee.store(note.transaction, ordering: .releasing)
  }

  /// Nil where nobody has said who reads, or of another version.
  private func note(at reader: Int, of transaction: UInt64) -> ReaderNote? {
    let place = reader + Self.notePlace
    let noted = word(place, as: Atomic<UInt64>.self)
    guard noted.pointee.load(ordering: .acquiring) == transaction else { return nil }
    let since = (start + place).load(fromByteOffset: 8, as: UInt64.self)
    let name = UnsafeRawBufferPointer(start: start + place + 16, count: ReaderLabel.nameSize)
    let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    guard noted.pointee.load(ordering: .acquiring) == transaction else { return nil }
    return ReaderNote(
      transaction: transaction, since: Int(since & ~(1 << 63)),
      label: ReaderLabel(text, isFrozen: since >> 63 == 1))
  }

  /// Gives up the places of a process that nobody is any more: a dead one that had the number which a
  /// new one has now. LMDB takes such places for the new one's.
  func forgetReaders(of process: pid_t) {
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
    hasTrailer ? word(Self.trailerPlace + 8, as: Atomic<UInt32>.self) : nil
  }

  /// A number that every commit changes, nil where the file has no place for it.
  var commitCount: UInt32? { commits?.pointee.load(ordering: .acquiring) }

  /// Lets everybody who waits for a commit go on.
  func announceCommit() {
    commits?.pointee.wrappingAdd(1, ordering: .releasing)
    wake()
  }

  /// Has everybody who waits for a commit look again.
  func wake() {
    guard let commits else { return }
    herald_futex_wake(UnsafeRawPointer(commits).assumingMemoryBound(to: UInt32.self))
  }

  /// Waits until `commitCount` is another, or some time has passed.
  func awaitCommit(after count: UInt32, seconds: Int) {
    guard let commits else { return }
    var limit = timespec(tv_sec: seconds, tv_nsec: 0)
    _ = herald_futex_wait(
      UnsafeRawPointer(commits).assumingMemoryBound(to: UInt32.self), count, &limit)
  }

  /// Whether somebody who could write had the store open when this was set last, and nobody has
  /// closed it since.
  var isInUse: Bool {
    get { hasTrailer && word(Self.trailerPlace + 12, as: UInt32.self).pointee != 0 }
    set {
      if hasTrailer { word(Self.trailerPlace + 12, as: UInt32.self).pointee = newValue ? 1 : 0 }
    }
  }

  /// The id of the store that the lock file belongs to; nil where the file has no place for it.
  var storeID: StoreID? {
    get { hasTrailer ? word(Self.trailerPlace + 16, as: StoreID.self).pointee : nil }
    set {
      if hasTrailer, let newValue {
        word(Self.trailerPlace + 16, as: StoreID.self).pointee = newValue
      }
    }
  }

  private var inode: UnsafeMutablePointer<Atomic<UInt64>>? {
    hasTrailer ? word(Self.trailerPlace + 32, as: Atomic<UInt64>.self) : nil
  }

  private var generations: UnsafeMutablePointer<Atomic<UInt32>>? {
    hasTrailer ? word(Self.trailerPlace + 40, as: Atomic<UInt32>.self) : nil
  }

  /// The number of the file that is the store's: after `compact` another than those who had it open
  /// before know. Nil where the file has no place for it.
  var storeInode: UInt64? {
    get { inode?.pointee.load(ordering: .acquiring) }
    set { if let newValue { inode?.pointee.store(newValue, ordering: .releasing) } }
  }

  /// How often the store was put into another file while somebody had it open.
  var generation: UInt32 { generations?.pointee.load(ordering: .acquiring) ?? 0 }

  func beginGeneration() { generations?.pointee.wrappingAdd(1, ordering: .releasing) }

  /// What `storeInode` is in a lock file that is not mapped; nil where it is not laid out as ours.
  static func storeInode(in lock: OwnedDescriptor) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: trailerSize)
    guard let facts = FileFacts(lock.number), facts.size == trailerPlace + trailerSize,
      pread(lock.number, &bytes, trailerSize, off_t(trailerPlace)) == trailerSize,
      bytes.starts(with: mark)
    else { return nil }
    return bytes.withUnsafeBytes { $0.load(fromByteOffset: 32, as: UInt64.self) }
  }
}
