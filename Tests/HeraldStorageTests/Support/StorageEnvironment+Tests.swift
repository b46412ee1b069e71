import HeraldMaintenance
import HeraldStorage
import TestSupport
import Testing

/// Runs a test on a new store and checks the whole store behind it.
func withStore(
  _ location: StorageEnvironment.Location = .memory, _ body: (StorageEnvironment) throws -> Void
) throws {
  let environment = try StorageEnvironment.open(location)
  try body(environment)
  try expectSound(environment)
}

/// Runs a test with a store in a file, which has one object with one number.
func withOpenStore(
  _ body: (_ path: String, _ environment: StorageEnvironment) throws -> Void
) throws {
  try withFolder { folder in
    let path = "\(folder)/store.hdb"
    let environment = try StorageEnvironment.open(.file(path))
    try environment.write {
      try $0.setInteger(ColumnID(classID: 1, propertyID: 1), try $0.create(1), 1)
    }
    try body(path, environment)
  }
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

extension StorageSnapshot {
  /// Returns a value of a column of any kind.
  func value(_ column: ColumnID, _ kind: ColumnKind, _ number: Int) -> StoredValue {
    switch kind {
    case .integers: integer(column, number).map(StoredValue.integer) ?? .null
    case .doubles: double(column, number).map(StoredValue.double) ?? .null
    case .floats: float(column, number).map(StoredValue.float) ?? .null
    case .dates: date(column, number).map(StoredValue.date) ?? .null
    case .bytes: withBytes(column, number) { $0.map { .bytes([UInt8]($0)) } ?? .null }
    }
  }
}
