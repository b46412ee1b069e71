package import Testing

/// Says after a suite of twins how many transactions there were.
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
