import Glibc
import TestSupport

/// The program `herald`, which reads commands from a pipe.
final class ShellProcess {
  private let process: StartedProcess
  private let input: Int32
  private let output: Int32

  init(_ arguments: [String], _ environment: [String: String] = [:]) throws {
    let program =
      CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/") + "/herald"
    var child = ChildProcess(program, arguments)
    child.environment = ChildProcess.environment(home: "/nonexistent")
      .merging(environment) { $1 }
    let (output, input) = (try Pipe(), try Pipe())
    defer {
      close(output.writing)
      close(input.reading)
    }
    child.duplicate(input.reading, as: 0)
    child.duplicate(output.writing, as: 1)
    child.duplicate(output.writing, as: 2)
    process = try child.start()
    (self.output, self.input) = (output.reading, input.writing)
  }

  deinit { close(output) }

  /// What everybody on the machine sees of the process.
  func arguments() -> String {
    var text = ""
    // Empty for a moment, while the program is loaded.
    _ = becomesTrue {
      let bytes = (try? OpenSSL(folder: "/proc/\(process.number)").read("cmdline")) ?? []
      text = String(decoding: bytes.map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
      return !text.isEmpty
    }
    return text
  }

  func kill() {
    process.signal(SIGKILL)
    _ = process.end()
    close(input)
  }

  /// Lets the program read commands until their end, and returns what it printed.
  func end(input text: String) -> String {
    let bytes = Array(text.utf8)
    _ = write(input, bytes, bytes.count)
    close(input)
    var printed: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while isReadable(output, within: 60_000) {
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      printed += buffer[..<count]
    }
    _ = process.end()
    return String(decoding: printed, as: UTF8.self)
  }
}
