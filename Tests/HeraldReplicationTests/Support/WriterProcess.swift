import Glibc
import TestSupport

/// A process that writes to a stream, on a machine of its own or together with others (`ReplicaWriter`).
final class WriterProcess {
  private let process: StartedProcess
  private let output: Int32
  private let input: Int32
  private(set) var acknowledged = 0

  init(cache: String, address: String, count: Int, replicas: Int = 3) throws {
    let program =
      CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/") + "/OtherProcess"
    var child = ChildProcess(program, [cache, "replica", address, "\(count)"])
    child.environment = ["PATH": "/usr/bin:/bin", "HERALD_NATS_REPLICAS": "\(replicas)"]
    let output = try Pipe()
    let input = try Pipe()
    defer {
      close(output.writing)
      close(input.reading)
    }
    child.duplicate(input.reading, as: 0)
    child.duplicate(output.writing, as: 1)
    process = try child.start()
    self.output = output.reading
    self.input = input.writing
  }

  deinit { close(output) }

  var number: Int { Int(process.number) }

  /// Reads the acknowledgement of the next commit; false if the process has ended.
  func readOne() -> Bool {
    var number = 0
    let size = MemoryLayout<Int>.size
    guard isReadable(output, within: 120_000), read(output, &number, size) == size else {
      return false
    }
    acknowledged = number
    return true
  }

  /// Reads what there is without waiting.
  func readAll() {
    while isReadable(output, within: 0), readOne() {}
  }

  func kill() {
    process.signal(SIGKILL)
    _ = process.end()
  }

  /// Lets the process compare what it observed with its store, and returns its status.
  func end() -> Int32 {
    close(input)
    return process.end()
  }
}
