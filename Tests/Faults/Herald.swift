import ArgumentParser
import Glibc
import TestSupport

/// The built program, run as a child process.
struct Herald {
  /// The result of a run.
  struct Outcome {
    /// The status as a shell's `$?`: 128 plus the number of a signal that ended it.
    let status: Int32
    let isHung: Bool
    let output: String
    let errors: String

    var isSignalled: Bool { status >= 128 && !isHung }
    /// Whether the file was refused with a message that says that it is damaged or not a store.
    var isRefused: Bool {
      guard status == 1 || status == 4 || status == 5 else { return false }
      return ["damaged", "is not a store", "has format", "page size"].contains {
        errors.contains($0)
      }
    }

    var summary: String {
      let end = isHung ? "it hung" : "status \(status)"
      return "\(end), errors: \(errors.prefix(300))"
    }
  }

  static let path: String = variable("HERALD") ?? ".build/debug/herald"

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The time after which a run counts as hung, in milliseconds.
  static let patience: Int32 = 20_000

  /// The path prefix of its output files, distinct for concurrent runs.
  let scratch: String
  var environment: [String: String] = [:]
  var arguments = ["--no-rc"]

  init(_ bench: Bench, _ name: String = "run") { scratch = "\(bench.folder)/\(name)" }

  /// Runs commands on a store in order.
  func run(_ store: String, _ commands: [String]) throws -> Outcome {
    try run([store] + commands.flatMap { ["-c", $0] })
  }

  func run(_ arguments: [String]) throws -> Outcome {
    let running = try start(arguments)
    let isHung = !running.process.hasEnded(within: Self.patience)
    let status = running.process.end(within: 0)
    return Outcome(
      status: status, isHung: isHung, output: running.output, errors: running.errors)
  }

  func start(_ arguments: [String], input: Int32? = nil) throws -> RunningHerald {
    guard access(Self.path, X_OK) == 0 else {
      throw ValidationError("no program at \(Self.path); HERALD names another")
    }
    var child = ChildProcess(Self.path, self.arguments + arguments)
    child.environment = ChildProcess.environment(home: "/nonexistent")
      .merging(["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }) { $1 }
    if let input {
      child.duplicate(input, as: 0)
    } else {
      try child.open(0, "/dev/null", O_RDONLY)
    }
    try child.open(1, scratch + ".out", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
    try child.open(2, scratch + ".err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
    return RunningHerald(process: try child.start(), scratch: scratch)
  }

  /// Returns whether the program has a command.
  static func knows(_ command: String, _ bench: Bench) throws -> Bool {
    let outcome = try Herald(bench).run(["-c", "help \(command)"])
    return outcome.status == 0
  }
}

/// A running program.
struct RunningHerald {
  let process: StartedProcess
  let scratch: String

  var output: String { FileTree.text(scratch + ".out") }
  var errors: String { FileTree.text(scratch + ".err") }

  /// Returns the numbers that it has acknowledged, in complete lines of its output that begin with a word.
  func acknowledged(_ word: String = "done") -> [Int] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .filter { $0.hasPrefix(word + " ") }
      .compactMap { Int($0.dropFirst(word.count + 1)) }
  }

  /// Waits for a number of lines, or its end; returns false after 20 s without either.
  func waitForLines(_ count: Int) -> Bool {
    for _ in 0..<20_000 {
      let lines = FileTree.read(scratch + ".out").reduce(0) { $0 + ($1 == 10 ? 1 : 0) }
      if lines >= count || process.hasEnded(within: 1) { return true }
    }
    return false
  }

  @discardableResult
  func kill() -> Int32 {
    process.signal(SIGKILL)
    return process.end()
  }
}
