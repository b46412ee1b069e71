import Glibc

/// What a thread that has nothing to do waits for: any other thread may ring it.
///
/// A pipe to oneself: a ring that comes before the waiting ends the waiting at once, several rings
/// are one, and the same call of the kernel can tell that a reader has left.
final class Bell: Sendable {
  /// Why the waiting ended.
  enum End {
    case rung
    case timeUp
    /// Nobody reads any more what is written.
    case readerLeft
  }

  private let waiting: Int32
  private let ringing: Int32

  /// nil where the process has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (waiting, ringing) = (ends[0], ends[1])
  }

  deinit {
    close(waiting)
    close(ringing)
  }

  /// From any thread. A pipe that is full has been rung already.
  func ring() {
    var byte: UInt8 = 1
    _ = write(ringing, &byte, 1)
  }

  /// Waits without using the processor. `output`: where a pipe or a socket leads whose reader's
  /// leaving ends the waiting too; nil where there is none.
  func wait(until deadline: ContinuousClock.Instant?, output: Int32?) -> End {
    while true {
      let time = milliseconds(until: deadline)
      // The kernel passes over a descriptor below zero.
      var sources = [
        pollfd(fd: waiting, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output ?? -1, events: 0, revents: 0),
      ]
      guard poll(&sources, nfds_t(sources.count), time) >= 0 else { continue }
      if sources[1].revents != 0 { return .readerLeft }
      if sources[0].revents != 0 {
        drain()
        return .rung
      }
      if let deadline, deadline <= .now { return .timeUp }
    }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(waiting, &bytes, bytes.count) == bytes.count {}
  }

  /// Rounded up, as `poll` wants it: -1 for no end.
  private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = deadline - .now
    if left <= .zero { return 0 }
    return Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
  }
}
