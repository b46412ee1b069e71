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
      Sessions.self, SessionsWorker.self,
    ])
}
