package import Glibc

/// A process that a test has started. It is killed when this object is released.
package final class StartedProcess {
  package let number: pid_t
  /// A pipe whose other end only the process has, so that it closes when the process ends.
  private let life: Int32
  private var status: Int32?

  /// How long a process may take to end without being killed, in milliseconds.
  package static let patience: Int32 = 60_000

  init(_ number: pid_t, life: Int32) {
    self.number = number
    self.life = life
  }

  deinit {
    if status == nil {
      kill(number, SIGKILL)
      _ = end()
    }
    close(life)
  }

  package func signal(_ signal: Int32) { kill(number, signal) }

  /// Stops the process, and returns when none of its threads runs any more.
  package func pause() {
    kill(number, SIGSTOP)
    var information = siginfo_t()
    while waitid(P_PID, id_t(number), &information, WSTOPPED) < 0, errno == EINTR {}
  }

  /// Waits for the end and returns the status as a shell's `$?` does. Kills a process that does not end in
  /// so many milliseconds.
  package func end(within patience: Int32 = StartedProcess.patience) -> Int32 {
    if let status { return status }
    if !hasEnded(within: patience) { kill(number, SIGKILL) }
    var code: Int32 = 0
    while waitpid(number, &code, 0) < 0, errno == EINTR {}
    let signal = code & 0x7F
    let status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
    self.status = status
    return status
  }

  /// Returns whether the process ends within so many milliseconds.
  package func hasEnded(within patience: Int32) -> Bool { isReadable(life, within: patience) }
}
