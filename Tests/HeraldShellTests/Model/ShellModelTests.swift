import TestSupport
import Testing

@testable import TestModel

/// The shell against the model: random commands as statements, and the events that they print.
@Suite struct ShellModelTests {
  @Test(arguments: seeds(40))
  func `every token prints what a slow model of plain arrays predicts`(seed: UInt64) throws {
    _ = try run(seed, transactions: 60)
  }

  @Test func `everything is generated for the shell`() throws {
    var coverage = ModelCoverage()
    for seed in UInt64(101)...140 where !coverage.missing(ModelCoverage.shell).isEmpty {
      coverage.add(try run(seed, transactions: 60))
    }
    let missing = coverage.missing(ModelCoverage.shell)
    #expect(missing.isEmpty, "\(missing), of \(coverage.counts)")
  }

  private func run(_ seed: UInt64, transactions: Int) throws -> ModelCoverage {
    let level = ShellLevel()
    defer { level.finish() }
    let run = try ModelRun(seed: seed, level: level)
    if let failure = run.failure(ofTransactions: transactions) { Issue.record(failure) }
    return run.coverage
  }
}
