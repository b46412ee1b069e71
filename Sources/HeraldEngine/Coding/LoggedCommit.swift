package import HeraldModel
package import HeraldObservation

/// The version of an entry's form, which `CommitRecord+Coding.swift` describes.
let entryVersion: UInt8 = 6

/// A commit as the log has it.
package struct LoggedCommit: Sendable, Equatable {
  package let info: CommitInfo
  package let record: CommitRecord

  package init(info: CommitInfo, record: CommitRecord) {
    self.info = info
    self.record = record
  }

  func encoded() -> [UInt8] {
    // Enough for the change of a few numbers.
    var writer = ByteWriter(capacity: 128)
    writer.byte(entryVersion)
    writer.info(info)
    writer.record(record)
    return writer.bytes
  }

  /// Decodes an entry; nil for one in the format of another version.
  init?(encoded bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard try reader.byte() == entryVersion else { return nil }
    info = try reader.info()
    guard let record = try reader.record() else { return nil }
    self.record = record
  }
}
