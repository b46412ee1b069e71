internal import Glibc

/// Bytes of an open file that can be locked, by Linux's open file description locks.
///
/// Such a lock belongs to the open file description: the kernel drops it with the last descriptor,
/// also when the process dies, and closing another descriptor of the same file keeps it. The bytes
/// need not exist. On a file system without such locks every lock is granted, and none is reported.
package struct LockedBytes: Sendable {
  let descriptor: Int32
  let start: Int
  /// 0: all up to the largest offset.
  var count = 1

  package enum Strength {
    /// Held by any number of open files at a time; requires a readable descriptor.
    case shared
    /// Held by one; requires a writable descriptor.
    case exclusive
  }

  /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` of Linux.
  private static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  /// Takes the lock; returns false only if another open file has a conflicting one and `waiting` is false.
  package func take(_ strength: Strength, waiting: Bool) -> Bool {
    let type = Int16(strength == .shared ? F_RDLCK : F_WRLCK)
    while true {
      if change(to: type, waiting ? Self.setWaiting : Self.set) == 0 { return true }
      if errno != EINTR { return errno != EAGAIN && errno != EACCES }
    }
  }

  package func release() { _ = change(to: Int16(F_UNLCK), Self.set) }

  /// Whether no other open file had a lock of any of the bytes a moment ago. Takes no lock.
  var isFree: Bool {
    var lock = description(Int16(F_WRLCK))
    return fcntl(descriptor, Self.get, &lock) != 0 || lock.l_type == Int16(F_UNLCK)
  }

  private func change(to type: Int16, _ command: Int32) -> Int32 {
    var lock = description(type)
    return fcntl(descriptor, command, &lock)
  }

  private func description(_ type: Int16) -> flock {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = off_t(count)
    return lock
  }
}
