import ArgumentParser

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
