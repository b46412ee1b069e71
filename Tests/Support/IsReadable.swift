import Glibc

/// Returns whether a descriptor is readable, or has ended, within a number of milliseconds. Signals that
/// other tests send to this process do not end the wait.
package func isReadable(_ descriptor: Int32, within patience: Int32) -> Bool {
  var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  var result = poll(&source, 1, patience)
  while result < 0 && errno == EINTR { result = poll(&source, 1, patience) }
  return result > 0
}

/// Returns whether a condition that nothing signals comes to hold within so many seconds.
package func becomesTrue(within seconds: Int = 30, _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    sched_yield()
  }
  return true
}
