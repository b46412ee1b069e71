import HeraldModel
import HeraldObservation
import HeraldQuery

/// A commit as it is sent to other copies of the store.
///
///     message := byte version (1), info, record, changes
///     changes := what `WriteTransaction.changes` returns
///
/// `info` and `record` have the form of the log (`CommitRecord+Coding.swift`), but without previous values that
/// every copy has at the version before, unless the schema changed.
struct StreamCommit {
  private static let version: UInt8 = 1

  let commit: LoggedCommit
  let changes: ArraySlice<UInt8>

  static func encoded(_ commit: LoggedCommit, changes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.byte(version)
    writer.info(commit.info)
    writer.record(commit.record.withoutPreviousValues())
    writer.raw(changes)
    return writer.bytes
  }

  /// Decodes a commit that was made on top of the version that `before` reads.
  init(encoded bytes: [UInt8], before: TransactionReader) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DamagedBytes() }
    let info = try reader.info()
    guard let record = try reader.record(), record.firstVersion == before.version + 1 else {
      throw DamagedBytes()
    }
    commit = LoggedCommit(info: info, record: record.withPreviousValues(before))
    changes = reader.rest
  }
}

extension CommitRecord {
  /// Returns the record without the values of deleted objects and the previous ones of single values.
  fileprivate func withoutPreviousValues() -> CommitRecord {
    mapped(value: { _, _ in .null }, object: { _ in DeletedObject(key: .null) })
  }

  /// Returns the record with these values, which `before` reads.
  fileprivate func withPreviousValues(_ before: TransactionReader) -> CommitRecord {
    let references = before.references
    return mapped(
      value: { references.value($0, of: $1) }, object: { DeletedObject($0, in: before) })
  }

  private func mapped(
    value: (PropertyID, ObjectID) -> Value, object: (ObjectID) -> DeletedObject
  ) -> CommitRecord {
    if schemaChanged { return self }
    var record = self
    for (classID, change) in classes {
      var mapped = change
      for number in change.deleted.keys {
        mapped.deleted[number] = object(ObjectID(classID, number))
      }
      for (property, delta) in change.properties {
        guard case .values(let values) = delta else { continue }
        var previous: [ObjectNumber: Value] = [:]
        previous.reserveCapacity(values.count)
        for number in values.keys { previous[number] = value(property, ObjectID(classID, number)) }
        mapped.properties[property] = .values(previous)
      }
      record.classes[classID] = mapped
    }
    return record
  }
}
