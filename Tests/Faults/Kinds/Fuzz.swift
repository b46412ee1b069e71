import ArgumentParser
import Glibc
import TestSupport

/// Hostile input for each reader, in child processes watched from here: no signal and no hang, whatever the
/// bytes are.
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mutated inputs for one reader, or for all. In full: 10000000 in all.")

  @Argument(help: "statements, predicates, csv, json, logs or open; all of them by default.")
  var reader: FuzzReader?

  @OptionGroup var options: FaultOptions

  @Flag(help: "Lets libFuzzer choose the inputs by code coverage.")
  var guided = false

  @Flag(help: .hidden) var isWorker = false
  @Option(help: .hidden) var first = 0
  @Option(help: .hidden) var note = ""

  func run() throws {
    if isWorker, let reader {
      let numbers = options.only.map { $0..<$0 + 1 } ?? first..<(options.count ?? first)
      let folder = Herald.variable("HERALD_FAULTS") ?? "/tmp"
      return try FuzzWorker(reader, options.seed, note, in: folder).run(numbers)
    }
    if guided { return try runGuided() }
    let name = reader.map { "fuzz \($0)" } ?? "fuzz"
    let bench = try Bench(name, options)
    for reader in reader.map({ [$0] }) ?? FuzzReader.allCases {
      try run(reader, bench)
    }
    try bench.finish()
  }

  private func runGuided() throws {
    guard let reader else {
      throw ValidationError("--guided takes one reader: \(FuzzReader.names)")
    }
    let bench = try Bench("fuzz \(reader)", options)
    let count = options.count ?? 1000
    let status = try GuidedFuzz.run(reader, count, bench)
    if status != 0 { bench.violation(0, "libFuzzer ended with status \(status)") }
    bench.count("\(reader)", count)
    try bench.finish()
  }

  /// Starts workers until all inputs are done; the note of one that a signal has ended holds its input.
  private func run(_ reader: FuzzReader, _ bench: Bench) throws {
    let cases = options.cases(reader == .open ? 100 : 1500)
    var next = cases.lowerBound
    let note = FuzzNote("\(bench.folder)/\(reader).note")
    while next < cases.upperBound, !bench.isOver {
      note.number = next
      var arguments = [
        "fuzz", "\(reader)", "\(cases.upperBound)", "--seed", "\(bench.seed)", "--is-worker",
        "--first", "\(next)", "--note", note.path,
      ]
      if let only = options.only { arguments += ["--only", "\(only)"] }
      var child = ChildProcess("/proc/self/exe", arguments)
      child.environment = [
        "SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin", "HERALD_FAULTS": bench.folder,
      ]
      try child.open(1, "/dev/null", O_WRONLY)
      try child.open(2, "\(bench.folder)/\(reader).err", O_WRONLY | O_CREAT | O_TRUNC)
      let process = try child.start()
      let isHung = watch(process, note)
      let status = process.end(within: 0)
      if status == 0 && !isHung { break }
      let end = isHung ? "hung" : "ended by status \(status)"
      FileTree.write(note.input, to: "\(bench.folder)/input")
      bench.violation(
        note.number, "\(reader) \(end) at '\(note.text)'",
        keeping: ["\(bench.folder)/input", "\(bench.folder)/\(reader).err"])
      next = note.number + 1
    }
    bench.count("\(reader)", cases.count)
  }

  /// Waits for the end of the process; returns true after 20 s without another input.
  private func watch(_ process: StartedProcess, _ note: FuzzNote) -> Bool {
    var last = -1
    while !process.hasEnded(within: Herald.patience) {
      if note.number == last { return true }
      last = note.number
    }
    return false
  }
}

/// A reader of hostile input.
enum FuzzReader: String, CaseIterable, ExpressibleByArgument {
  case statements, predicates, csv, json, logs, open

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The number and the bytes of the current input, in memory that outlives the process.
final class FuzzNote {
  let path: String
  private let base: UnsafeMutableRawPointer
  private static let size = 1 << 16

  init(_ path: String) {
    self.path = path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    ftruncate(descriptor, off_t(Self.size))
    base = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    close(descriptor)
  }

  deinit { munmap(base, Self.size) }

  var number: Int {
    get { base.load(as: Int.self) }
    set { base.storeBytes(of: newValue, as: Int.self) }
  }

  var input: [UInt8] {
    get {
      let count = min(base.load(fromByteOffset: 8, as: Int.self), Self.size - 16)
      return Array(UnsafeRawBufferPointer(start: base + 16, count: count))
    }
    set {
      let count = min(newValue.count, Self.size - 16)
      base.storeBytes(of: count, toByteOffset: 8, as: Int.self)
      newValue.withUnsafeBytes {
        if let bytes = $0.baseAddress { (base + 16).copyMemory(from: bytes, byteCount: count) }
      }
    }
  }

  var text: String { String(String(decoding: input, as: UTF8.self).prefix(200)) }
}
