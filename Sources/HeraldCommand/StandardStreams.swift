import Glibc
import HeraldShell
import Synchronization

/// Standard output and standard error.
final class StandardStreams: OutputSink, Sendable {
  /// A line on standard error tells how far an import or a backup is, and goes when something else is written.
  private let isProgressShown = Atomic(false)
  private let paging = Mutex(Paging())

  private struct Paging: ~Copyable {
    /// What is too long for a window goes through this command while it is not nil.
    var command: String?
    var windowRows = 0
    /// Nothing new goes through it.
    var isStreaming = false
    /// Runs from the first long text until the statement's end.
    var pager: Pager?
  }

  let isTerminal = isatty(STDOUT_FILENO) == 1
  let showsErrors = isatty(STDERR_FILENO) == 1

  /// Called where the reader of the output is slower than we are.
  private let blocked = Mutex<(@Sendable () -> Void)?>(nil)

  func whenBlocked(_ body: @escaping @Sendable () -> Void) { blocked.withLock { $0 = body } }

  /// What is written while somebody collects it; nil while nobody does.
  private let collected = Mutex<String?>(nil)

  /// Text of the program's own with data in it, such as names of files.
  func write(plain text: String) { write(isTerminal ? text.visibleLines : text) }

  /// At a terminal, text of which all data is visible.
  func write(_ text: String) {
    clearProgress()
    if collect(text) { return }
    let isPaged = paging.withLock { paging in
      if paging.pager == nil, !paging.isStreaming, let command = paging.command,
        text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= paging.windowRows
      {
        paging.pager = Pager(command)
      }
      paging.pager?.write(text)
      return paging.pager != nil
    }
    if !isPaged {
      Self.write(text, to: STDOUT_FILENO) { self.blocked.withLock { $0 }?() }
    }
  }

  /// Runs `body`; what it writes at once and is longer than `rows` lines goes through `command`,
  /// with all that follows it, and the user's leaving it is waited for.
  func paging(by command: String, over rows: Int, _ body: () -> Void) {
    paging.withLock {
      $0.command = command
      $0.windowRows = rows
    }
    body()
    let pager = paging.withLock {
      $0.command = nil
      return $0.pager.take()
    }
    pager?.finish()
  }

  /// Waits until the pager is left, if one was needed; what is written next may need another.
  func finishPager() {
    let pager = paging.withLock { $0.pager.take() }
    pager?.finish()
  }

  func beginStream() {
    finishPager()
    paging.withLock { $0.isStreaming = true }
  }

  func endStream() { paging.withLock { $0.isStreaming = false } }

  func writeError(_ text: String) {
    clearProgress()
    let text = showsErrors ? text.visibleLines : text
    if !showsErrors || !collect(text) { Self.write(text, to: STDERR_FILENO) }
  }

  var readerDescriptor: Int32? { isTerminal ? nil : STDOUT_FILENO }

  /// As if something had been written to the pipe.
  func readerLeft() { Signals.die(of: SIGPIPE) }

  /// What `body` writes, for whoever is to put it in its place on the screen.
  func collecting(_ body: () -> Void) -> String {
    collected.withLock { $0 = "" }
    body()
    return collected.withLock { $0.take() } ?? ""
  }

  private func collect(_ text: String) -> Bool {
    collected.withLock { collected in
      collected?.append(text)
      return collected != nil
    }
  }

  /// Shows how far a file is read or written, in place of what was shown before.
  func showProgress(_ file: String, _ progress: Interpreter.Progress) {
    isProgressShown.store(true, ordering: .relaxed)
    Self.write("\r\u{1B}[K\(file.visible): \(progress.text)", to: STDERR_FILENO)
  }

  func clearProgress() {
    guard isProgressShown.exchange(false, ordering: .relaxed) else { return }
    Self.write("\r\u{1B}[K", to: STDERR_FILENO)
  }

  /// Opens what the program was started without, so that no file of ours gets the number of a
  /// standard stream, and errors are written into it. Using such a stream fails. Call it first of all.
  static func fillGaps() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// One line of the program's own on standard error.
  static func complain(_ message: String) {
    let shown = isatty(STDERR_FILENO) == 1 ? message.visible : message
    write("herald: \(shown)\n", to: STDERR_FILENO)
  }

  /// When nobody reads any more there is nothing left to do; when the disk is full, say so.
  private static func write(
    _ text: String, to descriptor: Int32, whenBlocked: () -> Void = {}
  ) {
    do {
      try OutputBytes.write(Array(text.utf8), to: descriptor, whenBlocked: whenBlocked)
    } catch {
      if error.code != EPIPE, descriptor == STDOUT_FILENO {
        complain("cannot write the output: \(error.reason)")
      }
      exit(ExitStatus.cannotWrite)
    }
  }
}

/// Bytes that leave through a descriptor.
enum OutputBytes {
  /// Calls `whenBlocked`, once, before it would wait for the reader of a pipe or a socket.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32, whenBlocked: () -> Void = {}
  ) throws(SystemFailure) {
    var status = stat()
    fstat(descriptor, &status)
    let hasReader = [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    var isBlocked = false
    var start = 0
    while start < bytes.count {
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if hasReader, !isBlocked, poll(&output, 1, 0) == 0 {
        isBlocked = true
        whenBlocked()
      }
      // A pipe that can be written to takes so many bytes at once.
      let most = hasReader && !isBlocked ? min(bytes.count - start, 4096) : bytes.count - start
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), most)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } else if errno != EINTR {
        throw SystemFailure(code: errno)
      }
    }
  }
}

/// A failed system call.
struct SystemFailure: Error {
  let code: Int32

  var reason: String { String(cString: strerror(code)) }
}
