package import HeraldModel
package import HeraldObservation

/// The version of an entry's form, which `CommitRecord+Coding.swift` describes.
package let entryVersion: UInt8 = 6

/// A commit as the log has it.
package struct LoggedCommit: Sendable, Equatable {
  package let info: CommitInfo
  package let record: CommitRecord

  package init(info: CommitInfo, record: CommitRecord) {
    self.info = info
    self.record = record
  }

  package func encoded() -> [UInt8] {
    Self.encoded(
      record, at: info.time, info.session, process: info.process, info.message, info.reversal)
  }

  /// Encodes an entry.
  static func encoded(
    _ record: CommitRecord, at time: Timestamp, _ session: String, process: Int,
    _ message: String?, _ reversal: CommitInfo.Reversal?
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.byte(entryVersion)
    writer.info(time, session, process: process, message, reversal)
    writer.record(record)
    return writer.bytes
  }

  /// Decodes an entry; nil for one in the format of another version.
  package init?(encoded bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard try reader.byte() == entryVersion else { return nil }
    info = try reader.info()
    guard let record = try reader.record() else { return nil }
    self.record = record
  }
}
