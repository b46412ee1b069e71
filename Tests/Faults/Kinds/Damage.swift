import ArgumentParser
import TestSupport

/// Damaged files: separate processes read, write, check and repair each, and get correct results, or an error
/// that says that the file is damaged.
struct Damage: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Files with bytes that differ from what was written. In full: 12000.")

  @OptionGroup var options: FaultOptions

  /// The numbers of objects in the stores.
  private static let sizes = [200, 600, 3000, 10_000]

  func run() throws {
    let bench = try Bench("damage", options)
    let trial = try DamageTrial(bench)
    var worlds: [Int: World] = [:]
    for number in options.cases(60) where !bench.isOver {
      var random = bench.random(number)
      // Small stores come first and most often: they have the fewest bytes in which damage has no
      // effect.
      let sizes = Self.sizes.prefix(number < 500 ? 2 : Self.sizes.count)
      let size = sizes[min(random.below(sizes.count), random.below(sizes.count))]
      var choices = bench.random(-size)
      let world = try worlds[size] ?? World(bench, objects: size, &choices)
      worlds[size] = world
      try trial.run(number, world, &random)
      bench.progress(number)
    }
    try bench.finish()
  }
}

/// One damaged file, and everything that is tried on it.
struct DamageTrial {
  let bench: Bench
  private let herald: Herald
  /// Runs the commands that take no options of the shell.
  private var command: Herald
  private let path: String
  private let knowsCheck: Bool
  private let knowsRepair: Bool

  init(_ bench: Bench) throws {
    self.bench = bench
    herald = Herald(bench)
    path = "\(bench.folder)/damaged.hdb"
    knowsCheck = try Herald.knows("check", bench)
    command = Herald(bench, "command")
    command.arguments = []
    knowsRepair = try command.run(["repair", "--help"]).status == 0
  }

  /// The sizes to which files are extended by a hole, up to the size that is read as a whole on opening. The
  /// leaf pages of larger files are not read before `check`, and damage to one may hide a record.
  private static let paddings = [0, 0, 33 << 20, 255 << 20]

  func run(_ number: Int, _ world: World, _ random: inout SplitMix64) throws {
    var bytes = world.bytes
    let damage = BrokenBytes.breakSome(&bytes, &random)
    let size = max(bytes.count, Self.paddings[random.below(Self.paddings.count)])
    let fault = "\(damage), of \(world.objects) objects, \(size) bytes"
    try run(number, fault, bytes, size, world)
  }

  /// - Parameter size: The size to which the file is extended.
  func run(
    _ number: Int, _ fault: String, _ bytes: [UInt8], _ size: Int, _ world: World
  ) throws {
    bench.count("files")
    try look(number, "\(fault): read", bytes, size, World.reads, world.read)
    try look(number, "\(fault): write", bytes, size, World.writes + World.reads, world.written)
    if knowsCheck { try check(number, "\(fault): check", bytes, size) }
    if knowsRepair { try repair(number, "\(fault): repair", bytes, size, world) }
  }

  private func look(
    _ number: Int, _ fault: String, _ bytes: [UInt8], _ size: Int, _ commands: [String],
    _ expected: String
  ) throws {
    lay(bytes, size)
    let outcome = try herald.run(path, commands)
    if outcome.isHung || outcome.isSignalled {
      bench.count(outcome.isHung ? "hung" : "signals")
      return violate(number, "\(fault): \(outcome.summary)", bytes, size)
    }
    guard outcome.status != 0 else {
      bench.count("right")
      if outcome.output != expected {
        bench.count("wrong results")
        let message = "\(fault): other results than of the undamaged file"
        violate(number, message + Self.difference(outcome.output, expected), bytes, size)
      }
      return
    }
    guard outcome.isRefused else {
      return violate(number, "\(fault): an unexpected error: \(outcome.summary)", bytes, size)
    }
    bench.count("refused")
    if !expected.hasPrefix(outcome.output) {
      bench.count("wrong results before the error")
      violate(number, "\(fault): other results before the error, \(outcome.errors)", bytes, size)
    }
  }

  /// Describes the first line that differs.
  private static func difference(_ found: String, _ expected: String) -> String {
    let found = found.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
    guard let line = zip(found, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else {
      return ": \(found.count) lines, not \(expected.count)"
    }
    return ", line \(line + 1): \(found[line].prefix(120)) not \(expected[line].prefix(120))"
  }

  private func check(_ number: Int, _ fault: String, _ bytes: [UInt8], _ size: Int) throws {
    lay(bytes, size)
    let outcome = try command.run(["check", path])
    guard [0, 4, 5].contains(outcome.status) else {
      return violate(number, "\(fault): \(outcome.summary)", bytes, size)
    }
    bench.count(outcome.status == 0 ? "checked without problems" : "checked with problems")
  }

  /// Checks that everything in the repaired store is correct or listed as lost.
  private func repair(
    _ number: Int, _ fault: String, _ bytes: [UInt8], _ size: Int, _ world: World
  ) throws {
    lay(bytes, size)
    let target = "\(bench.folder)/repaired.hdb"
    FileTree.removeStore(target)
    let outcome = try command.run(["repair", "--json", path, "to", target])
    guard [0, 4, 5].contains(outcome.status), !outcome.isHung else {
      return violate(number, "\(fault): \(outcome.summary)", bytes, size)
    }
    guard outcome.status != 4 else {
      bench.count("not repaired")
      if FileTree.exists(target) { violate(number, "\(fault): a partial store", bytes, size) }
      return
    }
    bench.count(outcome.status == 0 ? "repaired without loss" : "repaired")
    let checked = try command.run(["check", target])
    if checked.status != 0 {
      return violate(
        number, "\(fault): the new store: \(checked.output.prefix(300)) \(checked.summary)", bytes,
        size)
    }
    let found = try herald.run(target, ["dump"])
    guard found.status == 0 else {
      return violate(number, "\(fault): the new store: \(found.summary)", bytes, size)
    }
    guard outcome.status != 0 else {
      guard found.output != world.dump else { return }
      let message = "\(fault): nothing lost, but the dump differs"
      return violate(number, message + Self.difference(found.output, world.dump), bytes, size)
    }
    let rows = try RepairedRows(of: target, herald)
    if let wrong = try rows.firstUnlisted(in: outcome.output, of: world.rows) {
      violate(number, "\(fault): \(wrong)", bytes, size)
    }
  }

  private func lay(_ bytes: [UInt8], _ size: Int) {
    FileTree.removeStore(path)
    FileTree.write(bytes, to: path, size: size)
  }

  private func violate(_ number: Int, _ message: String, _ bytes: [UInt8], _ size: Int) {
    lay(bytes, size)
    bench.violation(number, message, keeping: [path])
  }
}
