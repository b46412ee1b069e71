import Glibc

/// Returns whether this process holds LMDB's lock of a lock file: the byte at the process's number.
package func hasProcessLock(inode: Int) -> Bool {
  FileTree.text("/proc/locks").split(separator: "\n").contains { line in
    line.contains("POSIX") && line.contains(":\(inode) \(getpid()) \(getpid())")
  }
}
