internal import CLMDB
internal import Glibc

/// The number by which LMDB identifies a process in the reader table.
///
/// It is the process's id, and a lock of the lock file's byte at that offset indicates that the
/// process is alive. Two processes in two containers can have the same id: the second would get no
/// slot in the table, and when it ended LMDB would treat the first's slots as its own. The second
/// therefore gets a number that no process has.
enum ProcessNumber {
  /// The largest process id of Linux.
  private static let largest: pid_t = 1 << 22

  /// Returns a number whose lock nobody has. The caller must be the only one that opens the lock
  /// file at this time.
  static func choose(_ lock: OwnedDescriptor) -> pid_t {
    var number = getpid()
    while !isFree(number, lock) { number = pid_t.random(in: largest + 1...largest << 8) }
    return number
  }

  /// Returns whether no other process has the lock of a number. LMDB's locks are a process's, not a file's.
  private static func isFree(_ number: pid_t, _ lock: OwnedDescriptor) -> Bool {
    var bytes = description(F_WRLCK, at: off_t(number))
    return fcntl(lock.number, F_GETLK, &bytes) != 0 || bytes.l_type == Int16(F_UNLCK)
  }

  /// Takes again the locks that LMDB has taken of the lock file, after a descriptor of it was
  /// closed: the system dropped them then.
  static func takeLocks(_ number: pid_t, _ lock: OwnedDescriptor) {
    var use = description(F_RDLCK, at: 0)
    _ = fcntl(lock.number, F_SETLK, &use)
    var life = description(F_WRLCK, at: off_t(number))
    _ = fcntl(lock.number, F_SETLK, &life)
  }

  private static func description(_ type: Int32, at offset: off_t) -> flock {
    var bytes = flock()
    bytes.l_type = Int16(type)
    bytes.l_whence = Int16(SEEK_SET)
    bytes.l_start = offset
    bytes.l_len = 1
    return bytes
  }
}

// LMDB has no call for these three: they are fields at the start of its environment, at the same
// offsets in all of 0.9. Neighbouring fields with known values confirm the layout.

extension ProcessNumber {
  private static let lockOffset = 4
  private static let pageSizeOffset = 20
  private static let readerLimitOffset = 24
  private static let closedReadersOffset = 28
  private static let databaseLimitOffset = 36
  private static let numberOffset = 40

  /// Sets the number of an environment that is not open yet; returns false if this LMDB has another layout.
  static func set(_ number: pid_t, of environment: OpaquePointer) -> Bool {
    if number == getpid() { return true }
    let fields = UnsafeMutableRawPointer(environment)
    guard isLaidOut(fields), fields.load(fromByteOffset: closedReadersOffset, as: Int32.self) == 0,
      fields.load(fromByteOffset: numberOffset, as: pid_t.self) == getpid()
    else { return false }
    fields.storeBytes(of: number, toByteOffset: numberOffset, as: pid_t.self)
    return true
  }

  /// Prevents an environment that is about to be closed from clearing the slots of a process
  /// elsewhere with our id. Its own slots were cleared with its transactions.
  static func willClose(_ environment: OpaquePointer, of number: pid_t) {
    if number == getpid() { return }
    let fields = UnsafeMutableRawPointer(environment)
    guard isLaidOut(fields), fields.load(fromByteOffset: numberOffset, as: pid_t.self) == number
    else { return }
    fields.storeBytes(of: 0, toByteOffset: closedReadersOffset, as: Int32.self)
  }

  /// Prevents an environment that is about to be closed from releasing what other environments of
  /// this process need: slots in the reader table, and the locks of the lock file, which the system
  /// drops with any descriptor of it. Returns the descriptor, which stays open; nil if this LMDB
  /// has another layout.
  static func willClose(
    _ environment: OpaquePointer, besideOthersOf lock: FileIdentity
  ) -> OwnedDescriptor? {
    let fields = UnsafeMutableRawPointer(environment)
    let descriptor = fields.load(fromByteOffset: lockOffset, as: Int32.self)
    guard isLaidOut(fields), FileFacts(descriptor)?.identity == lock else { return nil }
    fields.storeBytes(of: 0, toByteOffset: closedReadersOffset, as: Int32.self)
    fields.storeBytes(of: -1, toByteOffset: lockOffset, as: Int32.self)
    return OwnedDescriptor(descriptor)
  }

  static func isLaidOut(_ fields: UnsafeMutableRawPointer) -> Bool {
    fields.load(fromByteOffset: pageSizeOffset, as: UInt32.self)
      == UInt32(sysconf(Int32(_SC_PAGESIZE)))
      && fields.load(fromByteOffset: readerLimitOffset, as: UInt32.self)
        == UInt32(LockTable.readerLimit)
      && fields.load(fromByteOffset: databaseLimitOffset, as: UInt32.self) == Databases.count + 2
  }
}
