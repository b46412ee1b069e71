package import Testing

/// A trait that prints the number of transactions after a suite of twins.
package struct CountingTransactions: SuiteTrait, TestScoping {
  package init() {}

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    print(TransactionCount.text)
  }
}
