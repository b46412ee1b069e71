import Glibc

/// Returns whether a descriptor has something to read, or has ended, within so many milliseconds. Signals that
/// other tests send to this process do not end the wait.
package func isReadable(_ descriptor: Int32, within patience: Int32) -> Bool {
  var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  var result = poll(&source, 1, patience)
  while result < 0 && errno == EINTR { result = poll(&source, 1, patience) }
  return result > 0
}
