import Glibc

/// A wake-up signal: a thread waits for it, any other thread rings it.
///
/// It is a pipe within the process: a ring before the wait ends the wait at once, several rings count as
/// one, and the same `poll` detects that the reader of the output has left.
final class Bell: Sendable {
  /// The reason why a wait ended.
  enum End {
    case rung
    /// More can be read from the input.
    case readable
    case timeUp
    /// Nobody reads the output any more.
    case readerLeft
  }

  private let waiting: Int32
  private let ringing: Int32

  /// nil if the process has no file descriptors left.
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

  /// Ends the wait. May be called from any thread. A full pipe has been rung already.
  func ring() {
    var byte: UInt8 = 1
    _ = write(ringing, &byte, 1)
  }

  /// Waits without using the processor.
  ///
  /// - Parameters:
  ///   - output: a pipe or a socket; the wait also ends when its reader leaves.
  ///   - input: a descriptor; the wait also ends when it is readable, or at its end.
  func wait(until deadline: ContinuousClock.Instant?, output: Int32?, input: Int32? = nil) -> End {
    while true {
      let time = milliseconds(until: deadline)
      // `poll` ignores a negative descriptor.
      var sources = [
        pollfd(fd: waiting, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output ?? -1, events: 0, revents: 0),
        pollfd(fd: input ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&sources, nfds_t(sources.count), time) >= 0 else { continue }
      if sources[1].revents != 0 { return .readerLeft }
      if sources[0].revents != 0 {
        drain()
        return .rung
      }
      if sources[2].revents != 0 { return .readable }
      if let deadline, deadline <= .now { return .timeUp }
    }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(waiting, &bytes, bytes.count) == bytes.count {}
  }

  /// The timeout for `poll`, rounded up; -1 for none.
  private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = deadline - .now
    if left <= .zero { return 0 }
    return Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
  }
}
