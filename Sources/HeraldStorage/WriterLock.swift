internal import Glibc

/// The lock by which writers of several processes wait for each other.
///
/// LMDB has one too, but can only wait for it; this one, on the first byte of the store's file,
/// can be tried. It belongs to the open file, so the kernel drops it when a process dies.
enum WriterLock {
  /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` of Linux.
  private static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  /// Whether the lock is ours now; false only when somebody holds it and `waiting` is false.
  static func take(_ descriptor: Int32, waiting: Bool) -> Bool {
    while true {
      if change(descriptor, Int16(F_WRLCK), waiting ? setWaiting : set) == 0 { return true }
      // A file system without such locks leaves us to LMDB's own.
      if errno != EINTR { return errno != EAGAIN && errno != EACCES }
    }
  }

  static func release(_ descriptor: Int32) {
    _ = change(descriptor, Int16(F_UNLCK), set)
  }

  /// Whether nobody else held the lock a moment ago. Does not take it, not even for that moment.
  static func isFree(_ descriptor: Int32) -> Bool {
    var lock = byte(Int16(F_WRLCK))
    return fcntl(descriptor, get, &lock) != 0 || lock.l_type == Int16(F_UNLCK)
  }

  private static func change(_ descriptor: Int32, _ type: Int16, _ command: Int32) -> Int32 {
    var lock = byte(type)
    return fcntl(descriptor, command, &lock)
  }

  private static func byte(_ type: Int16) -> flock {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0
    lock.l_len = 1
    return lock
  }
}
