package import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery
package import HeraldStorage

/// A commit as it is sent to other copies of the store.
///
///     message := byte (2 plain | 3 compressed), body                       compressed: see MessageCompression
///     body    := byte flags (1 complete | 2 schema changed), count version, count size, entry, changes
///     changes := what `WriteTransaction.changesOfVersion` returns
///
/// `entry` has the form of the log (`CommitRecord+Coding.swift`), without its first byte. If it is not complete,
/// it has no previous values, which every copy has at the version before.
///
/// A commit that was received is valid as long as the message and the buffer that it was restored in.
struct StreamCommit {
  private static let plain: UInt8 = 2
  private static let packed: UInt8 = 3

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let complete = Flags(rawValue: 1)
    static let schemaChanged = Flags(rawValue: 2)
  }

  /// The version that the commit made.
  let version: Int
  let schemaChanged: Bool
  let changes: UnsafeRawBufferPointer
  private let isComplete: Bool
  private let entry: UnsafeRawBufferPointer

  /// How much longer previous values may make a message, in bytes, that they are sent: they spare the copies to decode
  /// it.
  private static let mostForPrevious = 8

  static func encoded(_ commit: LoggedCommit, changes: [UInt8]) -> [UInt8] {
    var entry = commit.encoded().dropFirst()
    var flags: Flags = [.complete]
    if commit.record.schemaChanged {
      flags.insert(.schemaChanged)
    } else {
      let short = LoggedCommit(info: commit.info, record: commit.record.withoutPreviousValues())
        .encoded().dropFirst()
      if short.count + mostForPrevious < entry.count {
        entry = short
        flags.remove(.complete)
      }
    }
    var writer = ByteWriter()
    writer.byte(flags.rawValue)
    writer.count(commit.record.lastVersion)
    writer.count(entry.count)
    writer.raw(Array(entry))
    writer.raw(changes)
    if let short = MessageCompression.compressed(writer.bytes) { return [packed] + short }
    return [plain] + writer.bytes
  }

  /// Returns a commit that changes nothing and names the version that its copies must have already.
  static func encoded(naming commit: CommitIdentity) -> [UInt8]? {
    guard let info = commit.info else { return nil }
    let record = LoggedCommit(info: info, record: CommitRecord(version: commit.version))
    // No entries, and no records.
    return encoded(
      record, changes: withUnsafeBytes(of: commit.digest.littleEndian) { Array($0) + [0] })
  }

  init(
    _ message: UnsafeRawBufferPointer, in buffer: MessageCompression.Buffer
  ) throws(DamagedBytes) {
    let rest = UnsafeRawBufferPointer(rebasing: message.dropFirst())
    let body: UnsafeRawBufferPointer
    switch message.first {
    case Self.plain: body = rest
    case Self.packed: body = try MessageCompression.message(of: rest, in: buffer)
    case _: throw DamagedBytes()
    }
    do throws(PackedReader.Malformed) {
      var reader = PackedReader(body)
      let flags = Flags(rawValue: try reader.byte())
      version = try reader.count()
      isComplete = flags.contains(.complete)
      schemaChanged = flags.contains(.schemaChanged)
      entry = try reader.raw(try reader.count(of: 1))
      changes = reader.rest
    } catch {
      throw DamagedBytes()
    }
  }

  /// What distinguishes it from others that make the same version.
  var identity: CommitIdentity {
    get throws(DamagedBytes) {
      guard changes.count >= 4 else { throw DamagedBytes() }
      let digest = changes.loadUnaligned(as: UInt32.self)
      return CommitIdentity(
        version: version, digest: UInt32(littleEndian: digest),
        info: try CommitInfo(ofEntry: [entryVersion] + entry))
    }
  }

  /// Whether the entry of the log needs values that the store had before the commit.
  var needsPreviousValues: Bool { !isComplete }

  /// Returns the entry of the log; `before` reads the version that the commit was made on top of.
  func entry(_ before: () throws -> TransactionReader) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entry.count + 1)
    bytes.append(entryVersion)
    bytes.append(contentsOf: entry)
    if isComplete { return bytes }
    guard let short = try LoggedCommit(encoded: bytes) else { throw DamagedBytes() }
    let record = short.record.withPreviousValues(try before())
    return LoggedCommit(info: short.info, record: record).encoded()
  }
}

extension CommitReplicator {
  package func message(
    of commit: LoggedCommit, in transaction: borrowing WriteTransaction
  ) throws(StorageError) -> [UInt8] {
    StreamCommit.encoded(commit, changes: try transaction.changesOfVersion())
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
