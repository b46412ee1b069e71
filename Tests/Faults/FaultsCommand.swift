import ArgumentParser

// Injects faults into the built program and its stores, and checks the result. `Tests/Faults/run` starts
// it; each kind of fault is a command, with the number of faults.

@main struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Tests/Faults/run",
    abstract: "Injects faults of one kind, and checks that herald keeps its guarantees.",
    discussion: """
      HERALD names the program to test. Each run prints its seed; on a violation it keeps the files, \
      prints how to repeat it, and exits with status 1.
      """,
    subcommands: [
      Kills.self, Power.self, Errors.self, Damage.self, Metas.self, Copies.self, Replace.self,
      Links.self, Followers.self, Soak.self, Fuzz.self,
    ])
}

/// The options of every kind of fault.
struct FaultOptions: ParsableArguments {
  @Argument(help: "The number of faults; by default all kinds together take about a minute.")
  var count: Int?

  @Option(help: "The seed of the random choices.")
  var seed: UInt64 = UInt64.random(in: 1...999_999)

  @Option(help: "Runs only the fault of this number.")
  var only: Int?

  @Option(help: "The folder for the tested stores; memory by default.")
  var folder: String?

  @Option(help: "The number of violations after which it stops.")
  var limit = 20

  /// Returns the numbers of the faults to try.
  func cases(_ usual: Int) -> Range<Int> {
    if let only { return only..<only + 1 }
    return 0..<(count ?? usual)
  }
}
