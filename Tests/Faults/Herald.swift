import ArgumentParser
import Glibc
import TestSupport

/// The built program, run as a process of its own.
struct Herald {
  /// What a run left.
  struct Outcome {
    /// As a shell's `$?`: 128 and the signal's number where a signal ended it.
    let status: Int32
    let isHung: Bool
    let output: String
    let errors: String

    var isSignalled: Bool { status >= 128 && !isHung }
    /// Whether it was refused with words that say why: that the file is damaged, or is no store.
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

  /// Milliseconds after which a run counts as hung.
  static let patience: Int32 = 20_000

  /// Where its output goes: files, of a name of their own for each run at the same time.
  let scratch: String
  var environment: [String: String] = [:]
  var arguments = ["--no-rc"]

  init(_ bench: Bench, _ name: String = "run") { scratch = "\(bench.folder)/\(name)" }

  /// Runs commands on a store one after the other.
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

  /// Whether the program has a command; those that it does not have yet are left out.
  static func knows(_ command: String, _ bench: Bench) throws -> Bool {
    let outcome = try Herald(bench).run(["-c", "help \(command)"])
    return outcome.status == 0
  }
}

/// A run that has not been waited for.
struct RunningHerald {
  let process: StartedProcess
  let scratch: String

  var output: String { FileTree.text(scratch + ".out") }
  var errors: String { FileTree.text(scratch + ".err") }

  /// What it has acknowledged: the whole lines of its output that begin with a word.
  func acknowledged(_ word: String = "done") -> [Int] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .filter { $0.hasPrefix(word + " ") }
      .compactMap { Int($0.dropFirst(word.count + 1)) }
  }

  /// Waits until so many lines have come, or it has ended; false after 20 s without either.
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
