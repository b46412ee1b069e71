import Glibc

/// A running program that reads output from a pipe: the pager, or the one after `|`.
struct PipedProgram: ~Copyable {
  private let command: ShellCommand
  /// The writing end of the pipe.
  let input: Int32
  /// Whether the program reads no more.
  private(set) var hasLeft = false

  /// Starts `command` with the shell; nil on failure.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    do throws(SystemFailure) {
      self.command = try ShellCommand(command, standardInput: ends[0])
    } catch {
      close(ends[1])
      return nil
    }
    input = ends[1]
  }

  /// Writes from the start of a text what the program takes without waiting, all of it if the program reads
  /// no more; returns where that ends.
  mutating func writeWithoutWaiting(_ text: Substring) -> String.Index {
    if hasLeft { return text.endIndex }
    var end = text.startIndex
    PipedProgram.withoutPipeSignal {
      do throws(SystemFailure) {
        end = try OutputBytes.writeWithoutWaiting(text, to: input)
      } catch {
        hasLeft = true
        end = text.endIndex
      }
    }
    return end
  }

  /// Runs `body` in which a write to a pipe without a reader fails with an error instead of a signal.
  private static func withoutPipeSignal(_ body: () -> Void) {
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    body()
    var none = timespec()
    while sigtimedwait(&pipeSignal, nil, &none) < 0, errno == EINTR {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Closes its input and waits until it ends; returns its exit status.
  @discardableResult
  consuming func finish() -> Int32 {
    close(input)
    return command.end()
  }
}
