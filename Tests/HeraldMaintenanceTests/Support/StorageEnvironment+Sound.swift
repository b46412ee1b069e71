import HeraldMaintenance
import HeraldStorage
import Testing

/// Runs a test on a new store in memory and checks the whole store behind it.
func withStore(_ body: (StorageEnvironment) throws -> Void) throws {
  let environment = try StorageEnvironment.open(.memory)
  try body(environment)
  try expectSound(environment)
}

/// Fails the test with whatever a recount of the store finds wrong.
func expectSound(
  _ environment: StorageEnvironment, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try environment.beginRead().check()
  #expect(found.isEmpty, sourceLocation: sourceLocation)
}

func positions(of wanted: [UInt8], in bytes: [UInt8]) -> [Int] {
  (0...bytes.count - wanted.count).filter { bytes[$0...].starts(with: wanted) }
}

extension StorageEnvironment {
  /// One write transaction, committed.
  @discardableResult
  func write(_ body: (inout WriteTransaction) throws -> Void) throws -> Int {
    var transaction = try beginWrite()
    try body(&transaction)
    return try transaction.commit()
  }
}
