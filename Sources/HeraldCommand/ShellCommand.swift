import Glibc
import HeraldShell

/// A running command of the system's shell, which has the terminal in its original mode until it ends.
struct ShellCommand: ~Copyable {
  private let process: OtherProgram
  /// The terminal's previous mode.
  private let modeBefore: termios?

  init(_ command: String, standardInput: Int32) throws(SystemFailure) {
    let terminal = TerminalDescriptors.standard
    modeBefore = terminal.mode
    terminal.restoreMode()
    do throws(OtherProgram.Failure) {
      process = try OtherProgram(["/bin/sh", "-c", command]) { actions in
        posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
      }
    } catch {
      terminal.set(modeBefore)
      throw SystemFailure(code: error.code)
    }
  }

  /// Waits until it ends; returns its exit status.
  consuming func end() -> Int32 {
    let status = process.end()
    TerminalDescriptors.standard.set(modeBefore)
    return status
  }
}
