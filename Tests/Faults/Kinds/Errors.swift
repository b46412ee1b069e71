import ArgumentParser
import Glibc
import TestSupport

/// Failing system calls, one at a time or from one on: the statement gets an error, and no acknowledged
/// commit is lost.
struct Errors: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "EIO, ENOSPC, EDQUOT and short writes at every call. In full: all of them, 100000.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("errors", options)
    let trial = try ErrorTrial(bench)
    let all = trial.faults
    let step = max(1, all.count / max(1, options.count ?? 60))
    let chosen = options.only.map { [$0] } ?? Array(stride(from: 0, to: all.count, by: step))
    for number in chosen where !bench.isOver && number < all.count {
      try trial.run(number, all[number])
      bench.progress(number, every: 100)
    }
    try bench.finish()
  }
}

/// One script, of which each system call fails in each way.
struct ErrorTrial {
  /// The call that fails, and its error.
  struct Fault {
    let call: Int
    let code: Int32
    /// Whether all later calls fail too.
    let isLasting: Bool

    var description: String {
      let kind: String =
        switch code {
        case EIO: "EIO"
        case ENOSPC: "ENOSPC"
        case EDQUOT: "EDQUOT"
        default: "a short write"
        }
      return "\(kind) at call \(call)\(isLasting ? " and all after it" : "")"
    }
  }

  private let bench: Bench
  private let shim: Shim
  private let path: String
  private let script: String
  private let calls: Int
  private static let steps = 24

  init(_ bench: Bench) throws {
    self.bench = bench
    shim = try Shim(bench)
    path = "\(bench.folder)/errors.hdb"
    script = "\(bench.folder)/errors.herald"
    FileTree.write(Self.text(rows: "\(bench.folder)/rows"), to: script)
    let counted = "\(bench.folder)/counted"
    let herald = shim.failing(
      Herald(bench), path, call: 0, 0, always: false, counted: counted)
    let outcome = try herald.run([path, "-f", script])
    guard outcome.status == 0 else { throw World.Unusable(words: outcome.summary) }
    calls = Int(FileTree.text(counted)) ?? 0
    guard calls > 50 else { throw World.Unusable(words: "\(calls) calls were seen") }
    bench.count("calls", calls)
  }

  /// Every failure of every call.
  var faults: [Fault] {
    (1...calls).flatMap { call in
      [EIO, ENOSPC, EDQUOT, 0].flatMap { code in
        [
          Fault(call: call, code: code, isLasting: false),
          Fault(call: call, code: code, isLasting: true),
        ]
      }
    }
  }

  /// Returns a script of transactions of several objects, each followed by a line that acknowledges it.
  private static func text(rows: String) -> String {
    var text = """
      class Step { id: int primary; text: string? }
      class Part { step: int indexed; of: Step; n: int }

      """
    for step in 1...steps {
      let parts = (1...3).map { "add Part { step: \(step), of: Step#\(step), n: \($0) }" }
      let filling = String(repeating: "x", count: step % 5 == 0 ? 20_000 : step)
      switch step % 8 {
      case 6:
        let file = "\(rows)-\(step).csv"
        FileTree.write("step,n\n\(step),1\n\(step),2\n\(step),3\n", to: file)
        text += "write { add Step { id: \(step) }; import \"\(file)\" into Part }\n"
      case 7:
        text += "alter Part { add extra\(step): int = 1 }\n"
        text += "write { add Step { id: \(step) }; \(parts.joined(separator: "; ")) }\n"
      default:
        text += "write { add Step { id: \(step), text: \"\(filling)\" }; "
        text += "\(parts.joined(separator: "; ")) }\n"
      }
      text += "print \"done\", Step#\(step).id\n"
    }
    // If the fault hits the first of these, the second one still shows whether the session continues.
    for name in ["After", "Last"] {
      text += "class \(name) { id: int }\nadd \(name) { id: 1 }\nprint \"on\", \(name).id.@max\n"
    }
    return text
  }

  func run(_ number: Int, _ fault: Fault) throws {
    FileTree.removeStore(path)
    let herald = shim.failing(
      Herald(bench), path, call: fault.call, fault.code, always: fault.isLasting,
      counted: "/dev/null")
    let running = try herald.start([path, "--keep-going", "-f", script])
    let isHung = !running.process.hasEnded(within: Herald.patience)
    let status = running.process.end(within: 0)
    let acknowledged = Set(running.acknowledged())
    let errors = running.errors
    bench.count("faults")
    func violate(_ message: String) {
      bench.violation(
        number, "\(fault.description): \(message)", keeping: [path, running.scratch + ".err"])
    }
    if isHung || status >= 128 { return violate(isHung ? "it hung" : "ended by status \(status)") }
    if acknowledged.count < Self.steps && errors.isEmpty { return violate("no error was printed") }
    if acknowledged.count < Self.steps && status == 0 { return violate("an error with status 0") }
    if let problem = problemAfterFault(fault, running, errors, status) { violate(problem) }
    try judge(acknowledged, violate)
  }

  /// Checks that after a single fault the session can continue, or its error says what to do.
  private func problemAfterFault(
    _ fault: Fault, _ running: RunningHerald, _ errors: String, _ status: Int32
  ) -> String? {
    guard !fault.isLasting, status != 4, status != 0 else { return nil }
    if running.acknowledged("on").contains(1) {
      bench.count("continued")
      return nil
    }
    bench.count("did not continue")
    return errors.contains("open") ? nil : "the session neither continues nor says what to do"
  }

  /// Checks the store once nothing fails any more.
  private func judge(_ acknowledged: Set<Int>, _ violate: (String) -> Void) throws {
    guard FileTree.exists(path) else {
      if !acknowledged.isEmpty { violate("the file is missing") }
      return
    }
    let queries = (1...Self.steps).map {
      "let $s = Step where id == \($0); let $p = Part where step == \($0)\n"
        + "print \"step\", \($0), $s.@count, $p.@count"
    }
    let file = "\(bench.folder)/queries.herald"
    FileTree.write(queries.joined(separator: "\n") + "\n", to: file)
    let found = try Herald(bench).run([path, "-f", file])
    if found.status != 0 {
      if !acknowledged.isEmpty { violate("afterwards: \(found.summary)") }
      return bench.count("without a store")
    }
    for line in found.output.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { return violate("afterwards: \(line)") }
      let isThere = numbers[1] == 1 && numbers[2] == 3
      if !isThere && (numbers[1] != 0 || numbers[2] != 0) {
        violate("a partial transaction: \(line)")
      }
      if !isThere && acknowledged.contains(numbers[0]) { violate("step \(numbers[0]) is lost") }
      if isThere && !acknowledged.contains(numbers[0]) { bench.count("kept unacknowledged") }
    }
  }
}
