import ArgumentParser
import Glibc
import Herald
import TestSupport

/// Copies of a store in use, made as by `cp`: each is refused, or has exactly one committed state.
struct Copies: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies of a store while a writer commits. In full: 200.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("copies", options, isSequence: true)
    let trial = CopyTrial(bench)
    for number in options.cases(10) where !bench.isOver {
      var random = bench.random(number)
      try trial.run(number, &random)
      bench.progress(number, every: 50)
    }
    trial.stop()
    try bench.finish()
  }
}

/// A store with a continuous writer, and its copies.
final class CopyTrial {
  private let bench: Bench
  private let path: String
  private let copy: String
  private var writer: RunningHerald?
  private var round = 0
  private static let steps = 1500

  init(_ bench: Bench) {
    self.bench = bench
    path = "\(bench.folder)/live.hdb"
    copy = "\(bench.folder)/copy.hdb"
  }

  func stop() { _ = writer?.kill() }

  func run(_ number: Int, _ random: inout SplitMix64) throws {
    try keepWriting()
    usleep(UInt32(random.below(20_000)))
    FileTree.removeStore(copy)
    try copyStore(&random)
    bench.count("copies")
    let found = try Herald(bench, "copy").run(copy, ["print Counter#1.n"])
    guard found.status == 0, let last = Int(found.output.dropLast()) else {
      if found.isRefused || found.errors.contains("no object") { return bench.count("refused") }
      return bench.violation(number, "a copy: \(found.summary)", keeping: [copy])
    }
    let judged = try Herald(bench, "copy").run(copy, Workload.itemExpectations(last))
    guard judged.status != 0 || !problems.isEmpty else { return bench.count("one state each") }
    if judged.isRefused || problems.contains(where: { $0.contains("damaged") }) {
      return bench.count("refused while it was read")
    }
    let message = "a copy has no committed state: \(problems.first ?? judged.summary)"
    bench.violation(number, message, keeping: [copy])
  }

  /// The problems that a check of the whole copy finds.
  private var problems: [String] {
    do {
      let store = try DynamicStore(path: copy)
      defer { store.close() }
      return store.check()
    } catch {
      return ["\(error)"]
    }
  }

  /// Starts another writer, on a new store, when the last has ended. Every other store is too large to be
  /// read as a whole when it is opened.
  private func keepWriting() throws {
    if let writer, !writer.process.hasEnded(within: 0) { return }
    _ = writer?.kill()
    FileTree.removeStore(path)
    round += 1
    var text = ""
    if round % 2 == 0 {
      let row = "{ text: \"\(String(repeating: "y", count: 9000))\" }"
      text = "class Big { text: string }\n"
      for _ in 0..<20 {
        text += "add Big [ \(repeatElement(row, count: 100).joined(separator: ", ")) ]\n"
      }
    }
    let steps = Workload.itemClasses() + Workload.items(Self.steps)
    FileTree.write(text + steps.joined(separator: "\nprint \"done\", 1\n"), to: path + ".herald")
    writer = try Herald(bench, "writer").start([path, "-f", path + ".herald"])
    _ = writer?.waitForLines(5)
  }

  /// Copies the store in pieces, as `cp` does.
  private func copyStore(_ random: inout SplitMix64) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    let target = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard source >= 0, target >= 0 else { throw ValidationError("cannot copy \(path)") }
    defer {
      close(source)
      close(target)
    }
    var piece = [UInt8](repeating: 0, count: 4096 << random.below(7))
    while true {
      let count = read(source, &piece, piece.count)
      guard count > 0, write(target, piece, count) == count else { return }
      if random.below(50) == 0 { usleep(UInt32(random.below(1000))) }
    }
  }
}
