import Glibc
import HeraldShell
import Synchronization

/// Standard output and standard error.
final class StandardStreams: OutputSink, Sendable {
  /// Whether standard error shows the progress of an import or a backup, which other output erases.
  private let isProgressShown = Atomic(false)
  private let paging = Mutex(Paging())

  private struct Paging: ~Copyable {
    /// The command that shows output too long for the window; nil for none.
    var command: String?
    var windowRows = 0
    /// Whether a stream is written, for which no pager is started.
    var isStreaming = false
    /// The pager that runs from the first long text until the end of the statement.
    var pager: PipedProgram?
  }

  let isTerminal = isatty(STDOUT_FILENO) == 1
  let showsErrors = isatty(STDERR_FILENO) == 1
  var errorColumns: Int? { TerminalSize(descriptor: STDERR_FILENO)?.columns }

  /// What a write that must wait for the reader of the output depends on.
  private struct Waiting {
    /// Called before the first wait.
    var begins: @Sendable () -> Void = {}
    /// Whether the output is not wanted any more.
    var isInterrupted: @Sendable () -> Bool = { false }
  }

  private let waiting = Mutex(Waiting())

  /// Sets what is called before a write waits for the reader of the output, and what ends the wait.
  func whenBlocked(
    _ body: @escaping @Sendable () -> Void, until isInterrupted: @escaping @Sendable () -> Bool
  ) { waiting.withLock { $0 = Waiting(begins: body, isInterrupted: isInterrupted) } }

  /// The output so far while `collecting` runs; nil otherwise.
  private let collected = Mutex<String?>(nil)

  /// Writes a text of the program's own that contains data, such as names of files.
  func write(plain text: String) { write(isTerminal ? text.visibleLines : text) }

  /// Writes a text in which, for a terminal, all data is visible.
  func write(_ text: String) {
    var rest = text[...]
    while true {
      rest = rest[writeWithoutWaiting(rest)...]
      if rest.isEmpty || !waitForReader() { return }
    }
  }

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    clearProgress()
    if collect(String(text)) { return text.endIndex }
    let end = paging.withLock { paging in
      startPager(for: text, &paging)
      return paging.pager?.writeWithoutWaiting(text)
    }
    return end
      ?? Self.failing { () throws(SystemFailure) in
        try OutputBytes.writeWithoutWaiting(text, to: STDOUT_FILENO)
      }
  }

  /// False once the user has left the pager: the rest of the statement's rows need not be read.
  var isRead: Bool { paging.withLock { $0.pager?.hasLeft != true } }

  func waitForReader() -> Bool { wait(for: paging.withLock { $0.pager?.input } ?? STDOUT_FILENO) }

  /// Waits until the reader of a descriptor takes more; returns false if it was interrupted.
  func wait(for descriptor: Int32) -> Bool {
    let waiting = waiting.withLock { $0 }
    waiting.begins()
    while !OutputBytes.waits(for: descriptor, milliseconds: 20) {
      if waiting.isInterrupted() { return false }
    }
    return true
  }

  private func startPager(for text: Substring, _ paging: inout Paging) {
    guard paging.pager == nil, !paging.isStreaming, let command = paging.command,
      text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= paging.windowRows
    else { return }
    // The usual defaults for `less`: it passes colours, scrolls sideways, and leaves the text there.
    paging.pager = PipedProgram(": \"${LESS=FRSX}\"; export LESS; \(command)")
  }

  /// Runs `body`. A text that it writes of more than `rows` lines goes through `command`, with all output
  /// after it; then waits until the user leaves the pager.
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
    finish(pager)
  }

  /// Waits until the user leaves the pager, if there is one; later output may start another.
  func finishPager() { finish(paging.withLock { $0.pager.take() }) }

  private func finish(_ pager: consuming PipedProgram?) {
    guard let pager else { return }
    waiting.withLock { $0 }.begins()
    pager.finish()
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

  func program(_ command: String) -> (any OutputSink)? { ProgramOutput(command, self) }

  var readerDescriptor: Int32? { isTerminal ? nil : STDOUT_FILENO }

  var place: OutputPlace? {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let isAppending = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND != 0
    guard isAppending || lseek(STDOUT_FILENO, 0, SEEK_CUR) == status.st_size else { return nil }
    return OutputPlace(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), length: Int(status.st_size))
  }

  func written(after length: Int) -> [UInt8]? {
    // Most often standard output itself cannot be read.
    let descriptor = open("/proc/self/fd/\(STDOUT_FILENO)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let count = Int(lseek(descriptor, 0, SEEK_END)) - length
    guard count >= 0, count <= Self.largestRepeated else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(length)) == count ? bytes : nil
  }

  /// The size of the line of a commit, in bytes, beyond which it may be written twice.
  private static let largestRepeated = 1 << 28

  /// Ends the program as a write to the closed pipe would.
  func readerLeft() { Signals.die(of: SIGPIPE) }

  /// Runs `body` and returns its output instead of writing it.
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

  /// Shows the progress of reading or writing a file, over the previous line.
  func showProgress(_ file: String, _ progress: Interpreter.Progress) {
    isProgressShown.store(true, ordering: .relaxed)
    Self.write("\r\u{1B}[K\(file.visible): \(progress.text)", to: STDERR_FILENO)
  }

  func clearProgress() {
    guard isProgressShown.exchange(false, ordering: .relaxed) else { return }
    Self.write("\r\u{1B}[K", to: STDERR_FILENO)
  }

  /// Opens standard streams that the program was started without, so that no store gets such a descriptor
  /// and error messages with it. Using such a stream fails. Must be called before any file is opened.
  static func fillGaps() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", mode) }
  }

  /// Writes a message of one line to standard error.
  static func complain(_ message: String) {
    let shown = isatty(STDERR_FILENO) == 1 ? message.visible : message
    write("herald: \(shown)\n", to: STDERR_FILENO)
  }

  /// Writes a text; ends the program on failure, with a message unless the reader has closed the pipe.
  private static func write(_ text: String, to descriptor: Int32) {
    failing(descriptor) { () throws(SystemFailure) in
      try OutputBytes.write(Array(text.utf8), to: descriptor)
    }
  }

  private static func failing<R>(
    _ descriptor: Int32 = STDOUT_FILENO, _ body: () throws(SystemFailure) -> R
  ) -> R {
    do {
      return try body()
    } catch {
      if error.code != EPIPE, descriptor == STDOUT_FILENO {
        complain("cannot write the output: \(error.reason)")
      }
      exit(ExitStatus.cannotWrite)
    }
  }
}
