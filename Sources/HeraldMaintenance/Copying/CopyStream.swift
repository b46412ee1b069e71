internal import CLMDB
internal import Glibc
import HeraldStorage

/// LMDB's own copy of the newest version of an environment, as a stream of bytes.
///
/// It is written by a thread of its own, which ends with the copy or when the stream is no longer
/// read. The thread holds a read transaction until then, never the writer lock.
///
/// `@unchecked Sendable`: everything is set before the thread begins, except `code`, which is read
/// after the thread has ended.
final class CopyStream: WaitingThread, @unchecked Sendable {
  private let handle: OpaquePointer
  private let isCompact: Bool
  private let output: Int32
  private var code: Int32 = 0

  private init(_ handle: OpaquePointer, isCompact: Bool, output: Int32) {
    self.handle = handle
    self.isCompact = isCompact
    self.output = output
  }

  /// Calls `take` with each piece of the copy, until it throws; returns LMDB's result code, 0 if
  /// the copy is complete. `isCompact`: leaves out free pages.
  static func run(
    _ handle: OpaquePointer, isCompact: Bool,
    _ take: (UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .explaining(errno, "copy", path: "") }
    let input = ends[0]
    var isInputOpen = true
    defer { if isInputOpen { close(input) } }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(input, setPipeSize, pipeSize)
    let stream = CopyStream(handle, isCompact: isCompact, output: ends[1])
    let thread = try start(stream)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    do throws(StorageError) {
      while let count = next(from: input, into: buffer) {
        try take(UnsafeRawBufferPointer(buffer)[..<count].rebased)
      }
    } catch {
      // Closing the input ends the thread, whose writes then fail.
      close(input)
      isInputOpen = false
      pthread_join(thread, nil)
      throw error
    }
    pthread_join(thread, nil)
    return stream.code
  }

  private static let pieceSize = 1 << 16
  private static let pipeSize: Int32 = 1 << 20
  /// `F_SETPIPE_SZ` of Linux.
  private static let setPipeSize: Int32 = 1031

  private static func start(_ stream: CopyStream) throws(StorageError) -> pthread_t {
    guard let thread = stream.startJoinable() else {
      let code = errno
      close(stream.output)
      throw .explaining(code, "copy", path: "")
    }
    return thread
  }

  /// Returns the number of bytes read, which fill the buffer except at the end; nil after the end.
  private static func next(
    from input: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var filled = 0
    while filled < buffer.count {
      let count = read(input, buffer.baseAddress.unsafelyUnwrapped + filled, buffer.count - filled)
      if count == 0 || count < 0 && errno != EINTR { break }
      filled += max(0, count)
    }
    return filled == 0 ? nil : filled
  }

  func run() {
    // A write to a closed pipe must fail with an error rather than a signal, and LMDB treats a
    // write that a signal interrupts as a failure.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    code = mdb_env_copyfd2(handle, output, isCompact ? UInt32(MDB_CP_COMPACT) : 0)
    close(output)
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  fileprivate var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}

/// Receives the number of bytes or records that are done, and the total; returns whether to continue.
package typealias CopyProgress = (_ done: Int, _ total: Int) -> Bool
