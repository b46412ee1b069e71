import Glibc
import TestSupport
import Testing

/// A pipe that a byte goes through for each call of a watch's block.
final class CommitBell: Sendable {
  private let reading: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(reading)
    close(writing)
  }

  func ring() { _ = write(writing, [0], 1) }

  /// Forgets what was rung.
  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(reading, &bytes, bytes.count) > 0 {}
  }

  /// Whether it rings.
  func rings() -> Bool { isReadable(reading, within: 60_000) }
}
