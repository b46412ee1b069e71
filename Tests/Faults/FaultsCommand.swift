import ArgumentParser

// Kills, cuts, damages and floods the built program, and judges what is left. `Tests/Faults/run` is how
// it is started; each kind of fault is a command of its own, with how many there shall be.

@main struct FaultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Tests/Faults/run",
    abstract: "Breaks stores in one way, and looks whether herald keeps its promises.",
    discussion: """
      HERALD names the program to test. Each run prints its seed; on a violation it keeps the files, \
      prints how to repeat it, and its status is 1.
      """,
    subcommands: [
      Kills.self, Power.self, Errors.self, Damage.self, Metas.self, Copies.self, Replace.self,
      Links.self, Followers.self, Soak.self, Fuzz.self,
    ])
}

/// What every kind of fault takes.
struct FaultOptions: ParsableArguments {
  @Argument(help: "How many faults, by default a number for a minute's work of all kinds.")
  var count: Int?

  @Option(help: "The number from which the random choices follow.")
  var seed: UInt64 = UInt64.random(in: 1...999_999)

  @Option(help: "Runs the fault of this number alone.")
  var only: Int?

  @Option(help: "The folder for stores while they are tested; memory by default.")
  var folder: String?

  @Option(help: "Violations after which it stops.")
  var limit = 20

  /// The numbers of the faults to try.
  func cases(_ usual: Int) -> Range<Int> {
    if let only { return only..<only + 1 }
    return 0..<(count ?? usual)
  }
}
