import Glibc

/// Returns whether this process holds LMDB's lock of a lock file: the byte whose offset is the process's number.
package func hasProcessLock(inode: Int) -> Bool {
  guard let file = fopen("/proc/locks", "r") else { return false }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.contains("POSIX"), text.contains(":\(inode) \(getpid()) \(getpid())") { return true }
  }
  return false
}
