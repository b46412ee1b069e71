internal import CLMDB
internal import Glibc

/// What LMDB knows a process by in the table of readers.
///
/// It is the process's number, and a lock of the lock file's byte of that number says that the
/// process lives. In two containers two processes can have one number: the second would get no place
/// in the table, and when it ended LMDB would take the first's places for its own. The second is
/// therefore known by a number that no process has.
enum ProcessNumber {
  /// Processes of Linux have numbers up to this.
  private static let largest: pid_t = 1 << 22

  /// The number to be known by, of which nobody has the lock. To be called by who alone opens the
  /// lock file at this time.
  static func choose(_ lock: OwnedDescriptor) -> pid_t {
    var number = getpid()
    while !isFree(number, lock) { number = pid_t.random(in: largest + 1...largest << 8) }
    return number
  }

  /// Whether no other process has the lock of a number. LMDB's locks are a process's, not a file's.
  private static func isFree(_ number: pid_t, _ lock: OwnedDescriptor) -> Bool {
    var bytes = description(F_WRLCK, at: off_t(number))
    return fcntl(lock.number, F_GETLK, &bytes) != 0 || bytes.l_type == Int16(F_UNLCK)
  }

  /// Takes the locks that LMDB has taken of the lock file once more, after a descriptor of it was
  /// closed: the system dropped them then.
  static func takeLocks(_ number: pid_t, _ lock: OwnedDescriptor) {
    var use = description(F_RDLCK, at: 0)
    _ = fcntl(lock.number, F_SETLK, &use)
    var life = description(F_WRLCK, at: off_t(number))
    _ = fcntl(lock.number, F_SETLK, &life)
  }

  private static func description(_ type: Int32, at place: off_t) -> flock {
    var bytes = flock()
    bytes.l_type = Int16(type)
    bytes.l_whence = Int16(SEEK_SET)
    bytes.l_start = place
    bytes.l_len = 1
    return bytes
  }
}

// LMDB has no call for these three: they are fields with which its environment begins, the same in all
// of 0.9. The fields around them, whose values are known, say whether they are where we think.

extension ProcessNumber {
  private static let lockPlace = 4
  private static let pageSizePlace = 20
  private static let readerLimitPlace = 24
  private static let closedReadersPlace = 28
  private static let databaseLimitPlace = 36
  private static let numberPlace = 40

  /// Has an environment, not open yet, be known by a number; false where this LMDB is another.
  static func set(_ number: pid_t, of environment: OpaquePointer) -> Bool {
    if number == getpid() { return true }
    let fields = UnsafeMutableRawPointer(environment)
    guard isLaidOut(fields), fields.load(fromByteOffset: closedReadersPlace, as: Int32.self) == 0,
      fields.load(fromByteOffset: numberPlace, as: pid_t.self) == getpid()
    else { return false }
    fields.storeBytes(of: number, toByteOffset: numberPlace, as: pid_t.self)
    return true
  }

  /// Keeps an environment that is to be closed from giving up the places of a process that has our
  /// number elsewhere. Its own are given up already, with its transactions.
  static func willClose(_ environment: OpaquePointer, of number: pid_t) {
    if number == getpid() { return }
    let fields = UnsafeMutableRawPointer(environment)
    guard isLaidOut(fields), fields.load(fromByteOffset: numberPlace, as: pid_t.self) == number
    else { return }
    fields.storeBytes(of: 0, toByteOffset: closedReadersPlace, as: Int32.self)
  }

  /// Keeps an environment that is to be closed from giving up what other environments of this process
  /// need: places in the table of readers, and the locks of the lock file, which the system drops with any
  /// descriptor of it. Returns the descriptor, which stays open; nil where this LMDB is another.
  static func willClose(
    _ environment: OpaquePointer, besideOthersOf lock: FileIdentity
  ) -> OwnedDescriptor? {
    let fields = UnsafeMutableRawPointer(environment)
    let descriptor = fields.load(fromByteOffset: lockPlace, as: Int32.self)
    guard isLaidOut(fields), FileFacts(descriptor)?.identity == lock else { return nil }
    fields.storeBytes(of: 0, toByteOffset: closedReadersPlace, as: Int32.self)
    fields.storeBytes(of: -1, toByteOffset: lockPlace, as: Int32.self)
    return OwnedDescriptor(descriptor)
  }

  static func isLaidOut(_ fields: UnsafeMutableRawPointer) -> Bool {
    fields.load(fromByteOffset: pageSizePlace, as: UInt32.self)
      == UInt32(sysconf(Int32(_SC_PAGESIZE)))
      && fields.load(fromByteOffset: readerLimitPlace, as: UInt32.self)
        == UInt32(LockTable.readerLimit)
      && fields.load(fromByteOffset: databaseLimitPlace, as: UInt32.self) == Databases.count + 2
  }
}
